import { Agent } from 'node:http';
import { Conformance, isJson } from '../records/conformance.js';
import { exchange, type HttpAnswer, type Json } from './plain-http.js';

export type { Json };

/** A response with its parsed JSON. */
export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

type HeaderValues = Record<string, string>;

/** A thin HTTP client. It checks every response against the OpenAPI document. */
export class Api {
  constructor(
    private readonly base: string,
    private readonly conformance: Pick<Conformance, 'check'> = Conformance.ofFile(),
    private readonly always: HeaderValues = {},
  ) {}

  /** For responses that are not documented: preflight requests, other ports, a broken database. */
  static beyondTheDocument(base: string): Api {
    return new Api(base, { check: () => undefined });
  }

  /** The same client with additional headers. */
  as(headers: HeaderValues): Api {
    return new Api(this.base, this.conformance, headers);
  }

  get<Body = Json>(path: string, headers?: HeaderValues): Promise<Answer<Body>> {
    return this.send('GET', path, undefined, headers);
  }

  post<Body = Json>(path: string, body: unknown, headers?: HeaderValues): Promise<Answer<Body>> {
    return this.send('POST', path, body, headers);
  }

  patch<Body = Json>(
    path: string,
    eTag: string | undefined,
    body: unknown,
    headers?: HeaderValues,
  ): Promise<Answer<Body>> {
    return this.send('PATCH', path, body, { ...ifMatch(eTag), ...headers });
  }

  put<Body = Json>(
    path: string,
    eTag: string | undefined,
    body: unknown,
    headers?: HeaderValues,
  ): Promise<Answer<Body>> {
    return this.send('PUT', path, body, { ...ifMatch(eTag), ...headers });
  }

  delete<Body = Json>(path: string, headers?: HeaderValues): Promise<Answer<Body>> {
    return this.send('DELETE', path, undefined, headers);
  }

  async send<Body = Json>(
    method: string,
    path: string,
    body?: unknown,
    headers: HeaderValues = {},
  ): Promise<Answer<Body>> {
    const type: HeaderValues = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const written = body === undefined || isWritten(body) ? body : JSON.stringify(body);
    const options = { method, agent, headers: { ...type, ...this.always, ...headers } };
    const response = await exchange(this.base + path, options, written);
    const received = headersOf(response);
    const isRead = isJson(received.get('Content-Type')) && response.body !== '';
    const answer = {
      status: response.status,
      headers: received,
      body: (isRead ? JSON.parse(response.body) : undefined) as Body,
    };
    this.conformance.check({ method, path, sent: body, ...answer });
    return answer;
  }
}

const agent = new Agent({ keepAlive: true });

/** Like fetch: joins all values of a name. */
function headersOf({ headersDistinct }: HttpAnswer): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

/** A body that is sent unchanged. */
function isWritten(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function ifMatch(eTag: string | undefined): HeaderValues {
  return eTag === undefined ? {} : { 'If-Match': eTag };
}

/**
 * An If-Match with two versions, the second of which does not exist. Requests with a single version wait for each other in memory; these
 * are each checked in a transaction, as if they came through different replicas.
 */
export function ifMatchAmongTwo(eTag: string): { 'If-Match': string } {
  return { 'If-Match': `"${eTag}", "${'0'.repeat(64)}"` };
}
