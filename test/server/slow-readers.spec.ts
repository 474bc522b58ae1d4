import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { MAX_WAITING } from '../../src/server/pipelining.js';
import { makeCertificate } from '../support/service/certificate.js';
import { eventually } from '../support/races/eventually.js';
import { HUGE_LIST, insertLargeShipments } from '../support/database/large-lists.js';
import { shareOf } from '../support/repository/sweeps.js';
import { startService, type TestService } from '../support/service/service.js';

const TIMEOUT_MS = 400;

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const HUGE = get(HUGE_LIST);

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
  ['goes on asking for small things', (socket) => socket.pause().write(HUGE + get('/v1/moves').repeat(20))],
];

function trickle(socket: Socket): void {
  socket.read(1);
  if (!socket.destroyed) setTimeout(() => trickle(socket), 100).unref();
}

const folder = mkdtempSync(join(tmpdir(), 'waybill-readers-'));
const { certFile, keyFile } = makeCertificate(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const PLAIN = { environment: {}, event: 'connection', open: (port: number) => connect(port, '127.0.0.1') };
const TLS = {
  environment: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile },
  event: 'secureConnection',
  open: (port: number) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }),
};

describe.each([
  ['HTTP', PLAIN, READERS],
  ['TLS', TLS, shareOf(READERS, 0, 3)],
])('over %s', (_, { environment, event, open }, readers) => {
  let service: TestService;
  let server: Server;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    service = await startService({ WRITE_TIMEOUT_MS: String(TIMEOUT_MS), POOL_SIZE: '2', ...environment });
    server = service.app.getHttpServer();
    await insertLargeShipments(service.sql);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await service.stop();
  });

  /** A client's connection, and the service's end of it. */
  async function connected(): Promise<[client: Socket, server: Socket]> {
    const accepted = once(server, event) as Promise<[Socket]>;
    const client = open(service.port).on('error', () => undefined);
    sockets.push(client);
    return [client, (await accepted)[0]];
  }

  /** Sends requests and collects what comes back until the service closes the connection. */
  async function exchange(bytes: string): Promise<string> {
    const [client] = await connected();
    const received: Buffer[] = [];
    client.on('data', (chunk) => received.push(chunk));
    client.write(bytes);
    await once(client, 'close');
    return Buffer.concat(received).toString();
  }

  test.each(readers)('a reader that %s is closed, and others are served meanwhile', async (_title, ask) => {
    const [client, kept] = await connected();
    ask(client);
    await eventually(() => kept.writableLength > 0 || kept.destroyed, 20_000, 'the answer waits for its reader');
    expect(await exchange(get('/v1/moves', 'Connection: close\r\n'))).toMatch(/^HTTP\/1\.1 200 /);
    await eventually(() => kept.destroyed, 20_000, 'the connection is closed');
  });

  test('a reader that takes longer than WRITE_TIMEOUT_MS, but reads all the time, gets all of a large answer', async () => {
    // Far longer than the machine may keep the reader from reading.
    const patience = 5000;
    const settings = { WRITE_TIMEOUT_MS: String(patience), POOL_SIZE: '2', ...environment };
    const patient = await startService(settings, () => service.databaseUrl);
    const client = open(patient.port);
    const begin = performance.now();
    let length = 0;
    client.on('data', (chunk: Buffer) => {
      length += chunk.length;
      client.pause();
      // So that the last of 15 MB comes when that time is over.
      const due = begin + (1.3 * patience * length) / 15_000_000;
      setTimeout(() => client.resume(), due - performance.now());
    });
    client.write(get(HUGE_LIST, 'Connection: close\r\n'));
    await once(client, 'close');
    expect(length).toBeGreaterThan(14_000_000);
    await patient.stop();
  });

  test('an idle connection is not taken for a stalled one', async () => {
    const [client, kept] = await connected();
    client.resume().write(get('/v1/moves'));
    await once(client, 'data');
    const [stalled, keptStalled] = await connected();
    stalled.pause().write(HUGE);
    await eventually(() => keptStalled.destroyed, 20_000, 'a connection that stalled later is closed');
    expect(kept.destroyed).toBe(false);
  });

  test(`${MAX_WAITING + 1} pipelined requests are answered one after the other, in their order`, async () => {
    const { rows } = await service.sql.query<{ id: string }>('SELECT id FROM moves LIMIT 1');
    const id = rows[0]?.id ?? '';
    const paths = Array.from({ length: MAX_WAITING }, (_item, index) => `/v1/moves/${index % 2 === 0 ? id : index}`);
    const answers = await exchange(paths.map((path) => get(path)).join('') + get('/v1/moves', 'Connection: close\r\n'));
    const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    expect(statuses).toEqual([...paths.map((_path, index) => (index % 2 === 0 ? '200' : '404')), '200']);
  });

  test('a connection with more pipelined requests than may wait is closed', async () => {
    const [client, kept] = await connected();
    client.pause().write(get('/v1/moves').repeat(MAX_WAITING + 2));
    await eventually(() => kept.destroyed, 20_000, 'the connection is closed');
  });
});

test('when unread answers take too much together, the reader that has waited longest is closed', async () => {
  const service = await startService({ WRITE_TIMEOUT_MS: '600000', POOL_SIZE: '2' });
  await insertLargeShipments(service.sql);
  const ends: { client: Socket; kept: Socket }[] = [];
  for (const place of [0, 1, 2]) {
    const accepted = once(service.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const client = PLAIN.open(service.port).on('error', () => undefined);
    client.pause().write(HUGE);
    const [kept] = await accepted;
    ends.push({ client, kept });
    await eventually(() => kept.writableLength > 0, 20_000, `answer ${place} waits for its reader`);
  }
  expect(ends.map(({ kept }) => kept.destroyed)).toEqual([true, false, false]);
  for (const { client } of ends) client.destroy();
  await service.stop();
});
