import { createHmac } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportSPKI, importJWK, type CryptoKey } from 'jose';
import { TokenVerifier } from '../../src/auth/token-verifier.js';
import { readConfig } from '../../src/config/read-config.js';
import { expectProblem } from '../support/http/problem.js';
import { faultsOf } from '../support/repository/config-faults.js';
import { readAnswer, sendRaw } from '../support/http/raw-http.js';
import { startService, type TestService } from '../support/service/service.js';
import {
  bearer,
  jwtEnvironment,
  KeySetServer,
  newKey,
  signToken,
  useSecuredService,
  type Claims,
} from '../support/http/tokens.js';

const SCOPE = 'moves:read moves:write';

const { service, key } = useSecuredService();

async function getWith(token: string, { api }: TestService = service) {
  return api.get('/v1/moves', bearer(token));
}

function unsigned(header: object, payload: object): string {
  return [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

test('200 with a good token, whose subject is written into history, and no name without JWT_NAME_CLAIM', async () => {
  const token = await signToken(key, { scope: SCOPE, claims: { name: 'Ann Porter' } });
  expect((await getWith(token)).status).toBe(200);
  const { body: move } = await service.api.post('/v1/moves', {}, bearer(token));
  const { body: entries } = await service.api.get(`/v1/moves/${move.id}/history`, bearer(token));
  expect(entries).toMatchObject([{ type: 'created', changedBy: 'dispatcher-7', subject: 'dispatcher-7' }]);
  expect((await service.sql.query('SELECT DISTINCT subject FROM history')).rows).toEqual([{ subject: null }]);
});

test('200 with the scopes as a list', async () => {
  expect((await getWith(await signToken(key, { scope: ['moves:read'] }))).status).toBe(200);
});

test('401 with a challenge when there is no token, also before the path or the body is looked at', async () => {
  for (const path of ['/v1/moves', '/v1/nowhere']) {
    const answer = await service.api.post(path, '{', {});
    expectProblem(answer, 401, 'UNAUTHENTICATED');
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="waybill"');
  }
  // Also with the name of another host.
  const misdirected = 'GET /v1/moves HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\n\r\n';
  expectProblem(readAnswer(await sendRaw(service.port, misdirected)), 401, 'UNAUTHENTICATED');
});

test.each<[string, Claims]>([
  ['of another type', { type: 'logout+jwt' }],
  ['that has expired', { expires: -3600 }],
  ['without a subject', { subject: '' }],
])('401 for a token %s', async (_, claims) => {
  const answer = await getWith(await signToken(key, { scope: SCOPE, ...claims }));
  expectProblem(answer, 401, 'UNAUTHENTICATED');
  expect(answer.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
});

test('401 for alg none, for HS256 signed with the public key, and for a changed payload', async () => {
  const good = await signToken(key, { scope: SCOPE });
  const [header = '', payload = '', signature = ''] = good.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const none = `${unsigned({ alg: 'none', typ: 'at+jwt' }, claims)}.`;
  const publicKey = await exportSPKI((await importJWK(key.jwk, 'ES256', { extractable: true })) as CryptoKey);
  const confused = unsigned({ alg: 'HS256', kid: 'first', typ: 'at+jwt' }, claims);
  const hs256 = `${confused}.${createHmac('sha256', publicKey).update(confused).digest('base64url')}`;
  const [, forged] = unsigned({}, { ...claims, sub: 'admin' }).split('.');
  for (const token of [none, hs256, `${header}.${forged}.${signature}`, 'not-a-token', `${good}x`]) {
    expectProblem(await getWith(token), 401, 'UNAUTHENTICATED');
  }
});

test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer a b', 'bearer\t'])(
  '401 for "Authorization: %s"',
  async (Authorization) => {
    expectProblem(await service.api.get('/v1/moves', { Authorization }), 401, 'UNAUTHENTICATED');
  },
);

describe('with a key set of its own', () => {
  let keys: KeySetServer;
  let other: TestService;

  beforeEach(async () => {
    keys = await KeySetServer.start(key);
    other = await startService(jwtEnvironment(keys.url));
  });
  afterEach(async () => {
    await other.stop();
    await keys.stop();
  });

  async function restart(): Promise<void> {
    await other.stop();
    other = await startService(jwtEnvironment(keys.url));
  }

  test('401 for an unknown key, 200 once the key set has it: keys rotate without a restart', async () => {
    const second = await newKey('second');
    const token = await signToken(second, { scope: SCOPE });
    expectProblem(await getWith(token, other), 401, 'UNAUTHENTICATED');
    expect((await getWith(await signToken(key, { scope: SCOPE }), other)).status).toBe(200);
    const known = await signToken(key, { scope: SCOPE });
    keys.publish(key, second);
    // The key set is fetched again for an unknown key, but at most every ten seconds.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000);
    expect((await getWith(token, other)).status).toBe(200);
    expect((await getWith(known, other)).status).toBe(200);
    clock.mockRestore();
  });

  test('503 and never 200 while the key set cannot be used; it is asked until it can be, and known keys stay in use', async () => {
    const token = await signToken(key, { scope: SCOPE });
    for (const [status, body] of [
      [500, 'oops'],
      [200, 'not json'],
      [200, '{"keys":"none"}'],
    ] as const) {
      keys.break(status, body);
      const answer = await getWith(token, other);
      expectProblem(answer, 503, 'UNAVAILABLE');
      expect(answer.headers.get('Retry-After')).not.toBeNull();
    }
    expect(keys.requests).toBe(3);
    keys.publish(key);
    for (let turn = 0; turn < 5; turn += 1) expect((await getWith(token, other)).status).toBe(200);
    expect(keys.requests).toBe(4);
    await keys.stop();
    expect((await getWith(token, other)).status).toBe(200);
    await restart();
    expectProblem(await getWith(token, other), 503, 'UNAVAILABLE');
  });
});

test('a key from a PEM file works like one from a key set', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'waybill-key-')), 'public.pem');
  writeFileSync(file, await exportSPKI((await importJWK(key.jwk, 'ES256', { extractable: true })) as CryptoKey));
  const { JWT_JWKS_URL: _, ...environment } = jwtEnvironment('');
  const verifier = new TokenVerifier(readConfig({ ...environment, JWT_PUBLIC_KEY_FILE: file }));
  expect(await verifier.verify(await signToken(key, { scope: SCOPE }))).toMatchObject({ subject: 'dispatcher-7' });
  const stranger = await signToken(await newKey('other'), { scope: SCOPE });
  await expect(verifier.verify(stranger)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('no start in production without a word about authentication, nor with half of its settings', () => {
  expect(faultsOf({ NODE_ENV: 'production', DATABASE_URL: 'embedded' })).toEqual([
    expect.stringContaining('AUTH_MODE'),
  ]);
  expect(faultsOf({ NODE_ENV: 'production', DATABASE_URL: 'embedded', AUTH_MODE: 'off' })).toEqual([]);
  expect(faultsOf({ AUTH_MODE: 'jwt' })).toHaveLength(3);
  expect(faultsOf({ AUTH_MODE: 'jwt', JWT_ALGORITHMS: 'HS256' })).toContainEqual(
    expect.stringContaining('JWT_ALGORITHMS'),
  );
});
