import { expectProblem } from './support/problem.js';
import { startService, useService, type TestService } from './support/service.js';
import { bearer, jwtEnvironment, KeySetServer, newKey, signToken } from './support/tokens.js';

const LIMIT = 5;

/** The counts begin anew with each minute: a test must not straddle one. */
async function awayFromTheMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 15_000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

beforeAll(awayFromTheMinute);

describe('with RATE_LIMIT=5', () => {
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
    expect((await from('192.0.2.1')).status).toBe(429);
    expect((await from('192.0.2.2')).status).toBe(200);
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
  let keySet: KeySetServer;
  let service: TestService;

  afterAll(async () => {
    await service.stop();
    await keySet.stop();
  });

  test('subjects are counted each for itself, wherever they call from', async () => {
    const key = await newKey('only');
    keySet = await KeySetServer.start(key);
    service = await startService({ RATE_LIMIT: '1', ...jwtEnvironment(keySet.url) });
    const scope = 'moves:read';
    const ada = bearer(await signToken(key, { scope, subject: 'ada' }));
    const grace = bearer(await signToken(key, { scope, subject: 'grace' }));
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
