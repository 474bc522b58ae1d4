import { Agent, get } from 'node:http';
import { readConfig } from '../../src/config/read-config.js';
import { untilBlocked } from '../support/database/activity.js';
import type { Answer, Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { freePort } from '../support/http/free-port.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { createShipment } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { Replica } from '../support/service/replica.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/** A shutdown that waits for what it must not wait for lasts longer than this; one that does not, far shorter. */
const FOR_EVER_MS = 60_000;
const PATIENT = timeoutsWithin(FOR_EVER_MS);

let database: TestDatabase;
let replica: Replica;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => replica.kill());
afterAll(() => database.drop());

async function startReplica(environment: Record<string, string>): Promise<void> {
  replica = await Replica.start({ DATABASE_URL: database.url, ...environment });
}

/** A request that hangs until `release`, because its record is locked from outside. */
async function hangingRequest(): Promise<{ answer: Promise<Answer<Json> | 'cut'>; release: () => Promise<void> }> {
  const { id, eTag } = await createShipment(replica.api);
  const client = await connect(database.url);
  await client.query('BEGIN');
  await client.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [id]);
  const changed = replica.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: 'last words' });
  const answer = changed.catch(() => 'cut' as const);
  await untilBlocked(client);
  return { answer, release: () => client.end() };
}

/** How long it takes to stop. */
async function msUntilStopped(signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
  const start = performance.now();
  replica.signal(signal);
  expect(await replica.exit).toBe(0);
  return performance.now() - start;
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
  await startReplica({ DRAIN_DELAY_MS: String(FOR_EVER_MS) });
  const agent = new Agent({ keepAlive: true });
  expect(await connectionOf('/v1/moves', agent)).toEqual({ status: 200, connection: 'keep-alive' });
  replica.signal('SIGTERM');
  await eventually(async () => (await replica.readiness()) === 503, FOR_EVER_MS / 2, 'ready is 503');
  expect(await connectionOf('/health/live')).toMatchObject({ status: 200 });
  expect(await connectionOf('/v1/moves', agent)).toEqual({ status: 200, connection: 'close' });
  expect((await replica.api.post('/v1/moves', {})).status).toBe(201);
  agent.destroy();
});

test('a request that runs is finished after the port has closed, and then the exit code is 0', async () => {
  await startReplica({ DRAIN_DELAY_MS: '100', SHUTDOWN_TIMEOUT_MS: String(FOR_EVER_MS), ...PATIENT });
  const { answer, release } = await hangingRequest();
  const stopped = replica.stop();
  await eventually(
    () =>
      connectionOf('/health/live').then(
        () => false,
        () => true,
      ),
    FOR_EVER_MS / 2,
    'the port is closed',
  );
  await release();
  const start = performance.now();
  expect(await answer).toMatchObject({ status: 200, body: { customerRemarks: 'last words' } });
  expect(await stopped).toBe(0);
  // The client keeps its connection, which nobody waits for any longer.
  expect(performance.now() - start).toBeLessThan(FOR_EVER_MS / 2);
});

test('a request that hangs does not hold the exit beyond SHUTDOWN_TIMEOUT_MS', async () => {
  await startReplica({ DRAIN_DELAY_MS: '100', SHUTDOWN_TIMEOUT_MS: '700', ...PATIENT });
  const { answer, release } = await hangingRequest();
  expect(await msUntilStopped()).toBeLessThan(FOR_EVER_MS / 2);
  expect(await answer).toBe('cut');
  await release();
});

test('a client that keeps an idle connection does not hold the exit', async () => {
  await startReplica({ DRAIN_DELAY_MS: '200', SHUTDOWN_TIMEOUT_MS: String(FOR_EVER_MS) });
  const agent = new Agent({ keepAlive: true });
  await connectionOf('/v1/moves', agent);
  expect(await msUntilStopped()).toBeLessThan(FOR_EVER_MS / 2);
  agent.destroy();
});

const SIGNALS = [
  ['SIGTERM', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
] as const;

test.each(shareOf(SIGNALS, 0, 2))(
  '%s and then %s are one shutdown, which is finished in good order',
  async (first, second) => {
    const management = { MANAGEMENT_PORT: String(await freePort()) };
    await startReplica({ SHUTDOWN_TIMEOUT_MS: String(FOR_EVER_MS), ...management, ...PATIENT });
    const said = (text: string) => replica.lines.filter((line) => line.includes(text)).length;
    // The shutdown waits for this one, so it still lasts when the second signal comes.
    const { answer, release } = await hangingRequest();
    replica.signal(first);
    await eventually(() => said('draining') > 0, FOR_EVER_MS / 2, 'the shutdown begins');
    replica.signal(second);
    // A process that answers has received the signal that was sent before.
    expect(await replica.readiness()).toBe(503);
    await release();
    expect(await answer).toMatchObject({ status: 200 });
    expect(await replica.exit).toBe(0);
    expect([said('draining'), said('Stopped')]).toEqual([1, 1]);
  },
);

test('the exit is at once, with code 0, outside production when nothing runs', async () => {
  await startReplica({});
  const { DRAIN_DELAY_MS } = readConfig({ NODE_ENV: 'production', DATABASE_URL: 'embedded', AUTH_MODE: 'off' });
  expect(await msUntilStopped('SIGINT')).toBeLessThan(DRAIN_DELAY_MS);
});
