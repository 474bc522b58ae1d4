import { connect } from 'node:net';
import type { Answer, Json } from './api.js';

const GIVE_UP_MS = 30_000;

/** Sends raw bytes and waits until the service closes the connection. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const received: Buffer[] = [];
    socket.setTimeout(GIVE_UP_MS, () => {
      reject(new Error(`The connection is still open after: ${Buffer.concat(received).toString()}`));
      socket.destroy();
    });
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(received).toString()));
  });
}

/** Parses the only response on a connection; a second one would break the JSON. */
export function readAnswer(raw: string): Answer<Json> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  const text = rest.join('\r\n\r\n');
  expect(headers.get('Content-Length')).toBe(String(Buffer.byteLength(text)));
  return { status: Number(statusLine.split(' ')[1]), headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** A request as bytes, with headers in the given order and spelling, after which the service closes the connection. */
export function rawRequest(
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
  body = '',
): Buffer {
  const length: [string, string][] = body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))]];
  const lines = [['Host', 'localhost'], ['Connection', 'close'], ...headers, ...length];
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}
