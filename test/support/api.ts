import { Conformance, isJson } from './conformance.js';

/** An answer, its JSON read. */
export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

type HeaderValues = Record<string, string>;

/** Real HTTP to the service, with as little of its own as can be. Every answer is held against the service's document. */
export class Api {
  constructor(
    private readonly base: string,
    private readonly conformance: Pick<Conformance, 'check'> = Conformance.ofFile(),
    private readonly always: HeaderValues = {},
  ) {}

  /** For answers that are not of the API as it is documented: of a preflight, of another port, of a broken database. */
  static beyondTheDocument(base: string): Api {
    return new Api(base, { check: () => undefined });
  }

  /** The same service, asked with these headers each time. */
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
    const response = await fetch(this.base + path, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...this.always, ...headers },
      ...(body !== undefined && { body: isWritten(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isRead = isJson(response.headers.get('Content-Type')) && text !== '';
    const answer = {
      status: response.status,
      headers: response.headers,
      body: (isRead ? JSON.parse(text) : undefined) as Body,
    };
    this.conformance.check({ method, path, sent: body, ...answer });
    return answer;
  }
}

/** A body that is sent as it is. */
function isWritten(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function ifMatch(eTag: string | undefined): HeaderValues {
  return eTag === undefined ? {} : { 'If-Match': eTag };
}

/** A body whose shape the test asserts itself. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/**
 * An If-Match that names two versions, of which no record has the second. Requests that name a single version wait for each other in the
 * memory of their process; these are each judged in a transaction, as if every one came through another replica.
 */
export function ifMatchAmongTwo(eTag: string): { 'If-Match': string } {
  return { 'If-Match': `"${eTag}", "${'0'.repeat(64)}"` };
}
