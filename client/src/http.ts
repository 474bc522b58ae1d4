import { isProblem, NoAnswerError, problemError, ProblemError, type Problem } from './errors.js';
import { backoff, pause } from './pause.js';

export interface ClientOptions {
  /** Where the service is, with its scheme, such as `https://waybill.example`. */
  readonly baseUrl: string;
  /**
   * The bearer token, or a function that gives it and may renew it. The function is called before each attempt; after a 401 it is
   * called once more, with the token that was refused.
   */
  readonly token?: string | ((refused?: string) => string | Promise<string>);
  /** The first segment of the paths that have one, the service's `API_PREFIX`. */
  readonly prefix?: string;
  /** Headers to send with every request. Those that the client sets itself, such as `If-Match`, win over them. */
  readonly headers?: ExtraHeaders;
  /** How long one attempt may take. */
  readonly timeoutMs?: number;
  /** How often a request is repeated when it failed in a way that may pass. */
  readonly retries?: number;
  /** Called before each repetition, for logs and metrics. */
  readonly onRetry?: (retry: Retry) => void;
  /** Used instead of the global `fetch`, for proxies, tracing or tests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** A request that failed and is about to be repeated. */
export interface Retry {
  /** Which attempt failed, from 1. */
  readonly attempt: number;
  /** How long the client waits before the next one. */
  readonly delayMs: number;
  /** Why it failed. */
  readonly reason: ProblemError | NoAnswerError;
}

export type ExtraHeaders = Readonly<Record<string, string>>;

export interface CallOptions {
  /** Ends the call, waiting times included. */
  readonly signal?: AbortSignal | undefined;
  /** Headers to send in addition to those of the client. */
  readonly headers?: ExtraHeaders | undefined;
}

/** For calls that write. */
export interface WriteCallOptions extends CallOptions {
  /**
   * Your own key, for a write that must not be done twice even when your program is restarted between two attempts. Without it
   * every write gets a random one.
   */
  readonly idempotencyKey?: string | undefined;
}

type QueryValue = string | number | readonly string[] | undefined;

export interface ApiRequest extends WriteCallOptions {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
}

export interface ApiAnswer<T> {
  readonly body: T;
  readonly headers: Headers;
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A request that got no answer, or another one than it wanted. */
export interface Refusal {
  readonly reason: ProblemError | NoAnswerError;
  /** What Retry-After says. */
  readonly comeBackInMs: number;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A Retry-After beyond this is the caller's to wait for: the call fails at once. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Sends requests, and repeats those that failed in a way that may pass. */
export class Http {
  readonly prefix: string;
  private readonly baseUrl: string;
  private readonly retries: number;

  constructor(private readonly options: ClientOptions) {
    this.prefix = options.prefix ?? 'prime';
    this.baseUrl = checkedBaseUrl(options.baseUrl);
    this.retries = options.retries ?? 5;
  }

  /**
   * All attempts of a write carry the same Idempotency-Key: when only the answer was lost, the service gives that answer again
   * instead of writing twice, or refusing the second attempt because of the first.
   */
  async send<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
    const { method, idempotencyKey = crypto.randomUUID(), signal } = request;
    const key = method === 'GET' ? undefined : `"${idempotencyKey}"`;
    let refusedToken: string | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const token = await this.token(refusedToken);
      const answer = await this.attempt(request, key, token);
      if (!(answer instanceof NoAnswerError) && answer.status < 300) {
        return { body: readJson<T>(answer), headers: answer.headers };
      }
      const reason = answer instanceof NoAnswerError ? answer : errorOf(answer);
      const needsToken =
        reason.status === 401 && refusedToken === undefined && typeof this.options.token === 'function';
      const comeBackIn = retryAfter(answer);
      if (attempt > this.retries || !(needsToken || mayPass(reason, comeBackIn))) throw reason;
      if (needsToken) refusedToken = token;
      const delayMs = needsToken ? 0 : comeBackIn + backoff(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      this.options.onRetry?.({ attempt, delayMs, reason });
      await pause(delayMs, signal);
    }
  }

  /** The same, when nothing but the body is wanted. */
  async call<T>(request: ApiRequest): Promise<T> {
    return (await this.send<T>(request)).body;
  }

  /**
   * One attempt whose answer is read as it comes, and a second one at once when the token has to be renewed. Whoever reads an answer without
   * an end has to come back by itself anyway.
   */
  async open(request: ApiRequest, signal: AbortSignal): Promise<Response | Refusal> {
    const token = await this.token(undefined);
    const response = await this.openWith(token, request, signal);
    const needsToken =
      'reason' in response && response.reason.status === 401 && typeof this.options.token === 'function';
    return needsToken ? this.openWith(await this.token(token), request, signal) : response;
  }

  private async openWith(
    token: string | undefined,
    request: ApiRequest,
    signal: AbortSignal,
  ): Promise<Response | Refusal> {
    const send = this.prepare(request, undefined, token);
    try {
      const response = await send(signal);
      if (response.status < 300) return response;
      const { status, headers } = response;
      const answer = { status, headers, text: await response.text() };
      return { reason: errorOf(answer), comeBackInMs: retryAfter(answer) };
    } catch (cause) {
      return { reason: noAnswer(request, cause), comeBackInMs: 0 };
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

  private async attempt(
    request: ApiRequest,
    key: string | undefined,
    token: string | undefined,
  ): Promise<RawAnswer | NoAnswerError> {
    const send = this.prepare(request, key, token);
    const timeout = AbortSignal.timeout(this.options.timeoutMs ?? 30_000);
    const { signal } = request;
    try {
      const response = await send(signal ? AbortSignal.any([signal, timeout]) : timeout);
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      return noAnswer(request, cause);
    }
  }

  private prepare(
    { method, path, query, body, ifMatch, headers: extra }: ApiRequest,
    key: string | undefined,
    token: string | undefined,
  ): (signal: AbortSignal) => Promise<Response> {
    const headers = new Headers(this.options.headers);
    for (const [name, value] of Object.entries(extra ?? {})) headers.set(name, value);
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    if (key !== undefined) headers.set('Idempotency-Key', key);
    if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    // Taken out of the options, because a browser's fetch refuses to be called as a method of another object.
    const { fetch: send = fetch } = this.options;
    return (signal) => send(`${this.baseUrl}${path}${queryString(query)}`, { ...init, signal });
  }
}

function noAnswer({ method, path }: ApiRequest, cause: unknown): NoAnswerError {
  return new NoAnswerError(`${method} ${path} got no answer`, undefined, { cause });
}

/** Removes a trailing slash. An invalid address is refused here, not at the first call. */
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

export function readJson<T>({ status, text }: Pick<RawAnswer, 'status' | 'text'>): T {
  if (text === '') return undefined as T;
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new NoAnswerError(`An answer with status ${status} was not JSON`, status, { cause });
  }
}

function errorOf(answer: RawAnswer): ProblemError | NoAnswerError {
  const { status, headers } = answer;
  if (headers.get('Content-Type')?.startsWith('application/problem+json')) {
    return problemError(readJson<Problem>(answer));
  }
  return new NoAnswerError(`An answer with status ${status} was not the service's`, status);
}

/** Statuses that are temporary, whatever the request: of the service, or of a gateway in front of it. */
const TEMPORARY: readonly (number | undefined)[] = [429, 502, 503, 504];

/** Whether the same request may succeed soon enough to wait for it. */
function mayPass(reason: ProblemError | NoAnswerError, comeBackInMs: number): boolean {
  return comeBackInMs <= LONGEST_RETRY_AFTER_MS && isTemporary(reason);
}

/** Whether the same request may succeed later. IDEMPOTENCY_IN_PROGRESS: an earlier attempt of it is still running. */
export function isTemporary(reason: ProblemError | NoAnswerError): boolean {
  return (
    (reason instanceof NoAnswerError && reason.status === undefined) ||
    TEMPORARY.includes(reason.status) ||
    isProblem(reason, 'IDEMPOTENCY_IN_PROGRESS')
  );
}

/** In milliseconds. The header has seconds, or the moment to come back at. */
function retryAfter(answer: RawAnswer | NoAnswerError): number {
  const value = answer instanceof NoAnswerError ? null : answer.headers.get('Retry-After');
  if (value === null) return 0;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return wait > 0 ? wait : 0;
}
