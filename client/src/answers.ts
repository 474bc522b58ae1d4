import { isProblem, NoAnswerError, problemError, type Problem, type ProblemError } from './errors.js';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A request that got no response, or an error. */
export interface Refusal {
  readonly reason: ProblemError | NoAnswerError;
  /** The value of Retry-After. */
  readonly comeBackInMs: number;
}

/** If Retry-After is longer than this, the call fails at once. */
const MAX_RETRY_AFTER_MS = 60_000;

export function noAnswer(
  { method, path }: { readonly method: string; readonly path: string },
  cause: unknown,
): Refusal {
  return { reason: new NoAnswerError(`${method} ${path} got no response`, undefined, { cause }), comeBackInMs: 0 };
}

export function refusalOf(answer: RawAnswer): Refusal {
  return { reason: errorOf(answer), comeBackInMs: retryAfter(answer.headers) };
}

export function readJson<T>({ status, text }: Pick<RawAnswer, 'status' | 'text'>): T {
  if (text === '') return undefined as T;
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new NoAnswerError(`A response with status ${status} is not JSON`, status, { cause });
  }
}

function errorOf(answer: RawAnswer): ProblemError | NoAnswerError {
  const { status, headers } = answer;
  if (headers.get('Content-Type')?.startsWith('application/problem+json')) {
    return problemError(readJson<Problem>(answer));
  }
  return new NoAnswerError(`A response with status ${status} did not come from the service`, status);
}

/** Transient statuses of the service or of a gateway in front of it. */
const TEMPORARY: readonly (number | undefined)[] = [429, 502, 503, 504];

/** Whether to retry: the same request may succeed soon. */
export function mayPass(reason: ProblemError | NoAnswerError, comeBackInMs: number): boolean {
  return comeBackInMs <= MAX_RETRY_AFTER_MS && isTemporary(reason);
}

/** Whether the same request may succeed later. IDEMPOTENCY_IN_PROGRESS: an earlier attempt is still running. */
export function isTemporary(reason: ProblemError | NoAnswerError): boolean {
  return (
    (reason instanceof NoAnswerError && reason.status === undefined) ||
    TEMPORARY.includes(reason.status) ||
    isProblem(reason, 'IDEMPOTENCY_IN_PROGRESS')
  );
}

/** In milliseconds. The header contains seconds or a date. */
function retryAfter(headers: Headers): number {
  const value = headers.get('Retry-After');
  if (value === null) return 0;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return wait > 0 ? wait : 0;
}
