import { spawn } from 'node:child_process';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { PostgresServer } from '../support/postgres-server.js';
import { Replica } from '../support/replica.js';

const PATIENCE_MS = 60_000;

let server: PostgresServer;
let replica: Replica | undefined;

beforeEach(async () => {
  server = await PostgresServer.start();
});
afterEach(async () => {
  if (replica?.isRunning === true) await replica.kill();
  await server.remove();
});

async function launch(environment: Record<string, string> = {}): Promise<Replica> {
  replica = await Replica.launch({ DATABASE_URL: server.url, DRAIN_DELAY_MS: '0', ...environment });
  return replica;
}

/** What an answer has to say while there is no database. */
async function expectWaiting(url: string): Promise<void> {
  await eventually(() => statusOf(`${url}/health/live`).then((status) => status === 200), PATIENCE_MS, 'liveness');
  for (const path of ['/health/ready', '/v1/shipments', '/openapi.json', '/no-such-path']) {
    const response = await fetch(url + path);
    expect([path, response.status]).toEqual([path, 503]);
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect(response.headers.get('Retry-After')).toBe('1');
    expect(response.headers.get('X-Request-ID')).toMatch(/./);
    expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE', instance: path });
  }
}

/** Lines are written with a delay. */
async function expectSaid({ lines }: Replica, words: RegExp): Promise<void> {
  await eventually(() => lines.some((line) => words.test(line)), PATIENCE_MS, String(words));
}

function statusOf(url: string): Promise<number | undefined> {
  return fetch(url).then(
    ({ status }) => status,
    () => undefined,
  );
}

async function migrate(): Promise<void> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: server.url };
  const child = spawn(process.execPath, ['dist/src/commands/migrate/main.js'], { env, stdio: 'inherit' });
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
}

test('waits for a database that is away, says so, and migrates and serves when it comes', async () => {
  await server.stop();
  const waiting = await launch();
  await expectWaiting(waiting.url);
  await expectSaid(waiting, /connection was refused.*waits for it and answers 503/);
  await server.startAgain();
  await waiting.untilReady();
  expect((await waiting.api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(201);
  expect(await waiting.stop()).toBe(0);
});

test('says it once, not each time that it tries', async () => {
  await server.stop();
  const waiting = await launch();
  await expectWaiting(waiting.url);
  await server.startAgain();
  await waiting.untilReady();
  expect(waiting.lines.filter((line) => line.includes('refused'))).toHaveLength(1);
});

test('with MIGRATE_ON_START=off, waits for the database and then for its migrations', async () => {
  await server.stop();
  const waiting = await launch({ MIGRATE_ON_START: 'off' });
  await expectWaiting(waiting.url);
  await server.startAgain();
  const lacks = async () => (await (await fetch(`${waiting.url}/health/ready`)).text()).includes('lacks migrations');
  await eventually(() => lacks().catch(() => false), PATIENCE_MS, 'readiness tells what is missing');
  await migrate();
  await waiting.untilReady();
  expect((await waiting.api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(201);
});

test('answers on the management port, too', async () => {
  await server.stop();
  const port = await freePort();
  const waiting = await launch({ MANAGEMENT_PORT: String(port) });
  await expectWaiting(waiting.url);
  await expectWaiting(`http://127.0.0.1:${port}`);
  await server.startAgain();
  await waiting.untilReady();
  expect(await statusOf(`${waiting.url}/health/live`)).toBe(404);
});

test('ends at SIGTERM while it waits', async () => {
  await server.stop();
  const waiting = await launch();
  await expectWaiting(waiting.url);
  expect(await waiting.stop()).toBe(0);
});

test('ends with the reason when what comes is a database that it cannot use', async () => {
  await server.sql('CREATE ROLE nobody_yet LOGIN');
  await server.stop();
  const waiting = await launch({ DATABASE_URL: server.urlOf('nowhere', 'nobody_yet') });
  await expectWaiting(waiting.url);
  await server.startAgain();
  expect(await waiting.exit).toBe(1);
  expect(waiting.lines.join('\n')).toMatch(/"nowhere" does not exist/);
});

test('waits for a standby to be promoted', async () => {
  await server.restartAsStandby();
  const waiting = await launch();
  await expectWaiting(waiting.url);
  await expectSaid(waiting, /is a standby, which takes no writes/);
  await server.sql('SELECT pg_promote()');
  await waiting.untilReady();
  expect((await waiting.api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(201);
});
