import { expectProblem } from '../support/http/problem.js';
import { startService, useService, type TestService } from '../support/service/service.js';
import { bearer, jwtEnvironment, KeySetServer, newKey, signToken, type SigningKey } from '../support/http/tokens.js';

/** One request of a caller becomes possible again every 30 seconds, so that a slow test run still meets its limit. */
const LIMIT = 2;

describe('with RATE_LIMIT=2', () => {
  const service = useService({ RATE_LIMIT: String(LIMIT), TRUSTED_PROXIES: 'loopback' });

  const from = (address: string) => service.api.get('/v1/moves', { 'X-Forwarded-For': address });

  test('200 with what is left of the limit, then 429 with Retry-After', async () => {
    for (let left = LIMIT - 1; left >= 0; left -= 1) {
      const { status, headers } = await from('192.0.2.1');
      expect(status).toBe(200);
      expect(headers.get('RateLimit-Policy')).toBe(`"caller";q=${LIMIT};w=60`);
      expect(headers.get('RateLimit')).toMatch(new RegExp(`^"caller";r=${left};t=([1-9]|[1-5]\\d|60)$`));
    }
    const refused = await from('192.0.2.1');
    expectProblem(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('RateLimit')).toMatch(/^"caller";r=0;t=\d+$/);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  });

  test('200 for another caller while one is refused', async () => {
    const statuses = [];
    for (const caller of ['192.0.2.3', '192.0.2.3', '192.0.2.3', '192.0.2.2'])
      statuses.push((await from(caller)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  test('429 for an address whatever its spelling, and for any address of the same IPv6 /64', async () => {
    await from('192.0.2.8');
    await from('::ffff:192.0.2.8');
    expect((await from('192.0.2.8:1234')).status).toBe(429);
    await from('2001:db8:0:8::1');
    await from('2001:DB8:0:8:ffff::1');
    expect((await from('2001:db8:0:8:1234::')).status).toBe(429);
    expect((await from('2001:db8:0:9::1')).status).toBe(200);
  });

  test('200 for health and metrics, however often', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      for (let turn = 0; turn <= LIMIT; turn += 1) {
        const { status, headers } = await service.api.get(path);
        expect([path, status, headers.get('RateLimit')]).toEqual([path, 200, null]);
      }
    }
  });
});

describe('with tokens', () => {
  let key: SigningKey;
  let keySet: KeySetServer;
  let service: TestService;
  let ada: Record<string, string>;
  let grace: Record<string, string>;

  beforeAll(async () => {
    key = await newKey('only');
    keySet = await KeySetServer.start(key);
    const environment = { RATE_LIMIT: '1', TRUSTED_PROXIES: 'loopback', ...jwtEnvironment(keySet.url) };
    service = await startService(environment);
    const scope = 'moves:read';
    ada = bearer(await signToken(key, { scope, subject: 'ada' }));
    grace = bearer(await signToken(key, { scope, subject: 'grace' }));
  });
  afterAll(async () => {
    await service.stop();
    await keySet.stop();
  });

  test.each([
    ['no token', {}],
    ['a token that is none', bearer('nonsense')],
    ['a signature of somebody else', bearer('eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl')],
    ['another scheme', { Authorization: 'Basic YWRhOmFkYQ==' }],
  ])('429 for an address that was refused with 401 before: %s', async (title, headers) => {
    const address = { 'X-Forwarded-For': `192.0.2.${title.length}` };
    const refused = await service.api.get('/v1/moves', { ...headers, ...address });
    expectProblem(refused, 401, 'UNAUTHENTICATED');
    expect(refused.headers.get('RateLimit')).toMatch(/^"caller";r=0;t=\d+$/);
    const limited = await service.api.get('/v1/moves', { ...headers, ...address });
    expectProblem(limited, 429, 'RATE_LIMITED');
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('200 for a good token from an address that is refused without one', async () => {
    const address = { 'X-Forwarded-For': '192.0.2.200' };
    for (const status of [401, 429]) expect((await service.api.get('/v1/moves', address)).status).toBe(status);
    const other = bearer(await signToken(key, { scope: 'moves:read', subject: 'other' }));
    expect((await service.api.get('/v1/moves', { ...other, ...address })).status).toBe(200);
  });

  test('subjects are counted each for itself, wherever they call from', async () => {
    const statuses = [];
    for (const headers of [ada, grace, ada, grace]) statuses.push((await service.api.get('/v1/moves', headers)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });
});

test('no RateLimit fields and no end without RATE_LIMIT', async () => {
  const service = await startService();
  for (let turn = 0; turn < 20; turn += 1) {
    const { status, headers } = await service.api.get('/v1/moves');
    expect([status, headers.get('RateLimit')]).toEqual([200, null]);
  }
  await service.stop();
});
