import { once } from 'node:events';
import { connect } from 'node:net';
import { insertLongShipments } from '../support/database/large-lists.js';
import { untilBlocked } from '../support/database/activity.js';
import { Api, type Json } from '../support/http/api.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { RawStream } from '../support/http/raw-stream.js';
import { bearer } from '../support/http/tokens.js';
import { eventually } from '../support/races/eventually.js';
import { createMove } from '../support/records/records.js';
import { csvOf } from '../support/records/imports.js';
import { startApp } from '../support/service/service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/** More than the writes that wait for a lock. */
const POOL_SIZE = '15';
const { service, withToken, createKey } = useServiceWithKeys({ POOL_SIZE, RATE_LIMIT: '0' });
const SCOPES = ['moves:read', 'moves:write', 'shipments:read', 'shipments:write'];
const PATIENCE_MS = 20_000;
/** Of an import: several transactions. */
const ROWS = 250;
const CREATES = Array.from({ length: 20 }, () => ({ op: 'create', values: { shipmentType: 'BULK' } }));
const SINGLE = 9;

let other: Awaited<ReturnType<typeof startApp>>;
let replicas: { port: number; url: string; api: Api }[];

beforeAll(async () => {
  other = await startApp(
    { AUTH_MODE: 'keys', POOL_SIZE, RATE_LIMIT: '0', ...timeoutsWithin(60_000) },
    service.databaseUrl,
  );
  const second = { port: Number(new URL(other.url).port), url: other.url, api: new Api(other.url) };
  replicas = [{ port: service.port, url: service.url, api: service.api }, second];
  // More than the buffers of a connection take.
  await insertLongShipments(service.sql, 1800);
});
afterAll(() => other.app.close());

/** Ends a key, as whoever may. */
const ENDS: [string, number, (key: Json) => Promise<unknown>][] = [
  ['is revoked', 401, async ({ id }) => (await withToken('keys:write')).delete(`/v1/keys/${id}`)],
  ['expires', 401, ({ id }) => service.sql.query('UPDATE keys SET expires_at = now() WHERE id = $1', [id])],
  ['loses a scope', 403, async ({ id }) => withoutMoves(id)],
];

async function withoutMoves(id: string): Promise<void> {
  const api = await withToken(`keys:write ${SCOPES.join(' ')}`);
  const scopes = SCOPES.filter((scope) => scope !== 'moves:read');
  expect((await api.patch(`/v1/keys/${id}`, '*', { scopes })).status).toBe(200);
}

/** A connection whose client has sent a request for a file and reads nothing. */
async function unreadExport(port: number, key: string) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const lines = ['GET /v1/shipments HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, 'Accept: text/csv'];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test.each(ENDS)(
  'when a key %s, its streams, waits and exports end on every replica, and it is refused there',
  async (_, refusal, end) => {
    const key = await createKey({ scopes: SCOPES });
    const { key: others } = await createKey({ scopes: SCOPES });
    const streams = await Promise.all(
      replicas.map((replica) => RawStream.open(replica, '/v1/events/stream?after=now', bearer(key.key)).opened()),
    );
    const [kept] = await Promise.all(
      replicas.map((replica) => RawStream.open(replica, '/v1/events/stream?after=now', bearer(others)).opened()),
    );
    const waits = replicas.map(({ api }) => api.get('/v1/events?after=now&wait=30&type=move.created', bearer(key.key)));
    const files = await Promise.all(replicas.map(({ port }) => unreadExport(port, key.key)));
    const requests = replicas.flatMap(({ api }) => {
      return Array.from({ length: 25 }, () => api.get('/v1/moves', bearer(key.key)));
    });
    await end(key);

    // Those that began before may have succeeded.
    for (const answer of await Promise.all(requests)) expect([200, refusal]).toContain(answer.status);
    for (const stream of streams) {
      await stream.until(({ isComplete }) => isComplete, 'the stream ends', PATIENCE_MS);
      expect(stream.comments).toContain(': the API key was revoked, has expired or has lost a scope');
    }
    for (const { status, body } of await Promise.all(waits)) expect([status, body]).toEqual([200, []]);
    for (const socket of files) {
      let received = '';
      socket.on('error', () => undefined).on('data', (data) => (received += String(data)));
      if (!socket.closed) await once(socket, 'close');
      expect([received.slice(0, 12), received.endsWith('0\r\n\r\n')]).toEqual(['HTTP/1.1 200', false]);
    }
    for (const { api } of replicas) {
      const isRefused = async () => (await api.get('/v1/moves', bearer(key.key))).status === refusal;
      await eventually(isRefused, PATIENCE_MS, 'the key is refused');
    }
    expect(kept?.isComplete).toBe(false);
    for (const { api } of replicas) expect((await api.get('/v1/moves', bearer(others))).status).toBe(200);
  },
);

/** Creates moves one after the other until it is refused, and returns how many it has created. */
async function createUntilRefused(api: Api): Promise<number> {
  let count = 0;
  const isRefused = async () => {
    const { status } = await api.post('/v1/moves', { remarks: 'in a loop' });
    if (status === 201) count += 1;
    return status === 401;
  };
  await eventually(isRefused, PATIENCE_MS, 'the key is refused');
  return count;
}

/** On one replica: a bulk, an import that is applied, and nine writes, all of which wait for locks. */
async function startWork(api: Api) {
  const move = await createMove(api);
  const { body: shipment } = await api.post('/v1/shipments', { shipmentType: 'HHG', moveID: move.id });
  const file = csvOf(
    ['shipmentType'],
    Array.from({ length: ROWS }, () => ['IMPORTED']),
  );
  const { body: ready } = await api.post('/v1/imports', file, { 'Content-Type': 'text/csv' });
  const begin = async () => {
    const patch = { customerRemarks: 'x' };
    const items = [{ op: 'update', id: shipment.id, ifMatch: shipment.eTag, patch }, ...CREATES];
    const bulk = api.post('/v1/shipments/bulk', { items });
    expect((await api.send('POST', `/v1/imports/${ready.id}/apply`)).status).toBe(202);
    const single = Array.from({ length: SINGLE }, () => api.post('/v1/moves', { remarks: 'alone' }));
    return { bulk, single };
  };
  return { importID: ready.id as string, begin };
}

test('what a revoked key has begun on two replicas ends or is finished in its name, and nothing is written afterwards', async () => {
  const { key, id } = await createKey({ scopes: SCOPES, name: 'Carrier South' });
  const headers = bearer(key);
  const apis = replicas.map(({ api }) => api.as(headers));
  const work = await Promise.all(apis.map(startWork));
  const streams = await Promise.all(
    replicas.map((replica) => RawStream.open(replica, '/v1/events/stream?after=now', headers).opened()),
  );
  const waits = apis.map((api) => api.get('/v1/events?after=now&wait=30&type=move.deleted'));
  const files = await Promise.all(replicas.map(({ port }) => unreadExport(port, key)));
  const blocker = await service.connect();
  await blocker.query('BEGIN; LOCK TABLE shipments, moves IN SHARE MODE');
  const begun = await Promise.all(work.map(({ begin }) => begin()));
  await untilBlocked(service.sql, replicas.length * (SINGLE + 2));
  const reads = apis.flatMap((api) => Array.from({ length: 25 - SINGLE }, () => api.get('/v1/moves')));
  const loops = apis.map(createUntilRefused);
  expect((await (await withToken('keys:write')).delete(`/v1/keys/${id}`)).status).toBe(204);
  await blocker.query('COMMIT');
  await blocker.end();

  for (const { status } of await Promise.all(reads)) expect([200, 401]).toContain(status);
  const created = await Promise.all(loops);
  for (const { bulk, single } of begun) {
    expect((await bulk).status).toBe(200);
    for (const { status } of await Promise.all(single)) expect(status).toBe(201);
  }
  for (const { status, body } of await Promise.all(waits)) expect([status, body]).toEqual([200, []]);
  for (const stream of streams) await stream.until(({ isComplete }) => isComplete, 'the stream ends', PATIENCE_MS);
  for (const socket of files) {
    socket.on('error', () => undefined).resume();
    if (!socket.closed) await once(socket, 'close');
  }
  const reader = await withToken('shipments:read');
  for (const { importID } of work) {
    const state = async () => (await reader.get(`/v1/imports/${importID}`)).body.state;
    await eventually(async () => (await state()) === 'applied', PATIENCE_MS, 'the import is applied');
  }
  for (const api of apis) expect((await api.post('/v1/moves', {})).status).toBe(401);

  // Of both replicas: what is stored, and what history says of it.
  const { rows: stored } = await service.sql.query(
    `SELECT remarks AS kind, count(*)::int FROM moves
     WHERE remarks IN ('alone', 'in a loop') GROUP BY 1 ORDER BY 1`,
  );
  const loop = created.reduce((sum, count) => sum + count, 0);
  expect(stored).toEqual([
    { kind: 'alone', count: 2 * SINGLE },
    ...(loop === 0 ? [] : [{ kind: 'in a loop', count: loop }]),
  ]);
  const { rows: written } = await service.sql.query(
    `SELECT shipment_type AS type, count(*)::int FROM shipments WHERE shipment_type IN ('IMPORTED', 'BULK') GROUP BY 1 ORDER BY 1`,
  );
  expect(written).toEqual([
    { type: 'BULK', count: 2 * CREATES.length },
    { type: 'IMPORTED', count: 2 * ROWS },
  ]);
  const { rows: unnamed } = await service.sql.query(
    `SELECT r.id FROM (
       SELECT id, 'move' AS kind FROM moves WHERE remarks IN ('alone', 'in a loop')
       UNION ALL SELECT id, 'shipment' FROM shipments WHERE shipment_type IN ('IMPORTED', 'BULK')
     ) AS r
     WHERE (SELECT array_agg(ARRAY[h.changed_by, h.subject]) FROM history h WHERE h.record_id = r.id)
       IS DISTINCT FROM ARRAY[ARRAY['Carrier South', $1]]`,
    [`key:${id}`],
  );
  expect(unnamed).toEqual([]);
});

test('of two rotations of the same version, one is done and the other is 412', async () => {
  const key = await createKey({ scopes: ['keys:write', 'moves:read'] });
  const rotate = ({ api }: { api: Api }) =>
    api.send('POST', `/v1/keys/${key.id}/rotateKey`, undefined, { ...bearer(key.key), 'If-Match': key.eTag });
  const rotated = await Promise.all(replicas.map(rotate));
  expect(rotated.map(({ status }) => status).sort()).toEqual([200, 412]);
  const next = rotated.find(({ status }) => status === 200)?.body.key as string;
  for (const each of [key.key, next]) {
    for (const { api } of replicas) expect((await api.get('/v1/moves', bearer(each))).status).toBe(200);
  }
  const { rows } = await service.sql.query('SELECT count(*)::int FROM key_hashes WHERE key_id = $1', [key.id]);
  expect(rows).toEqual([{ count: 2 }]);
});

test('two rotations at the same time leave every key working for a day', async () => {
  const key = await createKey({ scopes: ['keys:write', 'moves:read'] });
  const rotate = ({ api }: { api: Api }) =>
    api.send('POST', `/v1/keys/${key.id}/rotateKey`, undefined, bearer(key.key));
  const rotated = await Promise.all(replicas.map(rotate));
  expect(rotated.map(({ status }) => status)).toEqual([200, 200]);
  const keys = [key.key, ...rotated.map(({ body }) => body.key)];
  expect(new Set(keys).size).toBe(3);
  for (const each of keys) {
    for (const { api } of replicas) expect((await api.get('/v1/moves', bearer(each))).status).toBe(200);
  }
});
