import type { Answer, Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { readAnswer, sendRaw } from '../support/http/raw-http.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function exchange(bytes: string | Buffer): Promise<Answer<Json>> {
  return readAnswer(await sendRaw(service.port, bytes));
}

/** A request with these lines under its request line. */
function request(line: string, ...headers: string[]): string {
  return [line, ...headers, '', ''].join('\r\n');
}

const GET = 'GET /v1/moves HTTP/1.1';
const POST = 'POST /v1/moves HTTP/1.1';
const HOST = 'Host: localhost';
const TYPE = 'Content-Type: application/json';

test.each([
  ['garbage', 'garbage\r\n\r\n'],
  ['bytes of TLS', Buffer.from('16030100a5010000a10303', 'hex')],
  ['an unknown method', request('BREW /v1/moves HTTP/1.1', HOST)],
  ['an unknown version of HTTP', request('GET /v1/moves HTTP/9.9', HOST)],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a blank in the path', request('GET /v1/mo ves HTTP/1.1', HOST)],
  ['a blank in a header name', request(GET, HOST, 'Bad Name: x')],
  ['a header without a colon', request(GET, HOST, 'NoColon')],
  ['a control character in a header', request(GET, HOST, 'X-A: a\u0000b')],
  ['a Content-Length that is no number', request(POST, HOST, TYPE, 'Content-Length: ten')],
  ['a negative Content-Length', request(POST, HOST, TYPE, 'Content-Length: -1')],
  ['two Content-Lengths', request(POST, HOST, TYPE, 'Content-Length: 2', 'Content-Length: 3') + '{}'],
  [
    'both a length and chunks',
    request(POST, HOST, TYPE, 'Content-Length: 2', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
  ],
  ['a broken chunk', request(POST, HOST, TYPE, 'Transfer-Encoding: chunked') + 'zz\r\n{}\r\n0\r\n\r\n'],
  ['no Host', request(GET)],
  ['an unknown path without Host', request('GET / HTTP/1.1')],
  ['two Hosts', request(GET, HOST, 'Host: other.example.com')],
])('400 with the one payload and a closed connection for %s', async (_, bytes) => {
  const answer = await exchange(bytes);
  expectProblem(answer, 400, 'MALFORMED_REQUEST');
  expect(answer.headers.get('Connection')).toBe('close');
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
});

test.each([
  ['one header', request(GET, HOST, `X-Long: ${'x'.repeat(40_000)}`)],
  ['all headers', request(GET, HOST, ...Array.from({ length: 1000 }, (_, i) => `X-${i}: ${'x'.repeat(50)}`))],
  ['the request line', request(`GET /v1/moves?${'x'.repeat(40_000)} HTTP/1.1`, HOST)],
])('431 with the one payload and a closed connection when %s is too long', async (_, bytes) => {
  const answer = await exchange(bytes);
  expectProblem(answer, 431, 'HEADERS_TOO_LARGE');
  expect(answer.headers.get('Connection')).toBe('close');
});

test('413 for chunks whose length nobody told beforehand', async () => {
  const chunk = `${(70_000).toString(16)}\r\n${' '.repeat(70_000)}\r\n0\r\n\r\n`;
  const answer = await exchange(request(POST, HOST, TYPE, 'Transfer-Encoding: chunked', 'Connection: close') + chunk);
  expectProblem(answer, 413, 'TOO_LARGE');
});

test('each answer has a requestID of its own', async () => {
  const ids = [await exchange('garbage\r\n\r\n'), await exchange('garbage\r\n\r\n')].map(({ body }) => body.requestID);
  expect(new Set(ids).size).toBe(2);
});

test('the service keeps serving other clients', async () => {
  await exchange('garbage\r\n\r\n');
  expect((await service.api.get('/v1/moves')).status).toBe(200);
});

test.each([
  ['HTTP/1.0 without a Host', request('GET /v1/moves HTTP/1.0')],
  ['the absolute form of a target', request('GET http://example.com/v1/moves HTTP/1.1', HOST, 'Connection: close')],
  ['an expectation nobody knows', request(GET, HOST, 'Expect: miracles', 'Connection: close')],
  ['an upgrade nobody offers', request(GET, HOST, 'Connection: close', 'Upgrade: h2c')],
])('200 for %s', async (_, bytes) => {
  expect(await exchange(bytes)).toMatchObject({ status: 200, body: expect.any(Array) });
});

test('a body that waits for 100-continue is read', async () => {
  const bytes = request(POST, HOST, TYPE, 'Content-Length: 2', 'Expect: 100-continue', 'Connection: close') + '{}';
  const raw = await sendRaw(service.port, bytes);
  expect(raw).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
});
