import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultOf, type Received } from './client.js';
import { rowCounts, type Hostile } from './suite.js';

const GIVE_UP_MS = 30_000;

/** Pieces to send over a connection, with a pause before each but the first. */
export interface Wire {
  readonly pieces: readonly (string | Buffer)[];
  readonly pauseMs?: number;
}

/** Sends bytes as they are and reads every answer until the service closes the connection, which it must. */
export async function answersTo(port: number, { pieces, pauseMs = 0 }: Wire): Promise<Received[]> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve());
    // The service may close while something is still being sent; what it answered before counts.
    socket.on('error', () => undefined);
    setTimeout(() => reject(new Error(`Still open after ${Buffer.concat(chunks).toString()}`)), GIVE_UP_MS).unref();
  });
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(pauseMs);
    if (socket.writable) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  }
  await closed.finally(() => socket.destroy());
  return parse(Buffer.concat(chunks));
}

function parse(bytes: Buffer): Received[] {
  const answers: Received[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString().split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (end === -1 || Number.isNaN(status)) throw new Error(`No answer: ${rest.toString()}`);
    answers.push({ status, headers, text: rest.subarray(end + 4, end + 4 + length).toString() });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

/** A request with these lines under its request line. */
export function lines(...all: string[]): string {
  return [...all, '', ''].join('\r\n');
}

/** Sends all at once, because most of these connections stay open for a second or more; returns a line for each that is not refused. */
export async function notRefused(
  { sql, port }: Pick<Hostile, 'sql' | 'port'>,
  cases: readonly (readonly [name: string, pieces: readonly (string | Buffer)[], status: number, code: string])[],
  pauseMs = 0,
): Promise<string[]> {
  const before = await rowCounts(sql);
  const faults = await Promise.all(
    cases.map(async ([name, pieces, status, code]) => {
      const [answer, ...more] = await answersTo(port, { pieces, pauseMs });
      if (answer === undefined || more.length > 0) return [`${name}: not one answer`];
      const { connection, 'cache-control': caching } = answer.headers;
      const fault = faultOf(answer, { status, code });
      if (fault !== undefined) return [`${name}: ${fault}`];
      return connection === 'close' && caching === 'no-store'
        ? []
        : [`${name}: ${String(connection)}, ${String(caching)}`];
    }),
  );
  return [...faults.flat(), ...((await rowCounts(sql)) === before ? [] : ['Something was stored'])];
}
