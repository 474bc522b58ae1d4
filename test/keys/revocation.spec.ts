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

const { service, withToken, createKey } = useServiceWithKeys({ POOL_SIZE: '10' });
const SCOPES = ['moves:read', 'moves:write', 'shipments:read', 'shipments:write'];
const PATIENCE_MS = 20_000;

let other: Awaited<ReturnType<typeof startApp>>;
let replicas: { port: number; url: string; api: Api }[];

beforeAll(async () => {
  other = await startApp({ AUTH_MODE: 'keys', POOL_SIZE: '10' }, service.databaseUrl);
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

test('a bulk and an import that have begun are finished, in the name of the key', async () => {
  const { key, id } = await createKey({ scopes: SCOPES, name: 'Carrier South' });
  const api = service.api.as(bearer(key));
  const move = await createMove(api);
  const { body: shipment } = await api.post('/v1/shipments', { shipmentType: 'HHG', moveID: move.id });
  const { body: ready } = await api.post('/v1/imports', csvOf(['shipmentType'], [['IMPORTED']]), {
    'Content-Type': 'text/csv',
  });
  const blocker = await service.connect();
  await blocker.query('BEGIN; LOCK TABLE shipments IN SHARE MODE');
  const items = [{ op: 'update', id: shipment.id, ifMatch: shipment.eTag, patch: { customerRemarks: 'x' } }];
  const bulk = api.post('/v1/shipments/bulk', { items });
  expect((await api.send('POST', `/v1/imports/${ready.id}/apply`)).status).toBe(202);
  await untilBlocked(service.sql, 2);
  await (await withToken('keys:write')).delete(`/v1/keys/${id}`);
  await eventually(async () => (await api.get('/v1/moves')).status === 401, PATIENCE_MS, 'the key is refused');
  await blocker.query('COMMIT');
  await blocker.end();
  expect((await bulk).status).toBe(200);
  const reader = await withToken('shipments:read');
  const state = async () => (await reader.get(`/v1/imports/${ready.id}`)).body.state;
  await eventually(async () => (await state()) === 'applied', PATIENCE_MS, 'the import is applied');
  const { rows } = await service.sql.query(
    `SELECT DISTINCT changed_by, subject FROM history WHERE subject = $1 AND record_kind = 'shipment'`,
    [`key:${id}`],
  );
  expect(rows).toEqual([{ changed_by: 'Carrier South', subject: `key:${id}` }]);
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
