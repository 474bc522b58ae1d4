import { Agent, request } from 'node:http';
import type { Json } from '../../../test/support/http/api.js';

/** A request as it goes over the wire. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Answer extends Received {
  readonly sent: Sent;
  readonly body: Json;
}

const IN_FLIGHT = 32;
const ANSWER_WITHIN_MS = 60_000;
const MAX_SHOWN_LENGTH = 4000;

/** Kept connections to one service, several requests in flight. */
export class Wire {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });

  constructor(private readonly port: number) {}

  send({ method, path, headers, body }: Sent): Promise<Received> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const options = { agent: this.agent, host: '127.0.0.1', port: this.port, method, path };
      const outgoing = request({ ...options, headers: { ...headers, ...length } }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer.rawHeaders), text });
        });
      });
      outgoing.setTimeout(ANSWER_WITHIN_MS, () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  return headers;
}

/** The request for people, so that it can be sent again by hand. */
export function shown({ method, path, headers = {}, body }: Sent): string {
  const lines = [`${method} ${path}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  if (body === undefined) return lines.join('\n');
  const text = typeof body === 'string' ? visible(body) : `(base64) ${body.toString('base64')}`;
  return [
    ...lines,
    '',
    text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}... (${text.length})` : text,
  ].join('\n');
}

/** A text in which nothing hides. */
function visible(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
