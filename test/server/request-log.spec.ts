import { pino } from 'pino';
import type { App } from '../../src/app.setup.js';
import { Api, type Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { sendRaw } from '../support/http/raw-http.js';
import { createTestDatabase, POOLER_ENVIRONMENT, type TestDatabase } from '../support/database/test-database.js';
import { jwtEnvironment, KeySetServer, newKey } from '../support/http/tokens.js';
import { startApp } from '../support/service/service.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

const lines: Json[] = [];
let database: TestDatabase;
const apps: App[] = [];

/** A service whose log is in `lines`. */
async function startLogged(environment: Record<string, string>): Promise<Api> {
  const settings = { TRUSTED_PROXIES: 'loopback', ...POOLER_ENVIRONMENT, ...environment };
  const logger = pino({ level: 'info', base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const { app, url } = await startApp(settings, database.serviceUrl, logger);
  apps.push(app);
  return new Api(url);
}

let api: Api;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startLogged({});
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await database.drop();
});
beforeEach(() => {
  lines.length = 0;
});

/** The line of the one request that was made; it is written when the connection is done with it. */
async function onlyLine(): Promise<Json> {
  await eventually(() => lines.length > 0, 20_000, 'the request is in the log');
  expect(lines).toHaveLength(1);
  return lines[0];
}

test('one line with exactly these fields for each request', async () => {
  const { headers } = await api.get('/v1/moves?orderID=not-for-the-log');
  expect(await onlyLine()).toEqual({
    level: 30,
    time: expect.any(Number) as number,
    msg: 'request',
    method: 'GET',
    route: '/v1/moves',
    status: 200,
    durationMs: expect.any(Number) as number,
    requestID: headers.get('X-Request-ID'),
    subject: 'anonymous',
    address: '127.0.0.1',
  });
});

test('the trace that a request belongs to, and its own id when it is sane', async () => {
  await api.get('/v1/moves', { traceparent: `00-${TRACE}-${SPAN}-01`, 'X-Request-ID': 'from-the-client' });
  expect(await onlyLine()).toMatchObject({ traceID: TRACE, parentSpanID: SPAN, requestID: 'from-the-client' });
});

test.each([
  ['malformed', 'nonsense'],
  ['of the forbidden version', `ff-${TRACE}-${SPAN}-01`],
  ['all zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
])('no trace when traceparent is %s', async (_, traceparent) => {
  await api.get('/v1/moves', { traceparent });
  expect(Object.keys(await onlyLine())).not.toContain('traceID');
});

test.each([
  ['GET', '/v1/moves/some-id', '/v1/moves/:moveID', 404, 'NOT_FOUND'],
  ['GET', '/v1/moves/some-id/', '/v1/moves/:moveID', 404, 'NOT_FOUND'],
  ['GET', '/no/such/path', 'unmatched', 404, 'NOT_FOUND'],
  ['POST', '/v1/moves', '/v1/moves', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['DELETE', '/v1/moves', '/v1/moves', 405, 'METHOD_NOT_ALLOWED'],
  ['GET', '/v1/moves?nonsense=1', '/v1/moves', 400, 'INVALID_PARAMETER'],
  ['GET', '/v1/moves/%', '/v1/moves/:moveID', 400, 'INVALID_PARAMETER'],
])('the pattern, the status and the code of a refused request: %s %s', async (method, path, route, status, code) => {
  await api.send(method, path);
  expect(await onlyLine()).toMatchObject({ method, route, status, code });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['198.51.100.1, 192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8::7', '2001:db8:0:0:0:0:0:7'],
  ['what-a-client-wrote', 'unknown'],
])("the client's address as a trusted proxy tells it: %s", async (forwarded, address) => {
  await api.get('/v1/moves', { 'X-Forwarded-For': forwarded });
  expect(await onlyLine()).toMatchObject({ address });
});

describe('refused before the route is looked for', () => {
  let keySet: KeySetServer;
  let guarded: Api;

  beforeAll(async () => {
    keySet = await KeySetServer.start(await newKey('only'));
    guarded = await startLogged(jwtEnvironment(keySet.url));
  });
  afterAll(() => keySet.stop());

  test.each([
    ['GET', '/v1/moves', '/v1/moves'],
    ['GET', '/v1/moves?orderID=x', '/v1/moves'],
    ['GET', '/v1/shipments/x/agents/', '/v1/shipments/:shipmentID/agents'],
    ['PATCH', '/prime/v1/shipments/x/updateStatus', '/prime/v1/shipments/:shipmentID/updateStatus'],
    ['GET', '/v1/nothing', 'unmatched'],
  ])('the line of a 401 has route, code and address: %s %s', async (method, path, route) => {
    await guarded.send(method, path, undefined, { 'X-Forwarded-For': '192.0.2.7' });
    const outcome = { status: 401, code: 'UNAUTHENTICATED', subject: 'anonymous', address: '192.0.2.7' };
    expect(await onlyLine()).toMatchObject({ method, route, ...outcome });
  });
});

test.each([
  ['GET http://example.com/v1/moves HTTP/1.1', '/v1/moves', 200],
  ['GET http://example.com/v1/moves#x HTTP/1.1', '/v1/moves', 400],
  // Express's own parser of URLs throws on these.
  ['GET http://xn--a/v1/moves HTTP/1.1', '/v1/moves', 200],
  ['GET http://xn--a/v1/moves#x HTTP/1.1', '/v1/moves', 400],
  ['GET ftp://xn--a/v1/moves HTTP/1.1', '/', 400],
  ['OPTIONS * HTTP/1.1', 'unmatched', 204],
])('one line for a target that is no path: %s', async (requestLine, route, status) => {
  const port = Number(new URL((await apps[0]?.getUrl()) ?? '').port);
  const answer = await sendRaw(port, `${requestLine}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(`HTTP/1.1 ${status} `);
  expect(await onlyLine()).toMatchObject({ route, status });
});
