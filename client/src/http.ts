import { mayBeDone, type NoAnswerError, type ProblemError } from './errors.js';
import { answerIn, foreign, isSuccess, mayPass, noAnswer, refusalOf, type ApiAnswer, type Refusal } from './answers.js';
import { Connection } from './connection.js';
import type { Expected } from './expected.js';
import { wholeFile, type OpenFile } from './whole-file.js';
import { backoff, pause } from './pause.js';

export interface ClientOptions {
  /** The URL of the service, such as `https://waybill.example`. */
  readonly baseUrl: string;
  /**
   * The bearer token, or a function that returns it. The function is called before each attempt and, after a 401, once more with the
   * rejected token, to renew it.
   */
  readonly token?: string | ((refused?: string) => string | Promise<string>);
  /** The service's `API_PREFIX`. */
  readonly prefix?: string;
  /** Headers to send with every request. Headers that the client sets, such as `If-Match`, take precedence. */
  readonly headers?: ExtraHeaders;
  /** Timeout of one attempt. */
  readonly timeoutMs?: number;
  /** How often a request is retried after a transient error. */
  readonly retries?: number;
  /** Called before each retry, for logs and metrics. */
  readonly onRetry?: (retry: Retry) => void;
  /** Used instead of the global `fetch`, for proxies, tracing or tests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** A failed request that is about to be retried. */
export interface Retry {
  /** The number of the failed attempt, from 1. */
  readonly attempt: number;
  /** The pause before the next attempt. */
  readonly delayMs: number;
  /** Why it failed. */
  readonly reason: ProblemError | NoAnswerError;
}

export type ExtraHeaders = Readonly<Record<string, string>>;

export interface CallOptions {
  /** Aborts the call, including pauses. */
  readonly signal?: AbortSignal | undefined;
  /** Headers to send in addition to those of the client. */
  readonly headers?: ExtraHeaders | undefined;
}

/** For calls that write. */
export interface WriteCallOptions extends CallOptions {
  /**
   * Your own key, for a write that must not be done twice even if your program restarts between two attempts. By default every write gets
   * a random one.
   */
  readonly idempotencyKey?: string | undefined;
}

type QueryValue = string | number | readonly string[] | undefined;

export interface ApiRequest extends OpenRequest {
  /** What the response must be. */
  readonly expected: Expected;
  /** Timeout of one attempt, if different from the default. */
  readonly timeoutMs?: number;
}

export interface FileRequest extends CallOptions {
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** The media types that the file may have. */
  readonly types: readonly string[];
}

export interface OpenRequest extends WriteCallOptions {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** A body that is sent unchanged. */
  readonly file?: { readonly type: string; readonly content: string | Blob | Uint8Array<ArrayBuffer> };
  readonly ifMatch?: string | undefined;
}

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;
/** The service may be silent for a while in the middle of a file. */
const MIN_SILENCE_MS = 60_000;

/** Sends requests and retries transient errors. */
export class Http {
  readonly prefix: string;
  private readonly baseUrl: string;
  private readonly retries: number;
  private readonly timeoutMs: number;

  constructor(private readonly options: ClientOptions) {
    this.prefix = options.prefix ?? 'prime';
    this.baseUrl = checkedBaseUrl(options.baseUrl);
    this.retries = options.retries ?? 5;
    this.timeoutMs = options.timeoutMs ?? 30_000;
  }

  /**
   * All attempts of a write carry the same Idempotency-Key: if only the response was lost, the service replays it instead of writing twice
   * or rejecting the second attempt because of the first.
   */
  async send<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
    const { method, idempotencyKey = crypto.randomUUID(), signal } = request;
    const key = method === 'GET' ? undefined : `"${idempotencyKey}"`;
    return this.untilAnswered((token) => this.attempt<T>(request, key, token), signal);
  }

  /** Retries an attempt after transient errors. */
  private async untilAnswered<A extends object>(
    attemptWith: (token: string | undefined) => Promise<A | Refusal>,
    signal: AbortSignal | undefined,
  ): Promise<A> {
    let refusedToken: string | undefined;
    let isOpen = false;
    for (let attempt = 1; ; attempt += 1) {
      const token = await this.token(refusedToken);
      const answer = await attemptWith(token);
      if (!('reason' in answer)) return answer;
      const { reason, comeBackInMs } = answer;
      reason.mayBeDone = isOpen = mayBeDone(reason, isOpen);
      const needsToken =
        reason.status === 401 && refusedToken === undefined && typeof this.options.token === 'function';
      if (attempt > this.retries || !(needsToken || mayPass(reason, comeBackInMs))) throw reason;
      if (needsToken) refusedToken = token;
      const delayMs = needsToken ? 0 : comeBackInMs + backoff(attempt, FIRST_PAUSE_MS, MAX_PAUSE_MS);
      this.options.onRetry?.({ attempt, delayMs, reason });
      await pause(delayMs, signal);
    }
  }

  /** Like `send`, but returns only the body. */
  async call<T>(request: ApiRequest): Promise<T> {
    return (await this.send<T>(request)).body;
  }

  /** A file, as a stream that fails unless it arrives whole. The timeout applies to its beginning and to each pause. */
  async file(request: FileRequest): Promise<ReadableStream<Uint8Array>> {
    const opened = await this.untilAnswered((token) => this.begin(request, token), request.signal);
    return wholeFile(request, opened, Math.max(this.timeoutMs, MIN_SILENCE_MS));
  }

  private async begin(request: FileRequest, token: string | undefined): Promise<OpenFile | Refusal> {
    const { signal, types, headers } = request;
    const connection = new Connection(signal);
    const sent = { ...request, method: 'GET', headers: { ...headers, Accept: types.join(', ') } } as const;
    const answer = await connection.within(this.timeoutMs, () => this.openWith(token, sent, connection.signal));
    if (!('reason' in answer)) {
      const type = types.find((each) => answer.headers.get('Content-Type')?.startsWith(each));
      const { status, body } = answer;
      if (status === 200 && type !== undefined && body !== null) return { type, body, connection };
    }
    connection.close();
    signal?.throwIfAborted();
    return 'reason' in answer ? answer : foreign(sent, answer.status);
  }

  /**
   * One attempt with a streamed response, and a second one at once if the token must be renewed. Readers of endless responses reconnect
   * themselves anyway.
   */
  async open(request: OpenRequest, signal: AbortSignal): Promise<Response | Refusal> {
    const token = await this.token(undefined);
    const response = await this.openWith(token, request, signal);
    const needsToken =
      'reason' in response && response.reason.status === 401 && typeof this.options.token === 'function';
    return needsToken ? this.openWith(await this.token(token), request, signal) : response;
  }

  private async openWith(
    token: string | undefined,
    request: OpenRequest,
    signal: AbortSignal,
  ): Promise<Response | Refusal> {
    const send = this.prepare(request, undefined, token);
    try {
      const response = await send(signal);
      if (isSuccess(response)) return response;
      const { status, headers } = response;
      return refusalOf({ status, headers, text: await response.text() });
    } catch (cause) {
      return noAnswer(request, cause);
    }
  }

  /** Calls `onRetry` for a retry that `send` does not make. */
  tellOfRetry(retry: Retry): void {
    this.options.onRetry?.(retry);
  }

  private async token(refused: string | undefined): Promise<string | undefined> {
    const { token } = this.options;
    return typeof token === 'function' ? token(refused) : token;
  }

  private async attempt<T>(
    request: ApiRequest,
    key: string | undefined,
    token: string | undefined,
  ): Promise<ApiAnswer<T> | Refusal> {
    const send = this.prepare(request, key, token);
    const { signal, expected, timeoutMs = 0 } = request;
    const connection = new Connection(signal);
    try {
      return await connection.within(Math.max(this.timeoutMs, timeoutMs), async () => {
        const response = await send(connection.signal);
        const { status, headers } = response;
        return answerIn<T>(request, expected, { status, headers, text: await response.text() });
      });
    } catch (cause) {
      signal?.throwIfAborted();
      return noAnswer(request, cause);
    } finally {
      connection.close();
    }
  }

  private prepare(
    { method, path, query, body, file, ifMatch, headers: extra }: OpenRequest,
    key: string | undefined,
    token: string | undefined,
  ): (signal: AbortSignal) => Promise<Response> {
    if (LEADS_ELSEWHERE.test(path)) throw new TypeError(`${path} is no path of the API: an id must not be empty.`);
    const headers = new Headers(this.options.headers);
    for (const [name, value] of Object.entries(extra ?? {})) headers.set(name, value);
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    if (key !== undefined) headers.set('Idempotency-Key', key);
    if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (file !== undefined) headers.set('Content-Type', file.type);
    // A redirected POST would become a GET, and any other request would show its body and credentials to another server.
    const redirect = 'manual' as const;
    const content = body === undefined ? (file?.content ?? null) : JSON.stringify(body);
    const init = { method, headers, redirect, body: content };
    // Destructured, because a browser's fetch must not be called as a method of another object.
    const { fetch: send = fetch } = this.options;
    return (signal) => send(`${this.baseUrl}${path}${queryString(query)}`, { ...init, signal });
  }
}

/** An empty name, `.` or `..` in a path addresses something else, such as the list instead of a record. */
const LEADS_ELSEWHERE = /\/\.{0,2}(?:\/|$)/;

/** Removes a trailing slash. Rejects an invalid URL here, not at the first call. */
function checkedBaseUrl(baseUrl: string): string {
  const url = /^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined) {
    throw new TypeError(
      `baseUrl must be an address with its scheme, such as "https://waybill.example", but is ${JSON.stringify(baseUrl)}.`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must have no user, password, query or fragment. Give credentials as `token`.');
  }
  return baseUrl.replace(/\/+$/, '');
}

function queryString(query: ApiRequest['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const values = Array.isArray(value) ? (value as readonly string[]) : [String(value)];
    for (const each of values) parameters.append(name, each);
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
