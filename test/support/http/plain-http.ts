import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest, type RequestOptions } from 'node:https';

/** A body whose shape the test asserts itself. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

const ANSWER_WITHIN_MS = 20_000;

export interface HttpRequest {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | undefined;
  /** The certificate of a TLS server. */
  readonly certificate?: Buffer | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Each header with all its values. */
  readonly headersDistinct: IncomingMessage['headersDistinct'];
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const tlsAgent = new TlsAgent({ keepAlive: true, maxSockets: 256 });

/** One attempt of a JSON client, with a timeout. */
export function request({ port, method, path, headers, body, certificate }: HttpRequest): Promise<HttpAnswer> {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const options = { method, headers: { ...headers, ...type }, timeout: ANSWER_WITHIN_MS };
  return certificate === undefined
    ? exchange(`http://127.0.0.1:${port}${path}`, { ...options, agent }, body)
    : exchange(`https://127.0.0.1:${port}${path}`, { ...options, agent: tlsAgent, ca: certificate }, body);
}

/**
 * Sends a request and reads the whole response. node:http never retries, which the clients here rely on, and takes less than half the CPU
 * time of fetch.
 */
export function exchange(url: string, options: RequestOptions, body?: string | Uint8Array): Promise<HttpAnswer> {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = send(url, { ...options, headers: { ...length, ...options.headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.once('end', () => {
        // A body that was truncated by a crash ends too, but is not a response.
        if (!response.complete) {
          reject(new Error('The answer was cut off'));
          return;
        }
        const { statusCode = 0, headers, headersDistinct } = response;
        resolve({ status: statusCode, headers, headersDistinct, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`No answer within ${(options.timeout ?? 0) / 1000} s`)));
    sent.on('error', reject).end(body);
  });
}

/** Whether the request cannot have reached the service. */
export function wasRefused(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
}
