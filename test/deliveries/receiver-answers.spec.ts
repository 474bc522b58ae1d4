import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync, readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callReceiver, type CallResult } from '../../src/deliveries/receiver-call.js';
import { ReceiverAddresses } from '../../src/webhooks/receiver-addresses.js';
import { makeCertificate } from '../support/service/certificate.js';

/** For URLs with addresses. */
const noNames = () => Promise.reject(new Error('The URL has a name'));
const addresses = new ReceiverAddresses(['127.0.0.0/8', '::1']);
let open: Server | undefined;
const sockets = new Set<Socket>();

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  open?.close();
});

/** Calls a receiver that does this with each connection once it has received the request. */
async function callWith(behave: (socket: Socket) => void, signal = new AbortController().signal): Promise<CallResult> {
  open = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => behave(socket));
  });
  await new Promise<void>((resolve) => open?.listen(0, '127.0.0.1', resolve));
  const { port } = open.address() as AddressInfo;
  return callReceiver({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}', signal }, addresses, noNames);
}

test('an endless answer is read up to its limit', async () => {
  let written = 0;
  const result = await callWith((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(16_384))) written += 16_384;
    };
    socket.on('drain', more);
    more();
  });
  expect(result).toMatchObject({ status: 200, answer: 'x'.repeat(1024) });
  expect(written).toBeLessThan(32 * 1024 * 1024);
});

test('a kilobyte of an error is kept, such as that of a certificate with many names', async () => {
  const names = () => Promise.reject(new Error('x'.repeat(100_000)));
  const call = { url: 'https://a.example/', headers: {}, body: '{}', signal: new AbortController().signal };
  expect((await callReceiver(call, addresses, names)).error).toBe('x'.repeat(1024));
});

test('a call leaves nothing at the signal that outlives it', async () => {
  const { signal } = new AbortController();
  let during = 0;
  await callWith((socket) => {
    during = getEventListeners(signal, 'abort').length;
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  }, signal);
  expect([during, getEventListeners(signal, 'abort').length]).toEqual([1, 0]);
});

test('a slow drip ends at the deadline of the whole exchange', async () => {
  const deadline = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  let drops = 0;
  const result = await callWith((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => {
      socket.write('x');
      drops += 1;
      if (drops === 5) deadline.abort();
    }, 20);
    socket.on('close', () => clearInterval(drip));
  });
  expect(timeout).toHaveBeenCalledWith(15_000);
  timeout.mockRestore();
  expect(result).toMatchObject({ status: null, error: 'No complete answer within 15 seconds' });
});

test.each<[string, (socket: Socket) => void]>([
  ['a reset', (socket) => socket.resetAndDestroy()],
  ['a close before the answer', (socket) => socket.end()],
  ['a close in the middle', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf')],
  ['nonsense', (socket) => socket.end('nonsense\r\n\r\n')],
  ['huge headers', (socket) => socket.end(`HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`)],
])('%s is a failure', async (_, behave) => {
  expect(await callWith(behave)).toMatchObject({ status: null, error: expect.stringMatching(/./) });
});

test('a zero byte in the answer can be stored', async () => {
  const { answer } = await callWith((socket) => socket.end('HTTP/1.1 500 X\r\nContent-Length: 3\r\n\r\na\0b'));
  expect(answer).toBe('a\uFFFDb');
});

test('a call that is aborted ends at once', async () => {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(new Error('The service is stopping')), 100);
  const result = await callWith(() => undefined, stopping.signal);
  expect(result).toMatchObject({ status: null, error: 'The service is stopping' });
  expect(result.durationMs).toBeLessThan(5000);
});

test('a certificate that no authority has signed is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-receiver-'));
  const { cert, keyFile } = makeCertificate(folder);
  let requests = 0;
  const server = createHttpsServer({ cert, key: readFileSync(keyFile) }, (_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const signal = new AbortController().signal;
  const result = await callReceiver(
    { url: `https://127.0.0.1:${port}/`, headers: {}, body: '{}', signal },
    addresses,
    noNames,
  );
  expect([result.error, requests]).toEqual([expect.stringMatching(/self-signed/), 0]);
  server.close();
  rmSync(folder, { recursive: true });
});
