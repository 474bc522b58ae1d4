// Not through PgBouncer: it checks functions and answers that no connection affects.
import { Api } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { rawRequest, sendRaw } from '../support/http/raw-http.js';
import { createMove } from '../support/records/records.js';
import { startService, useService } from '../support/service/service.js';

describe('every answer', () => {
  const service = useService({ BODY_LIMIT_BYTES: '1024', KEEP_ALIVE_TIMEOUT_MS: '400' });

  test('forbids to guess, to run, to frame and to read it from elsewhere, and does not say what made it', async () => {
    const { id } = await createMove(service.api);
    for (const path of [`/v1/moves/${id}`, '/v1/moves', '/nowhere', '/v1/moves?x=1', '/health/live', '/metrics']) {
      const { headers } = await service.api.get(path, { Origin: 'https://app.example' });
      expect([path, Object.fromEntries(headers)]).toEqual([
        path,
        expect.objectContaining({
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-resource-policy': 'same-origin',
        }) as unknown,
      ]);
      const absent = ['x-powered-by', 'server', 'strict-transport-security', 'ratelimit'];
      const isUnwanted = (name: string) => absent.includes(name) || name.startsWith('access-control-');
      expect([...headers.keys()].filter(isUnwanted)).toEqual([]);
    }
  });

  test('gives no permission to a preflight without CORS_ORIGINS', async () => {
    const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'PATCH' };
    const api = Api.beyondTheDocument(service.url);
    const { headers } = await api.send('OPTIONS', '/v1/moves', undefined, preflight);
    expect([headers.get('Access-Control-Allow-Origin'), headers.get('Allow')]).toEqual([
      null,
      expect.stringMatching('POST'),
    ]);
  });

  test('414 for a URL beyond 8192 bytes', async () => {
    const path = '/v1/moves?q=';
    const longest = path.padEnd(8192, ' a').replaceAll(' ', '+');
    expect((await service.api.get(longest)).body.code).not.toBe('URI_TOO_LONG');
    expectProblem(await service.api.get(`${longest}a`), 414, 'URI_TOO_LONG');
  });

  test('413 for a body beyond BODY_LIMIT_BYTES', async () => {
    expect((await service.api.post('/v1/moves', '{}'.padEnd(1024))).status).toBe(201);
    expectProblem(await service.api.post('/v1/moves', '{}'.padEnd(1025)), 413, 'TOO_LARGE');
  });

  test('a connection is kept for KEEP_ALIVE_TIMEOUT_MS, and said so', async () => {
    const request = String(rawRequest('GET', '/health/live', [])).replace('Connection: close\r\n', '');
    const start = performance.now();
    // It ends when the service closes the connection, and fails when that takes far too long.
    const answer = await sendRaw(service.port, request);
    expect(performance.now() - start).toBeGreaterThanOrEqual(350);
    expect(answer).toMatch(/Connection: keep-alive/i);
  });
});

test('HSTS behind a proxy that serves HTTPS, but not for localhost', async () => {
  const service = await startService({ TRUSTED_PROXIES: 'loopback', PUBLIC_URL: 'https://waybill.example' });
  const policyOf = async (host: string, scheme: string) => {
    const request = String(rawRequest('GET', '/v1/moves', [['X-Forwarded-Proto', scheme]]));
    const answer = await sendRaw(service.port, request.replace('Host: localhost', `Host: ${host}`));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    return /^Strict-Transport-Security: (.*)\r$/m.exec(answer)?.[1];
  };
  try {
    expect(await policyOf('waybill.example', 'https')).toBe('max-age=31536000; includeSubDomains');
    expect(await policyOf('waybill.example', 'http')).toBeUndefined();
    for (const host of ['localhost', 'waybill.localhost:8443']) expect(await policyOf(host, 'https')).toBeUndefined();
  } finally {
    await service.stop();
  }
});
