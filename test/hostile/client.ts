import { Agent, request } from 'node:http';
import type { Json } from '../support/http/api.js';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

export interface Received {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Sends one request after another over one connection; thousands of them take less time than with fetch. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly port: number) {}

  send({ method, path, headers, body }: Sent): Promise<Received> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const options = { agent: this.agent, port: this.port, host: '127.0.0.1', method, path };
      const outgoing = request({ ...options, headers: { ...headers, ...length } }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** An expected refusal: the status and code of the problem, and "pointer CODE" of each invalid field. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly faults?: readonly string[];
  /** How many faults there are in all, when that is more than are named here. */
  readonly count?: number | 'any';
}

const LARGEST_ANSWER = 8192;
const INTERNALS =
  /\n\s+at |node_modules|\.[jt]s:\d|SQLSTATE|syntax error|relation "|column "|violates|duplicate key|invalid input/;

/** Why an answer is not this refusal in the one payload; undefined when it is. */
export function faultOf({ status, headers, text }: Received, expected: Refusal): string | undefined {
  const said = `${status} ${text.slice(0, 300)}`;
  if (status !== expected.status) return `${said} instead of ${expected.status} ${expected.code}`;
  if (headers['content-type'] !== 'application/problem+json')
    return `a content type of ${String(headers['content-type'])}`;
  if (Buffer.byteLength(text) > LARGEST_ANSWER) return `an answer of ${Buffer.byteLength(text)} bytes`;
  if (INTERNALS.test(text)) return `internals: ${said}`;
  const body = JSON.parse(text);
  const texts = ['type', 'title', 'detail', 'instance', 'code', 'requestID'].filter((m) => typeof body[m] !== 'string');
  if (texts.length > 0) return `no ${texts.join()}: ${said}`;
  if (body.status !== status || body.code !== expected.code) return `${said} instead of ${expected.code}`;
  if (!body.type.endsWith(`/problems/${body.code}`) || body.instance.includes('?')) return `a bad payload: ${said}`;
  if (body.requestID !== headers['x-request-id']) return 'a requestID that is not the one of its header';
  return expected.faults && faultsDiffer(body, expected.faults, expected.count ?? expected.faults.length);
}

function faultsDiffer(body: Json, expected: readonly string[], count: number | 'any'): string | undefined {
  const found: string[] = (body.errors ?? []).map(({ pointer, code }: Json) => `${pointer} ${code}`);
  if (found.length > 20) return 'more than 20 errors';
  const missing = expected.filter((fault) => !found.includes(fault));
  if (missing.length > 0) return `[${found.join('; ')}] instead of ${missing.join('; ')}`;
  return count === 'any' || body.errorCount === count
    ? undefined
    : `${body.errorCount} errors instead of ${count}: ${found.join('; ')}`;
}
