import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '../support/service/certificate.js';
import { Api } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { rawRequest, sendRaw } from '../support/http/raw-http.js';
import { createMove } from '../support/records/records.js';
import { startService, useService } from '../support/service/service.js';

describe('every answer', () => {
  const service = useService({ URL_LIMIT_BYTES: '300', BODY_LIMIT_BYTES: '1024', KEEP_ALIVE_TIMEOUT_MS: '400' });

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

  test('414 for a URL beyond URL_LIMIT_BYTES', async () => {
    expectProblem(await service.api.get(`/v1/moves?orderID=${'x'.repeat(400)}`), 414, 'URI_TOO_LONG');
    expect((await service.api.get(`/v1/moves?orderID=${'x'.repeat(60)}`)).status).toBe(200);
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

test('TLS in the service itself with TLS_CERT_FILE and TLS_KEY_FILE, and HSTS with it, but not for localhost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tls-'));
  const { certFile, keyFile, cert } = makeCertificate(folder);
  const service = await startService({
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    PUBLIC_URL: 'https://waybill.example',
  });
  const read = (Host: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { ca: cert, agent: false, servername: 'localhost', headers: { Host } };
      get(`https://localhost:${service.port}/v1/moves`, options, resolve).on('error', reject);
    });
  try {
    const policies = [];
    for (const host of ['waybill.example', 'localhost', 'waybill.localhost:8443']) {
      const response = await read(host);
      response.resume();
      expect(response.statusCode).toBe(200);
      policies.push(response.headers['strict-transport-security']);
    }
    expect(policies).toEqual(['max-age=31536000; includeSubDomains', undefined, undefined]);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
});
