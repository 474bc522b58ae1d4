import { once } from 'node:events';
import { connect } from 'node:tls';
import { PROBLEMS, type ProblemCode } from '../../src/problem/catalogue.js';
import type { Answer, Json } from '../support/http/api.js';
import { DyingReplica } from '../support/http/dying-replica.js';
import { freePort } from '../support/http/free-port.js';
import { Nginx } from '../support/http/nginx.js';
import { showsOperations, spellingsOf } from '../support/http/path-spellings.js';
import { expectProblem } from '../support/http/problem.js';
import { rawRequest, sendRaw } from '../support/http/raw-http.js';
import { useReplica } from '../support/service/replica.js';
import { describeWith } from '../support/repository/tools.js';

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const KEY = ['Idempotency-Key', '"a-key"'] as const;
/** More than nginx takes elsewhere (1.1 MB). */
const LARGE = 1_500_000;

async function rawAnswer(nginx: Nginx, bytes: Buffer | string): Promise<string> {
  const socket = connect({ port: nginx.port, host: '127.0.0.1', rejectUnauthorized: false });
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(received).toString();
}

async function exchange(nginx: Nginx, bytes: Buffer | string): Promise<Answer<Json>> {
  const [head = '', text = ''] = (await rawAnswer(nginx, bytes)).split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  const isJson = headers.get('Content-Type')?.includes('json') === true;
  return { status: Number(statusLine.split(' ')[1]), headers, body: isJson ? JSON.parse(text) : text };
}

/** An error of nginx has the status and the title that the service gives its code. */
function expectOwn(answer: Answer<Json>, code: ProblemCode): Json {
  const { status, title } = PROBLEMS[code];
  expect(answer.body.title).toBe(title);
  return expectProblem(answer, status, code);
}

describeWith(['nginx', 'openssl'], 'deploy/nginx.conf in front of a replica', () => {
  const service = useReplica(() => ({ TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'warn' }));
  let nginx: Nginx;

  beforeAll(async () => {
    // One of the two replicas is always down.
    nginx = await Nginx.start([service.replica.port, await freePort()]);
  });
  afterAll(() => nginx.stop());

  const send = (...words: Parameters<typeof rawRequest>) => exchange(nginx, rawRequest(...words));

  test('every write reaches the replica that is up, and nginx adds no Idempotency-Key', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const created = await send('POST', '/v1/moves', [JSON_TYPE], '{}');
      expect(created.status).toBe(201);
      const path = `/v1/moves/${created.body.id}`;
      const version = (eTag: string) => [JSON_TYPE, ['If-Match', eTag]] as const;
      const replaced = await send('PUT', path, version(created.body.eTag), '{"remarks":"x"}');
      expect(replaced.status).toBe(200);
      const changed = await send('PATCH', path, version(replaced.body.eTag), '{"remarks":"y"}');
      expect(changed.status).toBe(200);
      expect((await send('DELETE', path, [['If-Match', changed.body.eTag]])).status).toBe(204);
    }
    expect((await service.sql.query('SELECT FROM idempotency_keys')).rows).toEqual([]);
  });

  test.each(['/v1/imports', '/v1/imports/'])('a large file for %s reaches the service', async (path) => {
    const answer = await send('POST', path, [['Content-Type', 'text/csv']], `shipmentType\n${'x'.repeat(LARGE)}\n`);
    expect([answer.status, answer.body.code]).not.toContain('TOO_LARGE');
    expect(answer.headers.get('Content-Security-Policy')).not.toBeNull();
  });

  const OWN_ERRORS: [ProblemCode, string, () => Buffer | string][] = [
    ['NOT_FOUND', '/metrics', () => rawRequest('GET', '/metrics?x=1', [])],
    ['TOO_LARGE', '/v1/moves', () => rawRequest('POST', '/v1/moves', [JSON_TYPE], 'x'.repeat(LARGE))],
    ['URI_TOO_LONG', '/', () => rawRequest('GET', `/v1/moves?q=${'x'.repeat(20_000)}`, [])],
    ['METHOD_NOT_ALLOWED', '/v1/moves', () => rawRequest('TRACE', '/v1/moves', [])],
    ['MALFORMED_REQUEST', '/v1/moves', () => 'GET /v1/moves HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['MALFORMED_REQUEST', '/', () => 'no such thing\r\n\r\n'],
    ['HEADERS_TOO_LARGE', '/v1/moves', () => rawRequest('GET', '/v1/moves', [['X', 'x'.repeat(20_000)]])],
  ];

  test.each(OWN_ERRORS)('%s of nginx itself is a problem', async (code, instance, bytes) => {
    expect(expectOwn(await exchange(nginx, bytes()), code).instance).toBe(instance);
  });

  test('no spelling of a management path is public; who reaches the replica itself finds them', async () => {
    const paths = ['/health/live', '/health/ready', '/metrics'];
    const leaks = [];
    for (const target of paths.flatMap(spellingsOf)) {
      const answer = await rawAnswer(nginx, rawRequest('GET', target, []));
      expect([target, answer]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 [234]/)]);
      if (showsOperations(answer)) leaks.push(target);
    }
    expect(leaks).toEqual([]);
    for (const path of paths) {
      expect(showsOperations(await sendRaw(service.replica.port, rawRequest('GET', path, [])))).toBe(true);
    }
  });

  test('an error of nginx keeps a sane request id, and no request can break its JSON', async () => {
    const kept = await send('GET', '/metrics', [['X-Request-ID', 'sent-by-client']]);
    expect(expectOwn(kept, 'NOT_FOUND').requestID).toBe('sent-by-client');
    const hostile = await send('GET', '/metrics/"\\%22%0a', [['X-Request-ID', '","x":"']]);
    expect(expectOwn(hostile, 'NOT_FOUND').requestID).toMatch(/^[0-9a-f]{32}$/);
  });
});

describeWith(['nginx', 'openssl'], 'deploy/nginx.conf in front of replicas that die', () => {
  let replicas: [DyingReplica, DyingReplica];
  let nginx: Nginx;

  beforeAll(async () => {
    replicas = [await DyingReplica.start(), await DyingReplica.start()];
    nginx = await Nginx.start([replicas[0].port, replicas[1].port]);
  });
  afterAll(async () => {
    await nginx.stop();
    for (const replica of replicas) replica.stop();
  });

  async function attempts(method: string, ...headers: (readonly [string, string])[]) {
    for (const replica of replicas) replica.requests = 0;
    const body = method === 'GET' ? '' : '{}';
    const answer = await exchange(nginx, rawRequest(method, '/v1/moves/1', [...headers], body));
    return { answer, attempts: replicas[0].requests + replicas[1].requests };
  }

  test.each(['POST', 'PATCH', 'PUT', 'DELETE'])('%s without a key is sent once: OUTCOME_UNKNOWN', async (method) => {
    const { answer, attempts: sent } = await attempts(method);
    expectOwn(answer, 'OUTCOME_UNKNOWN');
    expect([sent, answer.headers.get('Retry-After')]).toEqual([1, null]);
  });

  test.each(['POST', 'PATCH', 'PUT', 'DELETE'])('%s with a key is sent to both', async (method) => {
    const { answer, attempts: sent } = await attempts(method, KEY);
    expectOwn(answer, 'OUTCOME_UNKNOWN');
    expect([sent, answer.headers.get('Retry-After')]).toEqual([2, '1']);
  });

  test('GET is sent to both, and may be repeated', async () => {
    const { answer, attempts: sent } = await attempts('GET');
    expectOwn(answer, 'UNAVAILABLE');
    expect([sent, answer.headers.get('Retry-After')]).toEqual([2, '1']);
  });
});

describeWith(['nginx', 'openssl'], 'deploy/nginx.conf without a replica', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE'])('%s: UNAVAILABLE, because nothing was sent', async (method) => {
    const nginx = await Nginx.start([await freePort(), await freePort()]);
    const bytes = rawRequest(method, '/v1/moves/1', [], method === 'GET' ? '' : '{}');
    try {
      const answer = await exchange(nginx, bytes);
      expectOwn(answer, 'UNAVAILABLE');
      expect(answer.headers.get('Retry-After')).toBe('1');
    } finally {
      await nginx.stop();
    }
  });
});
