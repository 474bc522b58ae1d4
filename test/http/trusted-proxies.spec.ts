import { startService, type TestService } from '../support/service/service.js';

let service: TestService;
afterEach(() => service.stop());

/** How many of three requests, each with another X-Forwarded-For, are taken for those of one caller. */
async function refusedOfThree(): Promise<number> {
  let refused = 0;
  for (const last of [1, 2, 3]) {
    const { status } = await service.api.get('/v1/moves', { 'X-Forwarded-For': `192.0.2.${last}` });
    if (status === 429) refused += 1;
  }
  return refused;
}

test('X-Forwarded-For identifies callers if the sender is one of TRUSTED_PROXIES', async () => {
  service = await startService({ RATE_LIMIT: '1', TRUSTED_PROXIES: '127.0.0.1/32' });
  expect(await refusedOfThree()).toBe(0);
});

test.each([undefined, '10.0.0.0/8'])(
  'X-Forwarded-For of anybody else changes nothing (TRUSTED_PROXIES=%s)',
  async (proxies) => {
    service = await startService({ RATE_LIMIT: '1', ...(proxies !== undefined && { TRUSTED_PROXIES: proxies }) });
    expect(await refusedOfThree()).toBe(2);
  },
);

test('an address that the client put before the proxy does not count', async () => {
  service = await startService({ RATE_LIMIT: '1', TRUSTED_PROXIES: 'loopback' });
  const from = (chain: string) => service.api.get('/v1/moves', { 'X-Forwarded-For': chain });
  expect((await from('198.51.100.1, 192.0.2.9')).status).toBe(200);
  expect((await from('198.51.100.2, 192.0.2.9')).status).toBe(429);
});

test('Strict-Transport-Security only when a trusted proxy says that the client came over TLS', async () => {
  const header = { 'X-Forwarded-Proto': 'https' };
  service = await startService({ TRUSTED_PROXIES: 'loopback' });
  expect((await service.api.get('/v1/moves', header)).headers.get('Strict-Transport-Security')).toMatch(/max-age=\d+/);
  expect((await service.api.get('/v1/moves')).headers.get('Strict-Transport-Security')).toBeNull();
  await service.stop();
  service = await startService();
  expect((await service.api.get('/v1/moves', header)).headers.get('Strict-Transport-Security')).toBeNull();
});
