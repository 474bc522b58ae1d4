import type { components } from './api.js';
import type { Current } from './records.js';

type Schemas = components['schemas'];

/** Every error payload of the service, discriminated by `code`. */
export type Problem = {
  [Name in keyof Schemas]: Name extends `${string}Problem` ? Schemas[Name] : never;
}[keyof Schemas];
export type ProblemCode = Problem['code'];
export type ProblemOf<Code extends ProblemCode> = Extract<Problem, { code: Code }>;

/** A change by somebody else, as reported by a 412. */
export type FieldChange = NonNullable<ProblemOf<'PRECONDITION_FAILED'>['changes']>[number];

/** The service rejected a request; `problem` has the reason. */
export class ProblemError<Code extends ProblemCode = ProblemCode> extends Error {
  override readonly name: string = 'ProblemError';
  readonly code: Code;
  readonly status: number;
  /** Whether a write may still have been done, by this attempt or an earlier one. */
  mayBeDone: boolean;

  constructor(readonly problem: ProblemOf<Code>) {
    super(`${problem.status} ${problem.code}: ${reasonOf(problem)} (requestID ${problem.requestID})`);
    this.code = problem.code;
    this.status = problem.status;
    this.mayBeDone = LEAVES_OPEN.includes(problem.code);
  }
}

/** Codes with which the outcome of the write is unknown. */
const LEAVES_OPEN: readonly string[] = ['OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_PROGRESS'] satisfies ProblemCode[];

/** Errors after which no attempt has written anything: the service has already checked the key, or every attempt gets the error. */
const SETTLES: readonly string[] = [
  'PRECONDITION_FAILED',
  'NOT_FOUND',
  'STATUS_TRANSITION',
  'DUPLICATE',
  'IN_USE',
  'LIMIT_REACHED',
  'NOT_DELETED',
  'PARENT_DELETED',
  'VALIDATION_FAILED',
  'MALFORMED_FILE',
  'IDEMPOTENCY_MISMATCH',
  'BULK_REFUSED',
] satisfies ProblemCode[];

/**
 * Whether a write that threw may still have been done. To find out, repeat it unchanged with the same `idempotencyKey`: it is done only
 * once. Set `before` if the outcome of an earlier call with this key is unknown: a 503 or 403 then says nothing about that call.
 */
export function mayBeDone(error: unknown, before = false): boolean {
  if (!(error instanceof Error) || !('mayBeDone' in error)) return true;
  if (error.mayBeDone === true) return true;
  return before && !('code' in error && SETTLES.includes(String(error.code)));
}

/** The field errors, or the detail of the problem if there are none. */
function reasonOf(problem: Problem): string {
  if (!('errors' in problem)) return problem.detail;
  const faults = problem.errors.map(({ pointer, message }) => `${pointer} ${message}`);
  const more = (problem.errorCount ?? 0) - faults.length;
  return [...faults, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/**
 * Whether an error is a problem with this code: `if (isProblem(error, 'NOT_FOUND'))`. Checks members instead of the class, because a
 * program that both imports and requires this package has the class twice.
 */
export function isProblem<Code extends ProblemCode>(error: unknown, code: Code): error is ProblemError<Code> {
  return error instanceof Error && 'problem' in error && 'code' in error && error.code === code;
}

/** Whether the service rejected a request, whatever the code. */
export function isAnyProblem(error: unknown): error is ProblemError {
  return error instanceof Error && 'problem' in error && 'code' in error;
}

/** The details of a conflict: enough to merge, or to show it to a user. */
export interface Conflict<R, P> {
  /** The record that the change is based on. */
  readonly base: Current<R>;
  /** The rejected patch. */
  readonly mine: P;
  /** The current record. */
  readonly theirs: Current<R>;
  /** The differences between `base` and `theirs`, with author and time. Empty if the service no longer knows `base`. */
  readonly changes: readonly FieldChange[];
}

/** An update that failed because others changed the same fields. */
export class ConflictError<R, P> extends ProblemError<'PRECONDITION_FAILED'> implements Conflict<R, P> {
  override readonly name = 'ConflictError';
  readonly base: Current<R>;
  readonly mine: P;
  readonly theirs: Current<R>;
  readonly changes: readonly FieldChange[];

  constructor(problem: ProblemOf<'PRECONDITION_FAILED'>, { base, mine, theirs, changes }: Conflict<R, P>) {
    super(problem);
    this.base = base;
    this.mine = mine;
    this.theirs = theirs;
    this.changes = changes;
  }
}

/** The events after a cursor are gone: they were archived, or the database was restored from a backup. */
export class EventsGoneError extends ProblemError<'EVENTS_GONE'> {
  override readonly name = 'EventsGoneError';
  /** The cursor before the oldest available event. */
  readonly oldest: string;

  constructor(problem: ProblemOf<'EVENTS_GONE'>) {
    super(problem);
    this.oldest = problem.oldest;
  }
}

const HIDDEN =
  'A token without the scope moves:read or shipments:read does not see all events: list the resources it can read in `resource`.';

/** The number of an event was not the expected one, which the feed guarantees not to happen. */
export class EventsMissedError extends Error {
  override readonly name = 'EventsMissedError';

  constructor(
    /** The number of the last event in order. */
    readonly last: number,
    /** The number received instead of the next one. */
    readonly received: number,
  ) {
    super(
      received > last
        ? `Event ${last} was followed by event ${received}; missing in between: ${received - last - 1}. ${HIDDEN}`
        : `Event ${last} was followed by event ${received}, which is not newer.`,
    );
  }
}

/** Converts a problem to an error. */
export function problemError(problem: Problem): ProblemError {
  return problem.code === 'EVENTS_GONE' ? new EventsGoneError(problem) : new ProblemError<ProblemCode>(problem);
}

/** No response from the service, or one from something in front of it. A write may or may not have been done. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  mayBeDone = true;

  constructor(
    message: string,
    /** The status of the foreign response, if any. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
