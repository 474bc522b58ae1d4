import { eventually } from '../support/races/eventually.js';
import { freePort } from '../support/http/free-port.js';
import { rawRequest, sendRaw } from '../support/http/raw-http.js';
import { Replica, useReplica } from '../support/service/replica.js';
import { bearer, jwtEnvironment, KeySetServer, newKey, signToken } from '../support/http/tokens.js';

/**
 * Not a word of any error message, and valid wherever a text, a name or a part of a URL may stand. No part of it can be in a
 * number, a time or a random id.
 */
const SECRET = 'xyzzy-sesame-plugh';
const PART_OF_SECRET = /xyzzy|sesame|plugh/i;

/** Headers that clients and proxies send. X-Request-ID and traceparent are there to be logged, when they are well-formed. */
const HEADERS = {
  Accept: `application/json, text/${SECRET}`,
  Cookie: `session=${SECRET}`,
  'If-Match': `"${SECRET}"`,
  'If-None-Match': `"${SECRET}"`,
  'Idempotency-Key': SECRET,
  Origin: `https://${SECRET}.example`,
  Referer: `https://${SECRET}.example/?${SECRET}`,
  'User-Agent': SECRET,
  'X-Api-Key': SECRET,
  'X-Forwarded-For': SECRET,
  'X-Request-ID': `not sane: ${SECRET}`,
  traceparent: `00-${SECRET}-01`,
  [SECRET]: SECRET,
};

let keySet: KeySetServer;
let token: string;

beforeAll(async () => {
  const key = await newKey('only');
  keySet = await KeySetServer.start(key);
  token = await signToken(key, { scope: 'moves:read moves:write shipments:read shipments:write shipments:status' });
});
afterAll(() => keySet.stop());

const service = useReplica(() => ({
  LOG_LEVEL: 'debug',
  TRUSTED_PROXIES: 'loopback',
  CORS_ORIGINS: 'https://app.example',
  RATE_LIMIT: '10000',
  DRAIN_DELAY_MS: '0',
  ...jwtEnvironment(keySet.url),
}));

test('no secret of a header, a URL or a body is in the log, whatever the answer', async () => {
  const authorized = bearer(token);
  const { replica, sql } = service;
  const { api } = replica;
  const statuses = new Set<number>();
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    // Not through the client that holds answers against the document: broken requests are what this is about.
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
    const init = { method, headers: { ...type, ...headers }, ...(text !== undefined && { body: text }) };
    const response = await fetch(`${replica.url}${path}`, init);
    await response.arrayBuffer();
    statuses.add(response.status);
  };
  const created = await api.post('/v1/shipments', { shipmentType: SECRET, customerRemarks: SECRET }, authorized);
  expect(created.status).toBe(201);
  const { id, eTag } = created.body;
  const path = `/v1/shipments/${id}`;

  // Accepted, refused by every part that can refuse, and with every header there is.
  await send('PATCH', path, { customerRemarks: `${SECRET}!` }, { ...authorized, 'If-Match': eTag });
  await send('PATCH', path, { customerRemarks: SECRET }, { ...authorized, ...HEADERS });
  await send('PATCH', path, { [SECRET]: SECRET }, { ...authorized, 'If-Match': '*' });
  await send('PATCH', path, `{"${SECRET}": ${SECRET}`, { ...authorized, 'If-Match': '*' });
  await send('PATCH', path, { customerRemarks: SECRET }, authorized);
  await send('POST', '/v1/moves', { orderID: SECRET }, { ...authorized, 'Idempotency-Key': SECRET });
  await send('POST', '/v1/moves', { orderID: SECRET }, { ...authorized, 'Content-Type': `text/${SECRET}` });
  await send('POST', '/v1/moves', { remarks: SECRET.repeat(10_000) }, authorized);
  for (const headers of [{}, bearer(SECRET), bearer(`${token}${SECRET}`), { Authorization: `Basic ${SECRET}` }]) {
    await send('GET', path, undefined, headers);
  }
  for (const query of [
    `?access_token=${SECRET}`,
    `?${SECRET}=1`,
    `?moveID=${SECRET}`,
    `?cursor=${SECRET}`,
    `?limit=${SECRET}`,
  ]) {
    await send('GET', `/v1/shipments${query}`, undefined, authorized);
  }
  for (const unknown of [`/v1/moves/${SECRET}`, `/${SECRET}`, `/v1/shipments/${id}/${SECRET}`, `/%${SECRET}`]) {
    await send('GET', unknown, undefined, { ...authorized, ...HEADERS });
  }
  await send('TRACE', path, undefined, authorized).catch(() => undefined);
  await send('DELETE', '/v1/moves', undefined, authorized);

  // The database refuses with the value in its message, in its detail, and as a failure that nobody foresaw.
  for (const failure of [
    `'22P02', MESSAGE = 'invalid input: ' || NEW.remarks`,
    `'23505', DETAIL = NEW.remarks`,
    `'XX000', DETAIL = NEW.remarks`,
    `'53100', DETAIL = NEW.remarks`,
  ]) {
    await sql.query(`
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION USING ERRCODE = ${failure}; END $$;
      CREATE OR REPLACE TRIGGER refuses BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await send('POST', '/v1/moves', { remarks: SECRET }, authorized);
  }
  await sql.query('DROP TRIGGER refuses ON moves');

  // Requests that Node's parser rejects.
  await sendRaw(replica.port, `GET /${SECRET} HTTP/1.1\r\n${SECRET}\r\n\r\n`);
  await sendRaw(replica.port, `${SECRET}\r\n\r\n`);
  await sendRaw(replica.port, rawRequest('GET', `/v1/moves?${SECRET.repeat(1500)}`, []));
  await sendRaw(
    replica.port,
    rawRequest(
      'POST',
      '/v1/moves',
      [
        ['Content-Encoding', 'gzip'],
        ['Content-Type', 'application/json'],
      ],
      SECRET,
    ),
  );

  // The log goes out in pieces, and all of it at the end.
  expect(await replica.stop()).toBe(0);
  expect([...statuses].sort()).toEqual(
    expect.arrayContaining([200, 201, 400, 401, 404, 405, 412, 413, 415, 422, 428, 500, 503]),
  );
  expect(replica.lines.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(25);
  expect(replica.lines.filter((line) => PART_OF_SECRET.test(line))).toEqual([]);
  expect(replica.lines.filter((line) => line.includes(token.split('.')[2] ?? token))).toEqual([]);
});

test('the password of the database is not in the log when the database cannot be reached', async () => {
  const url = `postgresql://waybill:${SECRET}@127.0.0.1:${await freePort()}/waybill`;
  const waiting = await Replica.launch({ DATABASE_URL: url });
  const said = () => waiting.lines.join('\n');
  await eventually(() => said().includes('the connection was refused'), 60_000, 'it says what it waits for');
  expect(await waiting.stop()).toBe(0);
  expect(said()).not.toMatch(PART_OF_SECRET);
});
