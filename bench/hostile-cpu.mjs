// How much more processor time the worst inputs cost the service than ordinary requests of the same size.
//   node scripts/prepare.mjs && node bench/hostile-cpu.mjs [requests per case]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';

const USAGE = `Measures how much more processor time the worst inputs cost the service than ordinary requests of the same size.

  node bench/hostile-cpu.mjs [REQUESTS]

  REQUESTS  of each kind (300)`;

const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
const REQUESTS = Number(positionals[0] ?? 300);
const ROUNDS = 3;
const BODY = 60_000;
const HEADER = 14_000;
const QUERY = 8000;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** What is sent, and the ordinary request that it is compared with. `move` is one that is there. */
function casesFor(move) {
  const path = `/v1/moves/${move.id}`;
  const post = (body) => ({ method: 'POST', path: '/v1/moves', headers: JSON_TYPE, body });
  const get = (query) => ({ method: 'GET', path: `/v1/moves?${query}` });
  const patch = (ifMatch) => ({ method: 'PATCH', path, headers: { ...JSON_TYPE, 'If-Match': ifMatch }, body: '{}' });
  const reading = (headers) => ({ method: 'GET', path, headers });
  const fill = (unit, size) => unit.repeat(Math.floor(size / unit.length));
  const list = (element, size) => `[${fill(`${element},`, size - 4)}${element}]`;

  const body = post(JSON.stringify({ remarks: 'x'.repeat(1900) }).padEnd(BODY));
  const plain = { method: 'GET', path: '/v1/moves?limit=1', headers: { 'X-Filler': 'x'.repeat(QUERY) } };
  const stale = patch(`"${'a'.repeat(64)}"`);
  const staleWithFiller = { ...stale, headers: { ...stale.headers, 'X-Filler': 'x'.repeat(HEADER) } };
  const readingWithFiller = reading({ 'X-Filler': 'x'.repeat(HEADER) });
  const names = (count, value) => Array.from({ length: count }, (_, i) => `"n${i}":${value}`).join();
  return [
    ['deep: arrays', post(fill('[', BODY)), body],
    ['deep: objects', post(fill('{"a":', BODY)), body],
    ['deep: 32 levels, many times', post(list('['.repeat(31) + ']'.repeat(31), BODY)), body],
    ['wide: names without end', post(`{${names(5000, 1)}}`.slice(0, BODY)), body],
    ['wide: 1,000 unknown names', post(`{${names(1000, '"' + 'x'.repeat(45) + '"')}}`), body],
    ['wide: a list of numbers', post(`{"remarks":${list('1', BODY)}}`), body],
    ['wide: a list of fractions', post(`{"remarks":${list('0.5', BODY)}}`), body],
    ['wide: 1,000 objects', post(list('{"a":"' + 'x'.repeat(48) + '"}', BODY)), body],
    ['duplicated: the same name', post(`{${fill('"remarks":"x",', BODY)}"a":1}`), body],
    ['duplicated: the last of 1,000', post(`{${names(999, '"' + 'x'.repeat(45) + '"')},"n0":1}`), body],
    ['texts: escapes only', post(`{"remarks":"${fill('\\u0001', BODY)}"}`), body],
    ['texts: far too long', post(`{"remarks":"${fill('x', BODY)}"}`), body],
    ['texts: line breaks before a fault', post(`${fill('\n', BODY)}!`), body],
    ['numbers: 60,000 digits', post(`{"remarks":0.${fill('1', BODY)}}`), body],
    [
      'packed: a bomb of 10 MB',
      { ...post(gzipSync(Buffer.alloc(10_000_000, ' '))), headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' } },
      post('{}'.padEnd(10_000)),
    ],
    ['If-Match: many versions', patch(fill(`"${'b'.repeat(64)}",`, HEADER)), staleWithFiller],
    ['If-Match: many tiny tags', patch(fill('"",', HEADER)), staleWithFiller],
    ['If-Match: commas', patch(fill(',', HEADER)), staleWithFiller],
    ['If-Match: blanks', patch(`"a"${fill(' ', HEADER)}x`), staleWithFiller],
    ['If-None-Match: many tags', reading({ 'If-None-Match': fill('"a",', HEADER) }), readingWithFiller],
    ['Accept: many types', reading({ Accept: fill('a/b;q=0.1,', HEADER) }), readingWithFiller],
    [
      'many headers',
      reading(Object.fromEntries(Array.from({ length: 95 }, (_, i) => [`X-${i}`, 'x'.repeat(120)]))),
      readingWithFiller,
    ],
    ['query: many names', get(fill('a=1&', QUERY)), plain],
    ['query: one name many times', get(fill('limit=1&', QUERY)), plain],
    ['query: encoded', get(`orderID=${fill('%41', QUERY)}`), plain],
    ['query: many commas', get(`expand=${fill('shipments,', QUERY)}`), plain],
    ['query: a long text', get(`orderID=${fill('x', QUERY)}`), plain],
    ['path: a long name', { method: 'GET', path: `/v1/moves/${fill('%41', QUERY)}` }, plain],
  ];
}

const say = (line) => process.stdout.write(`${line}\n`);
const postgres = await startThrowawayPostgres();
const service = spawn(process.execPath, ['dist/src/main.js'], {
  env: { ...process.env, DATABASE_URL: postgres.url, PORT: '0', HOST: '127.0.0.1', AUTH_MODE: 'off' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const port = await portOf(service);
  const send = (sent) => exchange(port, sent);
  const move = JSON.parse((await send({ method: 'POST', path: '/v1/moves', headers: JSON_TYPE, body: '{}' })).text);
  say('| input | status | ordinary, ms of processor | hostile | ratio |\n|---|---|---|---|---|');
  let worst = 0;
  for (const [name, hostile, ordinary] of casesFor(move)) {
    const times = { hostile: 0, ordinary: 0 };
    const { status } = await send(hostile);
    for (let round = 0; round < ROUNDS; round += 1) {
      times.ordinary += await processorTime(send, ordinary);
      times.hostile += await processorTime(send, hostile);
    }
    const ratio = times.hostile / times.ordinary;
    worst = Math.max(worst, ratio);
    const [a, b] = [times.ordinary, times.hostile].map((ms) => (ms / ROUNDS / REQUESTS).toFixed(3));
    say(`| ${name} | ${status} | ${a} | ${b} | ${ratio.toFixed(2)} |`);
  }
  say(`\nThe worst costs ${worst.toFixed(2)} times as much as an ordinary request of its size.`);
} finally {
  agent.destroy();
  service.kill('SIGKILL');
  await postgres.stop();
}

/** The processor time that the service takes for some requests, in milliseconds, by its own account. */
async function processorTime(send, sent) {
  const used = async () => {
    const { text } = await send({ method: 'GET', path: '/metrics' });
    return 1000 * Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
  };
  const before = await used();
  for (let count = 0; count < REQUESTS; count += 1) await send(sent);
  return (await used()) - before;
}

async function portOf({ stdout }) {
  for await (const line of createInterface(stdout)) {
    const [, port] = /Listening on http:\/\/[^:]+:(\d+)/.exec(line) ?? [];
    if (port !== undefined) {
      stdout.resume();
      return port;
    }
  }
  throw new Error('The service did not start');
}

async function exchange(port, { method, path, headers = {}, body }) {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const outgoing = request({ agent, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, text };
}
