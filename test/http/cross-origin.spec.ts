import { Api } from '../support/http/api.js';
import { createMove } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const ORIGIN = 'https://app.example';
const PREFLIGHT = {
  Origin: ORIGIN,
  'Access-Control-Request-Method': 'PATCH',
  'Access-Control-Request-Headers': 'authorization,content-type,if-match',
};

const service = useService({ CORS_ORIGINS: `${ORIGIN}, https://other.example` });

function options(headers: Record<string, string>) {
  return Api.beyondTheDocument(service.url).send('OPTIONS', '/v1/moves', undefined, headers);
}

test('204 for a preflight, with what a client of this API needs', async () => {
  const { status, headers } = await options(PREFLIGHT);
  expect(status).toBe(204);
  expect(headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
  expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
  expect(headers.get('Vary')).toContain('Origin');
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
    expect(headers.get('Access-Control-Allow-Methods')).toContain(method);
  }
  for (const name of ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Idempotency-Key']) {
    expect(headers.get('Access-Control-Allow-Headers')).toContain(name);
  }
});

test('scripts may read the headers that clients need, of answers and of errors', async () => {
  const move = await createMove(service.api);
  const answers = [
    await service.api.get(`/v1/moves/${move.id}`, { Origin: ORIGIN }),
    await service.api.get('/v1/moves/nobody', { Origin: ORIGIN }),
  ];
  for (const { headers } of answers) {
    expect(headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
    for (const name of ['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-ID', 'Allow', 'RateLimit']) {
      expect(headers.get('Access-Control-Expose-Headers')?.split(',')).toContain(name);
    }
  }
});

test('a page of an origin that is not listed may read nothing', async () => {
  const Origin = 'https://evil.example';
  const { headers } = await service.api.get('/v1/moves', { Origin });
  const preflight = await options({ ...PREFLIGHT, Origin });
  expect([headers, preflight.headers].map((each) => each.get('Access-Control-Allow-Origin'))).toEqual([null, null]);
});

test('204 with Allow for an OPTIONS that is no preflight', async () => {
  const { status, headers } = await options({ Origin: ORIGIN });
  expect([status, headers.get('Allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
});
