import { connect } from 'node:net';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are, latin-1, and reads until the service closes the connection. */
export async function sendRaw(port: number, bytes: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve());
    socket.on('error', reject);
    socket.setTimeout(10_000, () => socket.destroy(new Error('No answer within 10 s')));
    socket.write(bytes, 'latin1');
  });
  const text = Buffer.concat(chunks).toString('utf8');
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body };
}

/** One request with its headers in the given order and spelling; the service closes the connection after it. */
export function rawRequest(
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
  body = '',
): string {
  const length: [string, string][] = body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))]];
  const lines = [['Host', 'localhost'], ['Connection', 'close'], ...headers, ...length];
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
