import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';

const ANSWER_WITHIN_MS = 20_000;

export interface HttpRequest {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | undefined;
  /** The certificate of a server that speaks TLS. */
  readonly certificate?: Buffer | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const tlsAgent = new TlsAgent({ keepAlive: true, maxSockets: 256 });

/** One attempt: node:http sends a request once and never again by itself, which the clients here rely on. */
export function request({ port, method, path, headers, body, certificate }: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length =
      body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const options = { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } };
    const sent =
      certificate === undefined
        ? httpRequest({ ...options, agent })
        : httpsRequest({ ...options, agent: tlsAgent, ca: certificate });
    sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error(`No answer within ${ANSWER_WITHIN_MS / 1000} s`)));
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        // A body that was cut off by the crash ends too; it is no answer.
        if (!response.complete) {
          reject(new Error('The answer was cut off'));
          return;
        }
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    sent.end(body);
  });
}

/** Whether the request cannot have reached anybody. */
export function wasRefused(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
}
