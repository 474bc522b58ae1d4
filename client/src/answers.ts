import { isAnyProblem, isProblem, NoAnswerError, problemError, type Problem, type ProblemError } from './errors.js';
import { isObject, type Expected } from './expected.js';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ApiAnswer<T> {
  readonly body: T;
  readonly headers: Headers;
}

/** A request that got no response, or an error. */
export interface Refusal {
  readonly reason: ProblemError | NoAnswerError;
  /** The value of Retry-After. */
  readonly comeBackInMs: number;
}

/** If Retry-After is longer than this, the call fails at once. */
const MAX_RETRY_AFTER_MS = 60_000;

type Named = Readonly<Record<'method' | 'path', string>>;

export function noAnswer({ method, path }: Named, cause: unknown): Refusal {
  return { reason: new NoAnswerError(`${method} ${path} got no response`, undefined, { cause }), comeBackInMs: 0 };
}

/** The body of a response that the call expects; anything else is a refusal. */
export function answerIn<T>(request: Named, expected: Expected, answer: RawAnswer): ApiAnswer<T> | Refusal {
  const { status, headers, text } = answer;
  if (!isSuccess(answer)) return refusalOf(answer);
  const body = text === '' ? undefined : parsed(text);
  if (expected({ status, body })) return { body: body as T, headers };
  return foreign(request, status);
}

/** A response that is not what the request asked for, so it does not come from the service. */
export function foreign({ method, path }: Named, status: number): Refusal {
  const message = `A response with status ${status} to ${method} ${path} did not come from the service`;
  return { reason: new NoAnswerError(message, status), comeBackInMs: 0 };
}

export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

export function refusalOf(answer: RawAnswer): Refusal {
  return { reason: errorOf(answer), comeBackInMs: retryAfter(answer.headers) };
}

/** Undefined if the text is not JSON; JSON has no such value. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorOf({ status, headers, text }: RawAnswer): ProblemError | NoAnswerError {
  const isJson = headers.get('Content-Type')?.startsWith('application/problem+json') === true;
  const body = isJson ? parsed(text) : undefined;
  if (isObject(body) && typeof body['code'] === 'string' && body['status'] === status) {
    return problemError(body as unknown as Problem);
  }
  return new NoAnswerError(`${reasonFor(status, headers)} did not come from the service`, status);
}

/** A browser hides where a redirect leads, and its status is 0. */
function reasonFor(status: number, headers: Headers): string {
  const isRedirect = status === 0 || (status >= 300 && status < 400 && status !== 304);
  if (!isRedirect) return `A response with status ${status}`;
  const target = headers.get('Location') ?? 'another address';
  return `A redirect with status ${status} to ${target}, which the client does not follow,`;
}

/** Transient statuses of the service or of a gateway in front of it. */
const TEMPORARY: readonly (number | undefined)[] = [429, 502, 503, 504];

/** Whether to retry: the same request may succeed soon. */
export function mayPass(reason: ProblemError | NoAnswerError, comeBackInMs: number): boolean {
  return comeBackInMs <= MAX_RETRY_AFTER_MS && isTemporary(reason);
}

/** Whether the same request may succeed later. IDEMPOTENCY_IN_PROGRESS: an earlier attempt is still running. */
function isTemporary(reason: ProblemError | NoAnswerError): boolean {
  return (
    (reason instanceof NoAnswerError && reason.status === undefined) ||
    TEMPORARY.includes(reason.status) ||
    isProblem(reason, 'IDEMPOTENCY_IN_PROGRESS')
  );
}

/** Only these end an endless reader: it asks for something wrong, may not read it, or its events are gone. */
const FINAL: readonly (number | undefined)[] = [400, 401, 403, 410];

export function isFinal({ status }: { readonly status?: number | undefined }): boolean {
  return FINAL.includes(status);
}

/** Whether an endless reader survives an error: anything else that a server or a gateway answers passes some day. */
export function isSurvivable(error: unknown): error is ProblemError | NoAnswerError {
  return (error instanceof NoAnswerError || isAnyProblem(error)) && !isFinal(error);
}

/** In milliseconds. The header contains seconds or a date. */
function retryAfter(headers: Headers): number {
  const value = headers.get('Retry-After');
  if (value === null) return 0;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return wait > 0 ? wait : 0;
}
