import { eventually } from '../support/races/eventually.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { connect } from '../support/database/test-database.js';
import { Replica } from '../support/service/replica.js';
import { timeoutsWithin } from '../support/service/timeouts.js';
import { TcpProxy } from '../support/http/tcp-proxy.js';

const PATIENCE_MS = 60_000;
const POOL_SIZE = 4;
const SHIPMENT = { shipmentType: 'HHG' };

/** The address of the primary for clients, which leads elsewhere after a failover. */
let address: TcpProxy;
let former: PostgresServer;
let primary: PostgresServer;
let replica: Replica;

beforeAll(async () => {
  [former, primary] = [await PostgresServer.start(), await PostgresServer.start()];
  address = await TcpProxy.start(primary.port);
  const environment = {
    DATABASE_URL: primary.url.replace(`:${primary.port}/`, `:${address.port}/`),
    POOL_SIZE: String(POOL_SIZE),
    ...timeoutsWithin(4000),
    POOL_ACQUIRE_TIMEOUT_MS: '1000',
    DRAIN_DELAY_MS: '0',
  };
  // Both have the schema.
  await (await Replica.start(environment)).stop();
  address.leadTo(former.port);
  replica = await Replica.start(environment);
});
afterAll(async () => {
  expect(await replica.stop()).toBe(0);
  await address.stop();
  await former.remove();
  await primary.remove();
});

/** Opens every connection of the pool: as many requests at a time as it has, all of which wait for a lock. */
async function fillPool(server: PostgresServer): Promise<void> {
  const holder = await connect(server.url);
  await holder.query('BEGIN; LOCK TABLE shipments IN EXCLUSIVE MODE');
  const asked = Array.from({ length: POOL_SIZE }, () => replica.api.post('/v1/shipments', SHIPMENT));
  const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'shipments'::regclass`;
  await eventually(async () => (await server.sql(waiting)).length === POOL_SIZE, PATIENCE_MS, 'all connections wait');
  await holder.query('COMMIT');
  for (const { status } of await Promise.all(asked)) expect(status).toBe(201);
  await holder.end();
}

async function post(times: number): Promise<number[]> {
  const answers = [];
  for (let each = 0; each < times; each += 1) answers.push((await replica.api.post('/v1/shipments', SHIPMENT)).status);
  return answers;
}

async function count(server: PostgresServer): Promise<number> {
  const [row] = await server.sql<{ count: number }>('SELECT count(*)::int AS count FROM shipments');
  return row?.count ?? 0;
}

async function setReadOnly(server: PostgresServer, state: 'on' | 'off'): Promise<void> {
  await server.sql(`ALTER SYSTEM SET default_transaction_read_only = ${state}`);
  await server.sql('SELECT pg_reload_conf()');
}

test('one refused write, and no connection to a server that has become read-only is used again', async () => {
  address.leadTo(former.port);
  await fillPool(former);
  address.leadTo(primary.port);
  await setReadOnly(former, 'on');
  // Its processes read the new setting one after the other.
  await eventually(
    async () => {
      const { status, headers } = await replica.api.post('/v1/shipments', SHIPMENT);
      if (status === 503) expect(headers.get('Retry-After')).toBe('1');
      return status === 503;
    },
    PATIENCE_MS,
    'a write is refused',
  );
  const there = await count(former);
  expect(await post(8)).toEqual(Array(8).fill(201));
  expect(await count(former)).toBe(there);
  const { body } = await replica.api.get<object[]>('/v1/shipments');
  expect(body).toHaveLength(await count(primary));
  await setReadOnly(former, 'off');
});

test('one request waits for its deadline, and the others find the new primary, when the former one falls silent', async () => {
  address.leadTo(former.port);
  await primary.sql(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'waybill%'`,
  );
  await eventually(
    async () => (await replica.api.get('/v1/shipments')).status === 200,
    PATIENCE_MS,
    'the service reads',
  );
  await fillPool(former);
  await former.freeze();
  address.leadTo(primary.port);
  expect(await post(8)).toEqual([503, ...Array<number>(7).fill(201)]);
  await former.thaw();
});
