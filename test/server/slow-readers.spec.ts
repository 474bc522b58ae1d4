import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import express, { type Response } from 'express';
import { Reply } from '../../src/http/reply.js';
import { createExpressServer } from '../../src/server/express-server.js';
import { MAX_WAITING } from '../../src/server/pipelining.js';
import { eventually } from '../support/races/eventually.js';

const TIMEOUT_MS = 100;
/** More than the socket buffers of a connection take. */
const HUGE_BYTES = 15_000_000;
const HUGE_BODY = '🚚'.repeat(HUGE_BYTES / 4);

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const HUGE = get('/huge');
const SMALL = get('/small');
const LAST = get('/small', 'Connection: close\r\n');

/** Clients that do not take up their answers, each in its own way. */
const READERS: [title: string, ask: (socket: Socket) => void][] = [
  ['never reads', (socket) => socket.pause().write(HUGE)],
  ['pipelines and never reads', (socket) => socket.pause().write(HUGE.repeat(10))],
  [
    'asks again after it stopped reading',
    (socket) => socket.once('data', () => socket.pause().write(HUGE)).write(HUGE),
  ],
  ['stops in the middle of the answer', (socket) => socket.once('data', () => socket.pause()).write(HUGE)],
  ['reads one byte at a time', (socket) => socket.once('readable', () => trickle(socket)).write(HUGE)],
  ['closes its side and never reads', (socket) => socket.pause().end(HUGE)],
  ['closes its side in the middle', (socket) => socket.once('data', () => socket.pause().end()).write(HUGE)],
  ['sends further requests without reading', (socket) => socket.pause().write(HUGE + SMALL.repeat(20))],
];

function trickle(socket: Socket): void {
  socket.read(1);
  if (!socket.destroyed) setTimeout(() => trickle(socket), 20).unref();
}

/** The server of the service, with responses that cost nothing to make. */
async function serve(write: number) {
  const app = express();
  const handled = { running: 0, most: 0 };
  const reply = (response: Response, body: string) => new Reply(body).send(response);
  app.get('/huge', (_request, response) => reply(response, HUGE_BODY));
  app.get('/small{/:status}', ({ params: { status } }, response) => {
    handled.most = Math.max(handled.most, (handled.running += 1));
    setImmediate(() => {
      handled.running -= 1;
      reply(response.status(Number(status ?? 200)), '{}');
    });
  });
  const server = createExpressServer(app, { request: 60_000, write });
  server.keepAliveTimeout = 600_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, handled, client: (): Promise<Connection> => connected(server) };
}

type Connection = [client: Socket, kept: Socket];

/** A client's connection, and the service's end of it. */
async function connected(server: Server): Promise<Connection> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  return [client, (await accepted)[0]];
}

/** Sends requests and collects what comes back until the service closes the connection. */
async function exchange([client]: Connection, bytes: string): Promise<string> {
  const received: Buffer[] = [];
  client.on('data', (chunk) => received.push(chunk));
  client.write(bytes);
  await once(client, 'close');
  return Buffer.concat(received).toString();
}

const untilWaiting = (kept: Socket) =>
  eventually(() => kept.writableLength > 0 || kept.destroyed, 20_000, 'the answer waits for its reader');
const untilClosed = (kept: Socket) => eventually(() => kept.destroyed, 20_000, 'the connection is closed');

describe('a server', () => {
  let served: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    served = await serve(TIMEOUT_MS);
  });
  afterAll(() => {
    served.server.close();
    served.server.closeAllConnections();
  });

  test.each(READERS)('a reader that %s is closed, and others are served meanwhile', async (_title, ask) => {
    const [client, kept] = await served.client();
    ask(client);
    await untilWaiting(kept);
    expect(await exchange(await served.client(), LAST)).toMatch(/^HTTP\/1\.1 200 /);
    await untilClosed(kept);
    client.destroy();
  });

  test('an idle connection is not taken for a stalled one', async () => {
    const [client, kept] = await served.client();
    client.resume().write(SMALL);
    await once(client, 'data');
    const [stalled, keptStalled] = await served.client();
    stalled.pause().write(HUGE);
    await untilClosed(keptStalled);
    expect(kept.destroyed).toBe(false);
    stalled.destroy();
  });

  test(`${MAX_WAITING + 1} pipelined requests are answered one after the other, in their order`, async () => {
    const expected = Array.from({ length: MAX_WAITING }, (_item, index) => String(200 + index));
    const requests = expected.map((status) => get(`/small/${status}`)).join('') + LAST;
    const answers = await exchange(await served.client(), requests);
    const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    expect(statuses).toEqual([...expected, '200']);
    expect(served.handled.most).toBe(1);
  });

  test('a connection with more pipelined requests than may wait is closed', async () => {
    const [client, kept] = await served.client();
    client.pause().write(SMALL.repeat(MAX_WAITING + 2));
    await untilClosed(kept);
    client.destroy();
  });
});

test('a reader that takes longer than the time limit, but reads all the time, gets all of a large answer', async () => {
  // Far longer than the machine may keep the reader from reading.
  const patience = 5000;
  const { server, client: open } = await serve(patience);
  const [client] = await open();
  const begin = performance.now();
  let length = 0;
  client.on('data', (chunk: Buffer) => {
    length += chunk.length;
    client.pause();
    // So that the last byte comes when that time is over.
    const due = begin + (1.3 * patience * length) / HUGE_BYTES;
    setTimeout(() => client.resume(), due - performance.now());
  });
  client.write(get('/huge', 'Connection: close\r\n'));
  await once(client, 'close');
  server.close();
  expect(length).toBeGreaterThan(HUGE_BYTES);
});

test('when unread answers take too much together, the reader that has waited longest is closed', async () => {
  const { server, client: open } = await serve(600_000);
  const ends: Connection[] = [];
  for (const place of [0, 1, 2]) {
    const [client, kept] = await open();
    ends.push([client, kept]);
    client.pause().write(HUGE);
    await eventually(() => kept.writableLength > 0, 20_000, `answer ${place} waits for its reader`);
  }
  expect(ends.map(([, kept]) => kept.destroyed)).toEqual([true, false, false]);
  for (const [client] of ends) client.destroy();
  server.close();
});
