import { NoAnswerError, ProblemError, type Problem } from './errors.js';
import { backoff, pause } from './pause.js';

export interface ClientOptions {
  /** Where the service is, such as `https://waybill.example`. */
  readonly baseUrl: string;
  /** Gives the token for `Authorization`; asked before each attempt, so it may renew it. */
  readonly token?: () => string | Promise<string>;
  /** The first segment of the paths that have one, the service's `API_PREFIX`. */
  readonly prefix?: string;
  /** How long one attempt may take. */
  readonly timeoutMs?: number;
  /** How often a request is repeated when it got no answer, or one that asks to come back later. */
  readonly retries?: number;
}

export interface CallOptions {
  /** Ends the call, waiting times included. */
  readonly signal?: AbortSignal | undefined;
}

type QueryValue = string | number | readonly string[] | undefined;

export interface ApiRequest extends CallOptions {
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

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** Sends requests, each until it has an answer that counts. */
export class Http {
  readonly prefix: string;
  private readonly baseUrl: string;
  private readonly token: ClientOptions['token'];
  private readonly timeoutMs: number;
  private readonly retries: number;

  constructor({ baseUrl, token, prefix = 'prime', timeoutMs = 30_000, retries = 5 }: ClientOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.token = token;
    this.prefix = prefix;
    this.timeoutMs = timeoutMs;
    this.retries = retries;
  }

  /**
   * Every write has a key of its own, the same in all attempts: when only the answer was lost, the service gives that answer again
   * instead of writing twice, or refusing the second attempt because of the first.
   */
  async send<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
    const key = request.method === 'GET' ? undefined : `"${crypto.randomUUID()}"`;
    for (let failures = 1; ; failures += 1) {
      const answer = await this.attempt(request, key);
      const isLast = failures > this.retries;
      if (answer instanceof NoAnswerError) {
        if (isLast) throw answer;
        await pause(backoff(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), request.signal);
        continue;
      }
      if (answer.status < 300) return { body: read<T>(answer), headers: answer.headers };
      const error = errorOf(answer);
      if (isLast || !asksToComeBack(answer.status, error)) throw error;
      await pause(retryAfter(answer) + backoff(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), request.signal);
    }
  }

  /** The same, when nothing but the body is wanted. */
  async call<T>(request: ApiRequest): Promise<T> {
    return (await this.send<T>(request)).body;
  }

  private async attempt(request: ApiRequest, key: string | undefined): Promise<RawAnswer | NoAnswerError> {
    const { method, path, query, body, ifMatch, signal } = request;
    const headers = new Headers();
    if (this.token) headers.set('Authorization', `Bearer ${await this.token()}`);
    if (key !== undefined) headers.set('Idempotency-Key', key);
    if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const timeout = AbortSignal.timeout(this.timeoutMs);
    try {
      const response = await fetch(`${this.baseUrl}${path}${queryString(query)}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      return new NoAnswerError(`${method} ${path} got no answer`, undefined, { cause });
    }
  }
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

function read<T>({ status, text }: RawAnswer): T {
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
    return new ProblemError(read<Problem>(answer));
  }
  return new NoAnswerError(`An answer with status ${status} was not the service's`, status);
}

/** The first attempt may still be running when a second one asks for its answer: then its key is in progress. */
function asksToComeBack(status: number, error: ProblemError | NoAnswerError): boolean {
  const isStillRunning = error instanceof ProblemError && error.code === 'IDEMPOTENCY_IN_PROGRESS';
  return status === 429 || status === 503 || isStillRunning;
}

/** In milliseconds. The header has seconds, or the moment to come back at. */
function retryAfter({ headers }: RawAnswer): number {
  const value = headers.get('Retry-After');
  if (value === null) return 0;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return wait > 0 ? wait : 0;
}
