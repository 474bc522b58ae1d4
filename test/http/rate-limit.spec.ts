// Not through PgBouncer: it checks functions and answers that no connection affects.
import { expectProblem } from '../support/http/problem.js';
import { useService } from '../support/service/service.js';
import { bearer, useSecuredService } from '../support/http/tokens.js';

/** One request of a caller becomes possible again every 30 seconds, so that a slow test run still meets its limit. */
const LIMIT = 2;

const OVER_TLS = { 'X-Forwarded-Proto': 'https' };

describe('with RATE_LIMIT=2', () => {
  const service = useService({ RATE_LIMIT: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1/32' });

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

  test('an address that the client put before the proxy does not count', async () => {
    const statuses = [];
    for (const client of [1, 2, 3]) statuses.push((await from(`198.51.100.${client}, 192.0.2.9`)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('Strict-Transport-Security only when the proxy says that the client came over TLS', async () => {
    const policies = [];
    for (const headers of [OVER_TLS, {}]) {
      const answer = await service.api.get('/v1/moves', { 'X-Forwarded-For': '192.0.2.10', ...headers });
      policies.push(answer.headers.get('Strict-Transport-Security'));
    }
    expect(policies).toEqual([expect.stringMatching(/max-age=\d+/), null]);
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

describe.each([undefined, '10.0.0.0/8'])('from anybody else than TRUSTED_PROXIES=%s', (proxies) => {
  const service = useService({ RATE_LIMIT: '1', ...(proxies !== undefined && { TRUSTED_PROXIES: proxies }) });

  test('X-Forwarded-For and X-Forwarded-Proto change nothing', async () => {
    const answers = [];
    for (const last of [1, 2, 3]) {
      answers.push(await service.api.get('/v1/moves', { 'X-Forwarded-For': `192.0.2.${last}`, ...OVER_TLS }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429]);
    expect(answers[0]?.headers.get('Strict-Transport-Security')).toBeNull();
  });
});

describe('with tokens', () => {
  const { service, as } = useSecuredService({ RATE_LIMIT: '1', TRUSTED_PROXIES: 'loopback' });

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
    const other = await as({ scope: 'moves:read', subject: 'other' });
    expect((await other.get('/v1/moves', address)).status).toBe(200);
  });

  test('subjects are counted each for itself, wherever they call from', async () => {
    const statuses = [];
    for (const subject of ['ada', 'grace', 'ada', 'grace']) {
      statuses.push((await (await as({ scope: 'moves:read', subject })).get('/v1/moves')).status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
  });
});
