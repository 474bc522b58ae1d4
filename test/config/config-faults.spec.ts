import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VARIABLES } from '../../src/config/environment.js';
import { makeCertificate } from '../support/service/certificate.js';
import { faultsOf } from '../support/repository/config-faults.js';
import { shareOf } from '../support/repository/sweeps.js';

const folder = mkdtempSync(join(tmpdir(), 'waybill-config-'));
const { certFile } = makeCertificate(folder);
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicFile = file('public.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
const weakKey = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
const weakFile = file('weak.pem', weakKey.export({ type: 'spki', format: 'pem' }).toString());
const text = file('text.pem', 'not a key');
const empty = file('empty', '');
const missing = join(folder, 'missing');
const jwt = { AUTH_MODE: 'jwt', JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'waybill' };
const proxied = { AUTH_MODE: 'proxy', AUTH_PROXY_SUBJECT_HEADER: 'X-Forwarded-User', TRUSTED_PROXIES: '10.0.0.1' };
const production = { NODE_ENV: 'production', DATABASE_URL: 'embedded', JWT_ISSUER: 'https://depot.internal' };

/** Each setting is wrong in one way; the words are what an operator needs to mend it. */
const BAD: [Record<string, string>, RegExp][] = [
  [{ TRUSTED_PROXIES: 'true' }, /^TRUSTED_PROXIES is a comma-separated list; each item must be .*10\.0\.0\.0\/8/],
  [{ TRUSTED_PROXIES: '1' }, /^TRUSTED_PROXIES .*each item must be an IP address/],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES .*each item must be/],
  [{ TRUSTED_PROXIES: '::1/129' }, /^TRUSTED_PROXIES .*each item must be/],
  [{ TRUSTED_PROXIES: '10.0.0.1, proxy.example.com' }, /^TRUSTED_PROXIES .*each item must be/],
  [{ TRUSTED_PROXIES: '10.0.0.256' }, /^TRUSTED_PROXIES .*each item must be/],
  [{ TRUSTED_PROXIES: '10.0.0.0/' }, /^TRUSTED_PROXIES .*each item must be/],
  [
    { CORS_ORIGINS: 'https://app.example/' },
    /^CORS_ORIGINS .*remove the trailing slash from https:\/\/app\.example\/,/,
  ],
  [{ CORS_ORIGINS: 'https://app.example/path' }, /^CORS_ORIGINS .*write https:\/\/app\.example instead of/],
  [{ CORS_ORIGINS: 'https://App.example' }, /^CORS_ORIGINS .*write https:\/\/app\.example instead of/],
  [{ CORS_ORIGINS: 'https://app.example:443' }, /^CORS_ORIGINS .*write https:\/\/app\.example instead of/],
  [{ CORS_ORIGINS: 'https://ok.example, app.example' }, /^CORS_ORIGINS .*with its scheme/],
  [{ CORS_ORIGINS: 'localhost:3001' }, /^CORS_ORIGINS .*with its scheme/],
  [{ CORS_ORIGINS: '*' }, /^CORS_ORIGINS .*with its scheme/],
  [{ CORS_ORIGINS: 'null' }, /^CORS_ORIGINS .*with its scheme/],
  [{ PUBLIC_URL: 'https://api.example/?tenant=1' }, /^PUBLIC_URL .*without a query/],
  [{ PUBLIC_URL: 'https://api.example#top' }, /^PUBLIC_URL .*without a query or fragment/],
  [{ PUBLIC_URL: 'https://me:word@api.example' }, /^PUBLIC_URL .*without a user name or password/],
  [{ PUBLIC_URL: 'https://' }, /^PUBLIC_URL must be a URL/],
  [{ PUBLIC_URL: 'https://a b' }, /^PUBLIC_URL must be a URL/],
  [{ ...jwt, JWT_JWKS_URL: 'https://:80/' }, /^JWT_JWKS_URL must be a URL/],
  [{ ...jwt, JWT_JWKS_URL: 'issuer.example/jwks' }, /^JWT_JWKS_URL must be a URL/],
  [
    { ...jwt, ...production, JWT_JWKS_URL: 'http://keys.depot.internal/jwks' },
    /^JWT_JWKS_URL must begin with https:\/\/ in production/,
  ],
  [
    { ...jwt, JWT_PUBLIC_KEY_FILE: weakFile },
    /^JWT_PUBLIC_KEY_FILE must not name an RSA key with fewer than 2048 bits/,
  ],
  [{ ...jwt, JWT_PUBLIC_KEY_FILE: missing }, /^JWT_PUBLIC_KEY_FILE .*missing \(no such file\)/],
  [{ ...jwt, JWT_PUBLIC_KEY_FILE: folder }, /^JWT_PUBLIC_KEY_FILE .*\(is a directory\)/],
  [{ ...jwt, JWT_PUBLIC_KEY_FILE: text }, /^JWT_PUBLIC_KEY_FILE must name a PEM file with a public key/],
  [{ ...jwt, JWT_PUBLIC_KEY_FILE: empty }, /^JWT_PUBLIC_KEY_FILE must name a PEM file with a public key/],
  [
    { ...jwt, NODE_ENV: 'production', DATABASE_URL: 'embedded', JWT_PUBLIC_KEY_FILE: publicFile },
    /^JWT_ISSUER still names a host that is reserved for examples: issuer\.example$/,
  ],
  // Lists of modes: misspelled, half configured, and with a variable that was lost.
  [{ AUTH_MODE: 'jwt keys' }, /^AUTH_MODE .*each item must be one of off, jwt, keys, proxy/],
  [{ AUTH_MODE: 'keys,' }, /^AUTH_MODE .*each item must be/],
  [{ AUTH_MODE: 'key' }, /^AUTH_MODE .*each item must be/],
  [{ AUTH_MODE: 'Keys' }, /^AUTH_MODE .*each item must be/],
  [{ AUTH_MODE: 'none' }, /^AUTH_MODE .*each item must be/],
  [{ AUTH_MODE: 'off,keys' }, /^AUTH_MODE must not combine off with another mode/],
  [{ ...production, AUTH_MODE: '' }, /^AUTH_MODE must be set in production: one or more of jwt, keys and proxy/],
  [
    { ...jwt, AUTH_MODE: 'jwt,keys', JWT_ISSUER: '', JWT_PUBLIC_KEY_FILE: publicFile },
    /^JWT_ISSUER must be set with AUTH_MODE=jwt$/,
  ],
  [
    { ...jwt, AUTH_MODE: 'keys,jwt', JWT_AUDIENCE: '', JWT_PUBLIC_KEY_FILE: publicFile },
    /^JWT_AUDIENCE must be set with AUTH_MODE=jwt$/,
  ],
  [{ ...jwt, AUTH_MODE: 'jwt,keys' }, /^Exactly one of JWT_JWKS_URL and JWT_PUBLIC_KEY_FILE must be set/],
  [{ AUTH_MODE: 'keys', CONSOLE_CLIENT_ID: 'console' }, /^CONSOLE_CLIENT_ID requires AUTH_MODE=jwt/],
  [{ ...proxied, AUTH_PROXY_SUBJECT_HEADER: '' }, /^AUTH_PROXY_SUBJECT_HEADER must be set with AUTH_MODE=proxy$/],
  [{ ...proxied, AUTH_MODE: 'keys,proxy', TRUSTED_PROXIES: '' }, /^TRUSTED_PROXIES must name the authenticating proxy/],
  [{ ...proxied, TRUSTED_PROXIES: '10.0.0.1, 0.0.0.0/0' }, /^TRUSTED_PROXIES .*each item must be/],
  [{ ...proxied, AUTH_PROXY_SUBJECT_HEADER: 'X User' }, /^AUTH_PROXY_SUBJECT_HEADER must be the name of a header/],
  [{ ...proxied, AUTH_PROXY_SUBJECT_HEADER: 'Authorization' }, /^AUTH_PROXY_SUBJECT_HEADER .*without credentials/],
  [{ ...proxied, AUTH_PROXY_NAME_HEADER: 'cookie' }, /^AUTH_PROXY_NAME_HEADER .*without credentials/],
  [{ ...proxied, AUTH_PROXY_SCOPES_HEADER: 'X_Groups' }, /^AUTH_PROXY_SCOPES_HEADER must be the name of a header/],
  [{ NODE_ENV: 'production', AUTH_MODE: 'off', DATABASE_URL: '' }, /^DATABASE_URL must be set in production/],
  [
    { ...production, AUTH_MODE: 'off', PUBLIC_URL: 'https://api.example.com' },
    /^PUBLIC_URL still names .*api\.example\.com$/,
  ],
  [
    { ...production, AUTH_MODE: 'off', CORS_ORIGINS: 'https://depot.internal, https://app.example.org' },
    /^CORS_ORIGINS still names .*app\.example\.org$/,
  ],
  [
    { ...production, AUTH_MODE: 'off', DATABASE_URL: 'postgresql://me:hunter2@db.example.net/x' },
    /^DATABASE_URL still names .*db\.example\.net$/,
  ],
  [
    { ...jwt, JWT_ISSUER: 'depot', JWT_PUBLIC_KEY_FILE: publicFile, CONSOLE_CLIENT_ID: 'console' },
    /^CONSOLE_CLIENT_ID requires AUTH_MODE=jwt and a JWT_ISSUER that is a URL/,
  ],
  [{ DATABASE_URL: 'postgres://me:pa#ss@db.example/waybill' }, /^DATABASE_URL must be .*percent-encode/],
  [{ DATABASE_URL: `postgres://db/x?sslrootcert=${missing}` }, /^DATABASE_URL must be .*missing cannot be read/],
  [{ DATABASE_URL: 'postgres://db/x?sslmode=no-verify' }, /^DATABASE_URL is invalid: .*sslmode must be one of disable/],
  [{ DATABASE_URL: 'postgres://db/x?sslmode=verify-ca' }, /^DATABASE_URL is invalid: .*set DATABASE_CA_FILE/],
  [
    { DATABASE_URL: 'postgres://db/x?sslmode=require&sslrootcert=system' },
    /^DATABASE_URL is invalid: .*sslrootcert=system requires sslmode=verify-full/,
  ],
  [
    { DATABASE_URL: 'postgres://db/x?sslmode=prefer', DATABASE_CA_FILE: certFile },
    /^DATABASE_URL is invalid: .*sslmode=prefer does not verify the server/,
  ],
  [{ TLS_CERT_FILE: certFile }, /^TLS_CERT_FILE is no longer supported: terminate TLS at the load balancer$/],
  [
    { LOCK_TIMEOUT_MS: '10000', STATEMENT_TIMEOUT_MS: '10000' },
    /^LOCK_TIMEOUT_MS \(10000\) must be less than STATEMENT_TIMEOUT_MS \(10000\)/,
  ],
  [
    { STATEMENT_TIMEOUT_MS: '15000' },
    /^STATEMENT_TIMEOUT_MS \(15000\) must be less than REQUEST_DEADLINE_MS \(15000\)/,
  ],
  [
    { ...production, AUTH_MODE: 'off', POOL_ACQUIRE_TIMEOUT_MS: '10000' },
    /^POOL_ACQUIRE_TIMEOUT_MS \+ REQUEST_DEADLINE_MS .*\(30000\) must be less than LOAD_BALANCER_TIMEOUT_MS \(30000\)/,
  ],
  [
    { ...production, AUTH_MODE: 'off', DRAIN_DELAY_MS: '9000' },
    /^DRAIN_DELAY_MS \+ SHUTDOWN_TIMEOUT_MS .*\(30000\) must be less than STOP_GRACE_PERIOD_MS \(30000\)/,
  ],
  [{ DATABASE_CA_FILE: missing }, /^DATABASE_CA_FILE .*missing \(no such file\)/],
  [{ DATABASE_CA_FILE: text }, /^DATABASE_CA_FILE must name a PEM file with CA certificates/],
  [{ DATABASE_URL_FILE: missing }, /^DATABASE_URL_FILE .*missing \(no such file\)/],
  [{ DATABASE_URL_FILE: folder }, /^DATABASE_URL_FILE .*\(is a directory\)/],
  [{ DATABASE_URL_FILE: empty }, /^DATABASE_URL_FILE names an empty file/],
  [{ DATABASE_URL_FILE: file('lines', 'postgres://a/b\n\n') }, /^DATABASE_URL must be a URL/],
  [{ DATABASE_URL: 'postgres://a/b', DATABASE_URL_FILE: missing }, /^DATABASE_URL and DATABASE_URL_FILE must not both/],
];

/** Neighbours of the above that are right. */
const GOOD: Record<string, string>[] = [
  { TRUSTED_PROXIES: '10.0.0.1, 10.0.0.0/8, ::1, fd00::/8, loopback, linklocal, uniquelocal, ::ffff:10.0.0.1' },
  { CORS_ORIGINS: 'https://app.example, http://localhost:3001, http://[::1]:8080, chrome-extension://abcdef' },
  { PUBLIC_URL: 'https://api.example:8443/base/' },
  { ...jwt, JWT_JWKS_URL: 'https://issuer.example/keys?policy=one' },
  { ...jwt, JWT_JWKS_URL: 'http://localhost:8080/keys' },
  { ...jwt, ...production, JWT_JWKS_URL: 'https://keys.depot.internal/keys' },
  { ...jwt, JWT_PUBLIC_KEY_FILE: publicFile },
  { ...jwt, AUTH_MODE: 'jwt,keys', JWT_PUBLIC_KEY_FILE: publicFile },
  { ...production, AUTH_MODE: 'keys' },
  { AUTH_MODE: 'keys, keys' },
  { ...production, ...proxied },
  { ...jwt, ...proxied, AUTH_MODE: 'jwt,keys,proxy', JWT_PUBLIC_KEY_FILE: publicFile },
  // Of a mode that is not on any more.
  { ...jwt, AUTH_MODE: 'keys' },
  { ...proxied, AUTH_MODE: 'keys' },
  {
    ...production,
    AUTH_MODE: 'off',
    PUBLIC_URL: 'https://example.company',
    DATABASE_URL: 'postgres://myexample.com/x',
  },
  { LOCK_TIMEOUT_MS: '9999', STATEMENT_TIMEOUT_MS: '10000', REQUEST_DEADLINE_MS: '10001' },
  { ...production, AUTH_MODE: 'off', POOL_ACQUIRE_TIMEOUT_MS: '9999', DRAIN_DELAY_MS: '8999' },
  // No load balancer and no orchestrator is in front of a development service.
  { LOAD_BALANCER_TIMEOUT_MS: '1000', STOP_GRACE_PERIOD_MS: '1000' },
  { TLS_CERT_FILE: '', TLS_KEY_FILE: '' },
  { JWT_PUBLIC_KEY_FILE: weakFile },
  { JWT_PUBLIC_KEY_FILE: missing },
  { DATABASE_URL: 'postgres:///waybill?host=/run/postgresql' },
  { DATABASE_URL: 'postgres://db/x', DATABASE_CA_FILE: certFile },
  { DATABASE_URL: 'postgres://db/x?sslmode=verify-ca', DATABASE_CA_FILE: certFile },
  { DATABASE_URL: `postgres://db/x?sslmode=verify-ca&sslrootcert=${certFile}` },
  { DATABASE_URL: 'postgres://db/x?sslmode=verify-full&sslrootcert=system' },
  { DATABASE_URL: 'postgres:///waybill?host=/run/postgresql&sslmode=verify-ca' },
  { DATABASE_URL_FILE: file('unix', 'postgres://a/b\n') },
  { DATABASE_URL_FILE: file('windows', 'postgres://a/b\r\n') },
];

test.each(BAD)('one sentence for %o', (environment, words) => {
  const faults = faultsOf(environment);
  expect(faults).toEqual([expect.stringMatching(words)]);
  expect(faults[0]).not.toMatch(/\n|\bat .*:\d+:\d+/);
});

test.each(GOOD)('no fault in %o', (environment) => {
  expect(faultsOf(environment)).toEqual([]);
});

test('all faults are named at once, whatever their kind', () => {
  const environment = {
    NODE_ENV: 'production',
    PORT: 'http',
    AUTH_MODE: 'jwt',
    JWT_PUBLIC_KEY_FILE: missing,
    CORS_ORIGINS: 'https://app.example/',
    TRUSTED_PROXIES: 'true',
    DATABASE_URL_FILE: missing,
    DATABASE_CA_FILE: text,
  };
  const faults = faultsOf(environment).join('\n');
  const named = ['PORT', 'JWT_ISSUER', 'JWT_AUDIENCE', ...Object.keys(environment).slice(3)];
  for (const name of named) expect(faults).toContain(name);
});

test('all timeouts that end in the wrong order are named at once', () => {
  const inverted = { LOCK_TIMEOUT_MS: '4', STATEMENT_TIMEOUT_MS: '3', REQUEST_DEADLINE_MS: '2' };
  const outer = { LOAD_BALANCER_TIMEOUT_MS: '1', STOP_GRACE_PERIOD_MS: '1' };
  const faults = faultsOf({ ...production, AUTH_MODE: 'off', ...inverted, ...outer });
  const named = ['LOCK_TIMEOUT_MS', 'STATEMENT_TIMEOUT_MS', 'POOL_ACQUIRE_TIMEOUT_MS', 'DRAIN_DELAY_MS'];
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual(named);
});

/** Pairs of the bad settings above that are about different variables, all of them in the sweeps; a secret, its file and what it is used with are one. */
test('a fault hides no other one', () => {
  const bad = BAD.map(([environment]) => ({ environment, alone: faultsOf(environment) }));
  for (const [index, { environment: first, alone }] of bad.entries()) {
    for (const { environment: second, alone: other } of shareOf(bad.slice(index + 1), index, 4)) {
      const [ours, theirs] = [first, second].map((one) =>
        Object.keys(one).map((name) => name.replace(/(URL|CA)_FILE/, 'URL')),
      );
      if (ours?.some((name) => theirs?.includes(name))) continue;
      const together = faultsOf({ ...first, ...second });
      expect(together.length).toBeGreaterThanOrEqual(2);
      expect(together).toEqual(expect.arrayContaining([...alone, ...other]));
    }
  }
});

test('a variable that cannot be read is named once, not again for what it would have meant', () => {
  expect(faultsOf({ NODE_ENV: 'production', DATABASE_URL: 'embedded', AUTH_MODE: 'jtw' })).toEqual([
    expect.stringMatching(/^AUTH_MODE /),
  ]);
  expect(faultsOf({ ...jwt, JWT_JWKS_URL: 'nowhere' })).toEqual([expect.stringMatching(/^JWT_JWKS_URL /)]);
});

describe('a secret', () => {
  test.each(['DATABASE_URL', 'DATABASE_URL_FILE'])(
    'of %s is not repeated in a fault, not even one without user',
    (name) => {
      for (const value of ['hunter2', 'mysql://me:hunter2@db.example/x', 'postgres://a:hunter2#@b/c']) {
        const written = name.endsWith('_FILE') ? file('secret', value) : value;
        expect(faultsOf({ [name]: written })).toEqual([expect.not.stringContaining('hunter2')]);
      }
    },
  );

  test('can come from a file, whichever variable holds it', () => {
    const urls = VARIABLES.filter((name) => VARIABLES.includes(`${name}_FILE`));
    expect(urls).toEqual(['DATABASE_URL']);
  });
});
