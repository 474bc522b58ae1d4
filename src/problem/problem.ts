import { typeOf, type ProblemCode, type ProblemType } from './catalogue.js';

/** One invalid field; `pointer` is a JSON pointer into the body, or `?name` for a query parameter. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

interface Extras {
  /** Payload members besides those that every problem has. */
  readonly members?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
}

/** An RFC 9457 problem response. Throw it from anywhere. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    of: ProblemCode | ProblemType,
    readonly detail: string,
    { members = {}, headers = {}, cause }: Extras = {},
  ) {
    super(detail, { cause });
    this.name = 'Problem';
    const { code, status, title } = typeOf(of);
    this.code = code;
    this.status = status;
    this.title = title;
    this.members = members;
    this.headers = headers;
  }
}

/** 503: nothing was written, and a retry may succeed after `retryAfter` seconds. */
export function unavailable(
  detail: string,
  { retryAfter = 1, cause }: { retryAfter?: number; cause?: unknown } = {},
): Problem {
  return new Problem('UNAVAILABLE', detail, { headers: { 'Retry-After': String(retryAfter) }, cause });
}

/** 410: the values existed but were erased. */
export function erased(detail: string): Problem {
  return new Problem('ERASED', detail, { members: { erased: true } });
}

export const MAX_FIELD_ERRORS = 20;

/** Keeps responses small: clients choose names, and lists of allowed values may be long. */
const MAX_POINTER_LENGTH = 80;
const MAX_MESSAGE_LENGTH = 300;

/** Cuts a text to `maxLength` characters, or to a third of that if JSON escapes would inflate it, and adds an ellipsis. */
export function shortened(text: string, maxLength: number): string {
  const result = cut(text, maxLength);
  return Buffer.byteLength(JSON.stringify(result)) <= 2 * maxLength + 2 ? result : cut(text, Math.floor(maxLength / 3));
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** One problem for all invalid fields; lists the first MAX_FIELD_ERRORS of them and counts all. */
export function fieldProblem(code: 'VALIDATION_FAILED' | 'INVALID_PARAMETER', errors: readonly FieldError[]): Problem {
  const listed = errors.slice(0, MAX_FIELD_ERRORS).map((error) => ({
    ...error,
    pointer: shortened(error.pointer, MAX_POINTER_LENGTH),
    message: shortened(error.message, MAX_MESSAGE_LENGTH),
  }));
  return new Problem(code, detailOf(code === 'VALIDATION_FAILED' ? 'field' : 'parameter', listed, errors.length), {
    members: { errors: listed, errorCount: errors.length },
  });
}

export function invalidField(pointer: string, code: string, message: string): Problem {
  return fieldProblem('VALIDATION_FAILED', [{ pointer, code, message }]);
}

export function invalidParameter(name: string, message: string): Problem {
  return fieldProblem('INVALID_PARAMETER', [{ pointer: `?${name}`, code: 'INVALID_VALUE', message }]);
}

function detailOf(subject: 'field' | 'parameter', listed: readonly FieldError[], count: number): string {
  const [first] = listed;
  if (first !== undefined && count === 1) {
    const place = first.pointer === '' ? 'body' : `${subject} ${first.pointer}`;
    return `The ${place} ${first.message}.`;
  }
  const scope = count > listed.length ? `the first ${listed.length} of them` : 'each of them';
  return `${count} ${subject}s are invalid. "errors" lists ${scope}.`;
}

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
