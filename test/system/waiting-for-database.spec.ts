import { spawn } from 'node:child_process';
import { eventually } from '../support/races/eventually.js';
import { freePort } from '../support/http/free-port.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { Replica } from '../support/service/replica.js';

const PATIENCE_MS = 60_000;

/** Of the service that waits with MIGRATE_ON_START=off. */
const UNMIGRATED = 'unmigrated';

let server: PostgresServer;
const replicas: Replica[] = [];

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(async () => {
  for (const replica of replicas.filter(({ isRunning }) => isRunning)) await replica.kill();
  await server.remove();
});

async function launch(environment: Record<string, string> = {}): Promise<Replica> {
  const replica = await Replica.launch({ DATABASE_URL: server.url, DRAIN_DELAY_MS: '0', ...environment });
  replicas.push(replica);
  return replica;
}

/** Checks the responses while there is no database. */
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
  const env = { PATH: process.env['PATH'], DATABASE_URL: server.urlOf(UNMIGRATED) };
  const child = spawn(process.execPath, ['dist/tools/migrate/main.js'], { env, stdio: 'inherit' });
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
}

async function expectServing({ api }: Replica): Promise<void> {
  expect((await api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(201);
}

describe('while the database is away', () => {
  let managementPort: number;
  let waiting: Replica;
  let withoutMigrations: Replica;
  let managed: Replica;
  let ending: Replica;
  let misled: Replica;

  beforeAll(async () => {
    await server.sql('CREATE ROLE nobody_yet LOGIN');
    await server.sql(`CREATE DATABASE ${UNMIGRATED}`);
    await server.stop();
    managementPort = await freePort();
    [waiting, withoutMigrations, managed, ending, misled] = await Promise.all([
      launch(),
      launch({ DATABASE_URL: server.urlOf(UNMIGRATED), MIGRATE_ON_START: 'off' }),
      launch({ MANAGEMENT_PORT: String(managementPort) }),
      launch(),
      launch({ DATABASE_URL: server.urlOf('nowhere', 'nobody_yet') }),
    ]);
  });

  test('a service waits for it, and says so', async () => {
    await expectWaiting(waiting.url);
    await expectSaid(waiting, /connection was refused.*Waiting for the database; requests get 503/);
  });

  test('it answers on the management port, too', async () => {
    await expectWaiting(managed.url);
    await expectWaiting(`http://127.0.0.1:${managementPort}`);
  });

  test('it ends at SIGTERM', async () => {
    await expectWaiting(ending.url);
    expect(await ending.stop()).toBe(0);
  });

  describe('and when it comes', () => {
    beforeAll(async () => {
      for (const { url } of [withoutMigrations, misled]) await expectWaiting(url);
      await server.startAgain();
    });

    test('the service migrates and serves, and has said once, not at each try, what it waits for', async () => {
      await waiting.untilReady();
      await expectServing(waiting);
      expect(waiting.lines.filter((line) => line.includes('refused'))).toHaveLength(1);
      expect(await waiting.stop()).toBe(0);
    });

    test('with MIGRATE_ON_START=off, it then waits for the migrations', async () => {
      const ready = `${withoutMigrations.url}/health/ready`;
      const lacks = async () => (await (await fetch(ready)).text()).includes('lacks migrations');
      await eventually(() => lacks().catch(() => false), PATIENCE_MS, 'readiness shows what is missing');
      await migrate();
      await withoutMigrations.untilReady();
      await expectServing(withoutMigrations);
    });

    test('health is on the management port alone', async () => {
      await managed.untilReady();
      expect(await statusOf(`${managed.url}/health/live`)).toBe(404);
    });

    test('a service that cannot use it ends with the reason', async () => {
      expect(await misled.exit).toBe(1);
      expect(misled.lines.join('\n')).toMatch(/"nowhere" does not exist/);
    });
  });
});

test('a service waits for a standby to be promoted', async () => {
  await server.restartAsStandby();
  const waiting = await launch();
  await expectWaiting(waiting.url);
  await expectSaid(waiting, /is a standby, which is read-only/);
  await server.sql('SELECT pg_promote()');
  await waiting.untilReady();
  await expectServing(waiting);
});
