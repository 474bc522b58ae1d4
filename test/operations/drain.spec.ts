import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { eventually } from '../support/eventually.js';
import { PostgresServer } from '../support/postgres-server.js';
import { createShipment } from '../support/records.js';
import { Replica } from '../support/replica.js';

let server: PostgresServer;
let replica: Replica;

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterEach(() => replica.kill());
afterAll(() => server.remove());

async function startReplica(environment: Record<string, string>): Promise<void> {
  replica = await Replica.start({ DATABASE_URL: server.url, ...environment });
}

/** Locks a record from outside, so that a request for it hangs until `release`. */
async function lock(shipmentID: string): Promise<{ release: () => Promise<void> }> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [shipmentID]);
  return { release: () => client.end() };
}

function connectionOf(path: string, agent?: Agent): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(`${replica.url}${path}`, { ...(agent && { agent }) }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection });
    }).on('error', reject);
  });
}

test('ready turns 503 at once, requests are still served, and answers send their clients away', async () => {
  await startReplica({ DRAIN_DELAY_MS: '1500' });
  const agent = new Agent({ keepAlive: true });
  expect(await connectionOf('/v1/moves', agent)).toEqual({ status: 200, connection: 'keep-alive' });
  const stopped = replica.stop();
  await eventually(async () => !(await replica.isReady()), 500, 'ready is 503');
  expect(await connectionOf('/health/live')).toMatchObject({ status: 200 });
  expect(await connectionOf('/v1/moves', agent)).toEqual({ status: 200, connection: 'close' });
  expect((await replica.api.post('/v1/moves', {})).status).toBe(201);
  expect(await stopped).toBe(0);
  agent.destroy();
});

test('a request that runs is finished after the port has closed, and then the exit code is 0', async () => {
  await startReplica({ DRAIN_DELAY_MS: '100', LOCK_TIMEOUT_MS: '8000' });
  const { id, eTag } = await createShipment(replica.api);
  const { release } = await lock(id);
  const running = replica.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: 'last words' });
  await sleep(100);
  const stopped = replica.stop();
  await eventually(
    () =>
      connectionOf('/health/live').then(
        () => false,
        () => true,
      ),
    3000,
    'the port is closed',
  );
  await release();
  expect(await running).toMatchObject({ status: 200, body: { customerRemarks: 'last words' } });
  expect(await stopped).toBe(0);
});

test('a request that hangs does not hold the exit beyond SHUTDOWN_TIMEOUT_MS', async () => {
  await startReplica({ DRAIN_DELAY_MS: '100', SHUTDOWN_TIMEOUT_MS: '700', LOCK_TIMEOUT_MS: '30000' });
  const { id, eTag } = await createShipment(replica.api);
  const { release } = await lock(id);
  const hanging = replica.api.patch(`/v1/shipments/${id}`, eTag, {}).catch(() => 'cut');
  await sleep(100);
  const start = performance.now();
  expect(await replica.stop()).toBe(0);
  expect(performance.now() - start).toBeLessThan(100 + 300 + 700 + 1500);
  expect(await hanging).toBe('cut');
  await release();
});

test('a client that keeps an idle connection does not hold the exit', async () => {
  await startReplica({ DRAIN_DELAY_MS: '200', SHUTDOWN_TIMEOUT_MS: '10000' });
  const agent = new Agent({ keepAlive: true });
  await connectionOf('/v1/moves', agent);
  const start = performance.now();
  expect(await replica.stop()).toBe(0);
  expect(performance.now() - start).toBeLessThan(200 + 300 + 200 + 1500);
  agent.destroy();
});

test.each([
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGINT'],
] as const)('%s and then %s are one shutdown, which is finished in good order', async (first, second) => {
  await startReplica({ DRAIN_DELAY_MS: '1000' });
  const said = (text: string) => replica.lines.filter((line) => line.includes(text)).length;
  replica.signal(first);
  await eventually(() => said('draining') > 0, 5000, 'the shutdown begins');
  replica.signal(second);
  expect(await replica.exit).toBe(0);
  expect([said('draining'), said('Stopped')]).toEqual([1, 1]);
});

test('the exit is at once, with code 0, outside production when nothing runs', async () => {
  await startReplica({});
  const start = performance.now();
  replica.signal('SIGINT');
  expect(await replica.exit).toBe(0);
  expect(performance.now() - start).toBeLessThan(1500);
});
