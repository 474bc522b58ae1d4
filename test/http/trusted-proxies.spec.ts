import { useService, type TestService } from '../support/service/service.js';

const OVER_TLS = { 'X-Forwarded-Proto': 'https' };

function get({ api }: TestService, forwardedFor: string, headers: Record<string, string> = {}) {
  return api.get('/v1/moves', { 'X-Forwarded-For': forwardedFor, ...headers });
}

/** How many of three requests, each with another X-Forwarded-For, are taken for those of one caller. */
async function refusedOfThree(service: TestService): Promise<number> {
  let refused = 0;
  for (const last of [1, 2, 3]) if ((await get(service, `192.0.2.${last}`)).status === 429) refused += 1;
  return refused;
}

describe('from one of TRUSTED_PROXIES', () => {
  const service = useService({ RATE_LIMIT: '1', TRUSTED_PROXIES: '127.0.0.1/32' });

  test('X-Forwarded-For identifies callers', async () => {
    expect(await refusedOfThree(service)).toBe(0);
  });

  test('an address that the client put before the proxy does not count', async () => {
    expect((await get(service, '198.51.100.1, 192.0.2.9')).status).toBe(200);
    expect((await get(service, '198.51.100.2, 192.0.2.9')).status).toBe(429);
  });

  test('Strict-Transport-Security only when it says that the client came over TLS', async () => {
    const { headers } = await get(service, '192.0.2.10', OVER_TLS);
    expect(headers.get('Strict-Transport-Security')).toMatch(/max-age=\d+/);
    expect((await get(service, '192.0.2.11')).headers.get('Strict-Transport-Security')).toBeNull();
  });
});

describe.each([undefined, '10.0.0.0/8'])('from anybody else (TRUSTED_PROXIES=%s)', (proxies) => {
  const service = useService({ RATE_LIMIT: '1', ...(proxies !== undefined && { TRUSTED_PROXIES: proxies }) });

  test('X-Forwarded-For and X-Forwarded-Proto change nothing', async () => {
    expect(await refusedOfThree(service)).toBe(2);
    const { headers } = await get(service, '192.0.2.10', OVER_TLS);
    expect(headers.get('Strict-Transport-Security')).toBeNull();
  });
});
