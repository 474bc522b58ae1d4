import { spawnSync } from 'node:child_process';
import { PostgresServer } from '../support/database/postgres-server.js';
import type { Api, Json } from '../support/http/api.js';
import { RawStream } from '../support/http/raw-stream.js';
import { TcpProxy } from '../support/http/tcp-proxy.js';
import { bearer } from '../support/http/tokens.js';
import { eventually } from '../support/races/eventually.js';
import { Replica } from '../support/service/replica.js';

const PATIENCE_MS = 60_000;
const SCOPES = ['moves:read', 'moves:write'];

let server: PostgresServer;
let cable: TcpProxy;
let connected: Replica;
/** Reaches the database through the cable. */
let cutOff: Replica;
let admin: string;

beforeAll(async () => {
  server = await PostgresServer.start();
  cable = await TcpProxy.start(server.port);
  const settings = {
    AUTH_MODE: 'keys',
    POOL_ACQUIRE_TIMEOUT_MS: '500',
    REQUEST_DEADLINE_MS: '1000',
    STATEMENT_TIMEOUT_MS: '900',
    LOCK_TIMEOUT_MS: '500',
    DRAIN_DELAY_MS: '0',
  };
  connected = await Replica.start({ DATABASE_URL: server.url, ...settings });
  cutOff = await Replica.start({
    DATABASE_URL: server.url.replace(`:${server.port}/`, `:${cable.port}/`),
    ...settings,
  });
  const env = { PATH: process.env['PATH'], DATABASE_URL: server.url };
  const words = ['dist/tools/keys/main.js', 'create', '--name', 'Admin'];
  admin = spawnSync(process.execPath, words, { encoding: 'utf8', env }).stdout.trim();
});
afterAll(async () => {
  await cutOff.stop();
  await connected.stop();
  await cable.stop();
  await server.remove();
});

async function statusOf(api: Api, key: Json): Promise<number> {
  return (await api.get('/v1/moves', bearer(key.key))).status;
}

test('a replica without its database believes no key for long, ends its streams, and refuses a revoked key afterwards', async () => {
  const create = async () => (await connected.api.post('/v1/keys', { name: 'x', scopes: SCOPES }, bearer(admin))).body;
  const [revoked, kept] = [await create(), await create()];
  const { api } = cutOff;
  for (const key of [revoked, kept]) expect(await statusOf(api, key)).toBe(200);
  const streams = await Promise.all(
    [revoked, kept].map(({ key }) => RawStream.open(cutOff, '/v1/events/stream?after=now', bearer(key)).opened()),
  );
  cable.cut();
  expect((await connected.api.delete(`/v1/keys/${revoked.id}`, bearer(admin))).status).toBe(204);
  for (const key of [revoked, kept]) {
    await eventually(async () => (await statusOf(api, key)) === 503, PATIENCE_MS, 'the key is not believed');
  }
  for (const stream of streams) await stream.until(({ isComplete }) => isComplete, 'the stream ends', PATIENCE_MS);
  for (let turn = 0; turn < 5; turn += 1) expect(await statusOf(api, revoked)).toBe(503);
  expect(await statusOf(connected.api, revoked)).toBe(401);
  expect(await statusOf(connected.api, kept)).toBe(200);
  // Those that it had before it was cut off are closed, as they would be after a failover.
  cable.reset();
  cable.mend();
  await eventually(async () => (await statusOf(api, kept)) === 200, PATIENCE_MS, 'the other key works again');
  expect(await statusOf(api, revoked)).toBe(401);
});
