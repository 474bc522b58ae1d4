import { useHostileService } from '../hostile/suite.js';
import { answersTo, lines, notRefused } from '../hostile/wire.js';

const hostile = useHostileService();

const HOST = 'Host: localhost';
const GET = 'GET /v1/moves HTTP/1.1';
const POST = 'POST /v1/moves HTTP/1.1';
const TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const CLOSE = 'Connection: close';
const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: 1`);

const MALFORMED: Record<string, string | Buffer> = {
  garbage: 'garbage\r\n\r\n',
  'bytes at random': Buffer.from('8f3c00ff17a9e2d40d0a0d0a', 'hex'),
  'the greeting of TLS': Buffer.from('16030100a5010000a10303', 'hex'),
  'the greeting of SSH': 'SSH-2.0-OpenSSH_9.9\r\n',
  'the greeting of a mail client': 'EHLO example.com\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/0.9': 'GET /v1/moves\r\n\r\n',
  'HTTP/2.0': lines('GET /v1/moves HTTP/2.0', HOST),
  'HTTP/1.9': lines('GET /v1/moves HTTP/1.9', HOST),
  'a version in small letters': lines('GET /v1/moves http/1.1', HOST),
  'HTTP/9.9': lines('GET /v1/moves HTTP/9.9', HOST),
  'an unknown method': lines('BREW /v1/moves HTTP/1.1', HOST),
  'a method in small letters': lines('get /v1/moves HTTP/1.1', HOST),
  'a blank in the path': lines('GET /v1/mo ves HTTP/1.1', HOST),
  'a control character in the path': lines('GET /v1/\u0001 HTTP/1.1', HOST),
  'raw bytes in the path': lines('GET /v1/moves/\xc3\xa4 HTTP/1.1', HOST, CLOSE),
  'raw bytes in the query': lines('GET /v1/moves?orderID=\xe4 HTTP/1.1', HOST, CLOSE),
  'a fragment': lines('GET /v1/moves#top HTTP/1.1', HOST, CLOSE),
  'a target without a slash': lines('GET v1/moves HTTP/1.1', HOST),
  'an asterisk with GET': lines('GET * HTTP/1.1', HOST),
  'another scheme': lines('GET ftp://example.com/v1/moves HTTP/1.1', HOST),
  'no Host': lines(GET),
  'no Host for another path': lines('GET / HTTP/1.1'),
  'two Hosts': lines(GET, HOST, 'Host: other.example.com'),
  'a blank in a header name': lines(GET, HOST, 'Bad Name: x'),
  'a blank before the colon': lines(GET, 'Host : example.com'),
  'a header folded over two lines': lines(GET, HOST, 'X-A: a', ' b'),
  'a header that begins with a blank': lines(GET, ' Host: example.com'),
  'a header without a colon': lines(GET, HOST, 'NoColon'),
  'a header without a name': lines(GET, HOST, ': a'),
  'a zero byte in a header': lines(GET, HOST, 'X-A: a\u0000b'),
  'a bare carriage return in a header': lines(GET, HOST, 'X-A: a\rX-B: b'),
  'a length that is no number': lines(POST, HOST, TYPE, 'Content-Length: ten'),
  'a negative length': lines(POST, HOST, TYPE, 'Content-Length: -1'),
  'a length with a sign': lines(POST, HOST, TYPE, 'Content-Length: +2') + '{}',
  'a length in hexadecimal': lines(POST, HOST, TYPE, 'Content-Length: 0x2') + '{}',
  'a list of lengths': lines(POST, HOST, TYPE, 'Content-Length: 2, 2') + '{}',
  'an endless length': lines(POST, HOST, TYPE, `Content-Length: ${'9'.repeat(30)}`),
  'two lengths': lines(POST, HOST, TYPE, 'Content-Length: 2', 'Content-Length: 3') + '{}',
  'the same length twice': lines(POST, HOST, TYPE, 'Content-Length: 2', 'Content-Length: 2') + '{}',
  'a length and chunks': lines(POST, HOST, TYPE, 'Content-Length: 2', CHUNKED) + '0\r\n\r\n',
  'chunks and a length': lines(POST, HOST, TYPE, CHUNKED, 'Content-Length: 2') + '0\r\n\r\n',
  'an unknown transfer encoding': lines(POST, HOST, TYPE, 'Transfer-Encoding: xchunked') + '0\r\n\r\n',
  'chunked, but not last': lines(POST, HOST, TYPE, 'Transfer-Encoding: chunked, identity') + '0\r\n\r\n',
  'chunked behind a vertical tab': lines(POST, HOST, TYPE, 'Transfer-Encoding: \u000bchunked') + '0\r\n\r\n',
  'a chunk size that is no number': lines(POST, HOST, TYPE, CHUNKED) + 'zz\r\n{}\r\n0\r\n\r\n',
  'a negative chunk size': lines(POST, HOST, TYPE, CHUNKED) + '-2\r\n{}\r\n0\r\n\r\n',
  'an endless chunk size': lines(POST, HOST, TYPE, CHUNKED) + `${'f'.repeat(20)}\r\n{}\r\n0\r\n\r\n`,
  'a chunk longer than it says': lines(POST, HOST, TYPE, CHUNKED) + '2\r\n{}{}\r\n0\r\n\r\n',
};

const REFUSED: [status: number, code: string, name: string, bytes: string][] = [
  [431, 'HEADERS_TOO_LARGE', 'a long header', lines(GET, HOST, `X-A: ${'x'.repeat(40_000)}`)],
  [431, 'HEADERS_TOO_LARGE', 'long headers together', lines(GET, HOST, ...many(100).map((h) => h + 'x'.repeat(500)))],
  [431, 'HEADERS_TOO_LARGE', 'too many headers', lines(GET, HOST, ...many(100))],
  [431, 'HEADERS_TOO_LARGE', 'far too many headers', lines(GET, HOST, ...many(1500))],
  [
    431,
    'HEADERS_TOO_LARGE',
    'a URL longer than all headers may be',
    lines(`GET /${'x'.repeat(40_000)} HTTP/1.1`, HOST),
  ],
  [414, 'URI_TOO_LONG', 'a long path', lines(`GET /${'x'.repeat(8192)} HTTP/1.1`, HOST, CLOSE)],
  [414, 'URI_TOO_LONG', 'a long query', lines(`GET /v1/moves?${'a=1&'.repeat(2100)} HTTP/1.1`, HOST, CLOSE)],
  [405, 'METHOD_NOT_ALLOWED', 'CONNECT', lines('CONNECT example.com:443 HTTP/1.1', HOST)],
  [
    400,
    'INVALID_HEADER',
    'two content types',
    lines(POST, HOST, TYPE, 'Content-Type: text/plain', 'Content-Length: 2', CLOSE) + '{}',
  ],
  [400, 'INVALID_HEADER', 'two authorizations', lines(GET, HOST, 'Authorization: a', 'Authorization: b', CLOSE)],
  [
    413,
    'TOO_LARGE',
    'chunks without end',
    lines(POST, HOST, TYPE, CHUNKED, CLOSE) + `10000\r\n${' '.repeat(65_536)}\r\n`.repeat(4),
  ],
  [
    413,
    'TOO_LARGE',
    'a body that is far too long',
    lines(POST, HOST, TYPE, 'Content-Length: 8000000') + ' '.repeat(8_000_000),
  ],
  [413, 'TOO_LARGE', 'a length that is far too long', lines(POST, HOST, TYPE, 'Content-Length: 99999999999')],
];

test('400 in the one payload and a closed connection for each malformed request', async () => {
  const cases = Object.entries(MALFORMED).map(([name, bytes]) => [name, [bytes], 400, 'MALFORMED_REQUEST'] as const);
  expect(await notRefused(hostile, cases)).toEqual([]);
});

test('431, 414, 413, 405 or 400 in the one payload and a closed connection for what is too much', async () => {
  const cases = REFUSED.map(([status, code, name, bytes]) => [name, [bytes], status, code] as const);
  expect(await notRefused(hostile, cases)).toEqual([]);
});

test('garbage behind good requests is answered after them, in their order', async () => {
  const good = [lines(GET, HOST), lines('GET /v1/shipments HTTP/1.1', HOST), lines('GET /health/live HTTP/1.1', HOST)];
  const answers = await answersTo(hostile.port, { pieces: [[...good, 'garbage\r\n\r\n'].join('')] });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
  expect(answers.map(({ text }) => text.slice(0, 12))).toEqual(['[]', '[]', '{"status":"o', '{"type":"/pr']);
});

test('a broken body behind a good request is answered after it, and only once', async () => {
  const bytes = lines(GET, HOST) + lines(POST, HOST, TYPE, CHUNKED) + 'zz\r\n';
  const answers = await answersTo(hostile.port, { pieces: [bytes] });
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
});

test('what a client smuggles behind a body of no length is not a request', async () => {
  const smuggled = lines('DELETE /v1/moves HTTP/1.1', HOST);
  const bytes = lines(POST, HOST, TYPE, 'Content-Length: 0', CHUNKED) + '0\r\n\r\n' + smuggled;
  expect(await answersTo(hostile.port, { pieces: [bytes] })).toHaveLength(1);
});

test.each<[string, string, ...number[]]>([
  ['an absolute URL', lines('GET http://evil.example.com/v1/moves?limit=1 HTTP/1.1', HOST, CLOSE), 200],
  ['an absolute URL without a path', lines('GET http://example.com HTTP/1.1', HOST, CLOSE), 200],
  ['OPTIONS of the whole service', lines('OPTIONS * HTTP/1.1', HOST, CLOSE), 204],
  ['HTTP/1.0 without a Host', lines('GET /v1/moves HTTP/1.0'), 200],
  ['an upgrade nobody offers', lines(GET, HOST, 'Connection: Upgrade, close', 'Upgrade: websocket'), 200],
  ['an expectation nobody knows', lines(GET, HOST, 'Expect: miracles', CLOSE), 200],
  ['a hundred headers', lines(GET, HOST, CLOSE, ...many(98)), 200],
  ['empty lines before the request', `\r\n\r\n${lines(GET, HOST, CLOSE)}`, 200],
  [
    'chunks with extensions and trailers',
    lines(POST, HOST, TYPE, CHUNKED, CLOSE) + '2;a=b\r\n{}\r\n0\r\nX-A: b\r\n\r\n',
    201,
  ],
  [
    'a body that waits for 100-continue',
    lines(POST, HOST, TYPE, 'Content-Length: 2', 'Expect: 100-continue', CLOSE) + '{}',
    ...[100, 201],
  ],
])('%s is served', async (_, bytes, ...statuses) => {
  const answers = await answersTo(hostile.port, { pieces: [bytes] });
  expect(answers.map((answer) => answer.status)).toEqual(statuses);
});

test('each answer of the parser has a requestID of its own', async () => {
  const ids = [];
  for (let count = 0; count < 2; count += 1) {
    const [answer] = await answersTo(hostile.port, { pieces: ['garbage\r\n\r\n'] });
    ids.push(answer?.headers['x-request-id']);
  }
  expect(new Set(ids).size).toBe(2);
});

test('a link does not lead where an absolute URL came from', async () => {
  for (let count = 0; count < 2; count += 1) await hostile.api.post('/v1/moves', {});
  const bytes = lines('GET http://evil.example.com/v1/moves?limit=1 HTTP/1.1', HOST, CLOSE);
  const [answer] = await answersTo(hostile.port, { pieces: [bytes] });
  expect(answer?.headers['link']).toMatch(/^<\/v1\/moves\?limit=1&cursor=/);
});
