// Not through PgBouncer: it starts programs and services on a database of its own.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/read-config.js';
import { warningsOf } from '../../src/config/cross-checks.js';
import { listeningAddress } from '../../src/server/listen.js';
import { eventually } from '../support/races/eventually.js';
import { freePort } from '../support/http/free-port.js';
import { Replica } from '../support/service/replica.js';
import { createTestDatabase, POOLER_ENVIRONMENT } from '../support/database/test-database.js';

const folder = mkdtempSync(join(tmpdir(), 'waybill-listening-'));
const KEY_FILE = join(folder, 'public.pem');
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
writeFileSync(KEY_FILE, publicKey.export({ type: 'spki', format: 'pem' }));
afterAll(() => rmSync(folder, { recursive: true }));

const JWT = { AUTH_MODE: 'jwt', JWT_ISSUER: 'i', JWT_AUDIENCE: 'a', JWT_PUBLIC_KEY_FILE: KEY_FILE };
const OFF = { AUTH_MODE: 'off' };
const PRODUCTION = { NODE_ENV: 'production', DATABASE_URL: 'embedded' };

test.each([
  [{}, '127.0.0.1'],
  [OFF, '127.0.0.1'],
  [{ ...OFF, NODE_ENV: 'test' }, '127.0.0.1'],
  [{ HOST: '::1' }, '::1'],
  [{ HOST: '192.0.2.7', ...OFF }, '192.0.2.7'],
  [JWT, '0.0.0.0'],
  [{ ...JWT, HOST: '' }, '0.0.0.0'],
  [{ ...JWT, HOST: '127.0.0.1' }, '127.0.0.1'],
  [{ ...JWT, ...PRODUCTION }, '0.0.0.0'],
  [{ ...OFF, ...PRODUCTION }, '0.0.0.0'],
])('with %j the service listens on %s', (environment, host) => {
  expect(readConfig(environment).HOST).toBe(host);
});

test.each([
  [{}, 'http://127.0.0.1:3000', 0],
  [{}, 'http://127.8.0.1:3000', 0],
  [{}, 'http://[::1]:3000', 0],
  [{}, 'http://0.0.0.0:3000', 1],
  [{}, 'http://[::]:3000', 1],
  [OFF, 'http://192.0.2.7:80', 1],
  [{ ...OFF, ...PRODUCTION }, 'http://127.0.0.1:3000', 1],
  [JWT, 'http://0.0.0.0:3000', 0],
])('with %j on %s the service warns %d times', (environment, address, warnings) => {
  expect(warningsOf(readConfig(environment), address)).toEqual(
    Array(warnings).fill(expect.stringContaining(`AUTH_MODE is off and the service listens on ${address}: anyone`)),
  );
});

test('an authenticating proxy that sends no scopes is worth a warning, as everybody may then do everything', () => {
  const proxied = { AUTH_MODE: 'jwt,proxy', AUTH_PROXY_SUBJECT_HEADER: 'X-User', TRUSTED_PROXIES: '10.0.0.1' };
  const warnings = (more: Record<string, string>) =>
    warningsOf(readConfig({ ...JWT, ...proxied, ...more }), 'http://0.0.0.0:3000');
  expect(warnings({})).toEqual([expect.stringContaining('AUTH_PROXY_SCOPES_HEADER is not set: everybody')]);
  expect(warnings({ AUTH_PROXY_SCOPES_HEADER: 'X-Groups' })).toEqual([]);
});

test.each([
  [{}, 0],
  [{ DRAIN_DELAY_MS: '700' }, 700],
  [{ ...PRODUCTION, ...OFF }, 5000],
  [{ ...PRODUCTION, ...OFF, DRAIN_DELAY_MS: '0' }, 0],
])('with %j the service drains for %d ms', (environment, ms) => {
  expect(readConfig(environment).DRAIN_DELAY_MS).toBe(ms);
});

test.each([
  ['0.0.0.0', /^http:\/\/0\.0\.0\.0:\d+$/],
  ['localhost', /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/],
  ['::', /^http:\/\/\[::\]:\d+$/],
])('a server that listens on %s has the address %s', async (host, address) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  expect(listeningAddress(server)).toMatch(address);
  server.close();
});

describe('the process', () => {
  // Linux answers on all of 127.0.0.0/8, so a second address shows which interface is bound without leaving the machine.
  const testOnLinux = process.platform === 'linux' ? test : test.skip;
  testOnLinux('listens on HOST alone, which it says, and warns that production has no authentication', async () => {
    const database = await createTestDatabase();
    const management = await freePort();
    const replica = await Replica.start({
      ...{ ...PRODUCTION, ...OFF, HOST: '127.0.0.1', MANAGEMENT_PORT: String(management) },
      ...{ DATABASE_URL: database.serviceUrl, ...POOLER_ENVIRONMENT },
    });
    const warned = () => replica.lines.filter((line) => /"level":40.*AUTH_MODE is off/.test(line));
    expect(await accepts('127.0.0.1', replica.port)).toBe(true);
    expect(await accepts('127.0.0.2', replica.port)).toBe(false);
    const says = (words: string) => replica.lines.some((line) => line.includes(`"${words}"`));
    await eventually(() => says(`Health and metrics on http://127.0.0.1:${management}`), 20_000, 'what it says');
    expect(says(`Listening on http://127.0.0.1:${replica.port}`)).toBe(true);
    await eventually(() => warned().length === 1, 20_000, 'the warning is in the log');
    await replica.kill();
    await database.drop();
  });
});

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
