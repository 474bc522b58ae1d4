import { faultOf } from './client.js';
import { useHostileService } from './suite.js';
import { answersTo, lines, notRefused } from './wire.js';

const hasty = useHostileService({ REQUEST_TIMEOUT_MS: '900' });

const HOST = 'Host: localhost';
const GET = 'GET /v1/moves HTTP/1.1';
const POST = 'POST /v1/moves HTTP/1.1';
const TYPE = 'Content-Type: application/json';

const LATE: [name: string, pieces: string[]][] = [
  ['headers that stop', [`${GET}\r\n${HOST}\r\nX-A`]],
  ['headers that trickle', [`${GET}\r\n`, ...`${HOST}\r\nX-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa`]],
  ['a body that never comes', [lines(POST, HOST, TYPE, 'Content-Length: 10')]],
  ['a body that stops', [`${lines(POST, HOST, TYPE, 'Content-Length: 10')}{"a"`]],
  ['a body that trickles', [lines(POST, HOST, TYPE, 'Content-Length: 40'), ...' '.repeat(39)]],
  ['chunks that stop', [`${lines(POST, HOST, TYPE, 'Transfer-Encoding: chunked')}2\r\n{}\r\n`]],
];

test('408 in the one payload and a closed connection for what comes too late', async () => {
  const cases = LATE.map(([name, pieces]) => [name, pieces, 408, 'REQUEST_TIMEOUT'] as const);
  expect(await notRefused(hasty, cases, 50)).toEqual([]);
});

test('a connection on which nothing comes is closed', async () => {
  const answers = await answersTo(hasty.port, { pieces: [''] });
  for (const answer of answers) expect(faultOf(answer, { status: 408, code: 'REQUEST_TIMEOUT' })).toBeUndefined();
});
