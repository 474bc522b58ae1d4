import { PROBLEMS, type ProblemCode } from './catalogue.js';

/** One field that is not acceptable; `pointer` is a JSON pointer into the body, or `?name` for a query parameter. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

interface Extras {
  /** Members of the answer's body beside the ones every problem has. */
  readonly members?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
}

/** An outcome that is answered as an RFC 9457 problem. Throw it from anywhere. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    { members = {}, headers = {}, cause }: Extras = {},
  ) {
    super(detail, { cause });
    this.name = 'Problem';
    this.status = PROBLEMS[code].status;
    this.title = PROBLEMS[code].title;
    this.members = members;
    this.headers = headers;
  }
}

/** 503: nothing was written, and the same may succeed after so many seconds. */
export function unavailable(
  detail: string,
  { retryAfter = 1, cause }: { retryAfter?: number; cause?: unknown } = {},
): Problem {
  return new Problem('UNAVAILABLE', detail, { headers: { 'Retry-After': String(retryAfter) }, cause });
}

/** 410: there was such a thing, and its values were erased. */
export function erased(detail: string): Problem {
  return new Problem('ERASED', detail, { members: { erased: true } });
}

export const MAX_FIELD_ERRORS = 20;

/** Names of fields and parameters come from the client, and lists of allowed values may be long: an answer stays small. */
const MAX_POINTER_LENGTH = 80;
const MAX_MESSAGE_LENGTH = 300;

/** A text of limited length, and a third of that when escapes make it grow; what is cut off is shown by an ellipsis. */
export function shortened(text: string, longest: number): string {
  const shown = cut(text, longest);
  return Buffer.byteLength(JSON.stringify(shown)) <= 2 * longest + 2 ? shown : cut(text, Math.floor(longest / 3));
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

/** The problem for unacceptable fields: all of them at once, up to a limit, with the count of all. */
export function fieldProblem(code: 'VALIDATION_FAILED' | 'INVALID_PARAMETER', errors: readonly FieldError[]): Problem {
  const shown = errors.slice(0, MAX_FIELD_ERRORS).map((error) => ({
    pointer: shortened(error.pointer, MAX_POINTER_LENGTH),
    code: error.code,
    message: shortened(error.message, MAX_MESSAGE_LENGTH),
  }));
  return new Problem(code, detailOf(code === 'VALIDATION_FAILED' ? 'field' : 'parameter', shown, errors.length), {
    members: { errors: shown, errorCount: errors.length },
  });
}

function detailOf(subject: 'field' | 'parameter', shown: readonly FieldError[], count: number): string {
  const [first] = shown;
  if (first !== undefined && count === 1) {
    const place = first.pointer === '' ? 'body' : `${subject} ${first.pointer}`;
    return `The ${place} ${first.message}.`;
  }
  const listed = count > shown.length ? `the first ${shown.length} of them` : 'each of them';
  return `${count} ${subject}s are not acceptable. "errors" lists ${listed}.`;
}

/** The body of a problem's answer, as RFC 9457 lays it out. */
export function problemBody(
  problem: Problem,
  about: { instance: string; requestID: string; baseUrl: string },
): Record<string, unknown> {
  return {
    type: `${about.baseUrl}/problems/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance: about.instance,
    code: problem.code,
    requestID: about.requestID,
    ...problem.members,
  };
}
