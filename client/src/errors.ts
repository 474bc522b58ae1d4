import type { components } from './api.js';
import type { Current } from './records.js';

type Schemas = components['schemas'];

/** Every error payload of the service, told apart by `code`. */
export type Problem = {
  [Name in keyof Schemas]: Name extends `${string}Problem` ? Schemas[Name] : never;
}[keyof Schemas];
export type ProblemCode = Problem['code'];
export type ProblemOf<Code extends ProblemCode> = Extract<Problem, { code: Code }>;

/** A field that somebody else changed, as a 412 tells it. */
export type FieldChange = NonNullable<ProblemOf<'PRECONDITION_FAILED'>['changes']>[number];

/** The service refused a request, and says why in `problem`. */
export class ProblemError<Code extends ProblemCode = ProblemCode> extends Error {
  override readonly name: string = 'ProblemError';
  readonly code: Code;
  readonly status: number;
  /** Of a write: whether it may have been done nevertheless, by this attempt or an earlier one. */
  mayBeDone: boolean;

  constructor(readonly problem: ProblemOf<Code>) {
    super(`${problem.status} ${problem.code}: ${reasonOf(problem)} (requestID ${problem.requestID})`);
    this.code = problem.code;
    this.status = problem.status;
    this.mayBeDone = LEAVES_OPEN.includes(problem.code);
  }
}

/** The service does not know whether the write is done, or will be. */
const LEAVES_OPEN: readonly string[] = ['OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_PROGRESS'] satisfies ProblemCode[];

/** Refusals that come after the service has looked for the key, or that every attempt meets: none has written anything. */
const SETTLES: readonly string[] = [
  'PRECONDITION_FAILED',
  'NOT_FOUND',
  'STATUS_TRANSITION',
  'DUPLICATE',
  'IN_USE',
  'VALIDATION_FAILED',
  'MALFORMED_FILE',
  'IDEMPOTENCY_MISMATCH',
  'BULK_REFUSED',
] satisfies ProblemCode[];

/**
 * Whether a write that threw may have been done nevertheless. Then repeat it as it was, with the same `idempotencyKey`, to find out:
 * it is done once. `before` says whether an earlier call with this key left that open: a 503 or a 403 then says nothing about that call.
 */
export function mayBeDone(error: unknown, before = false): boolean {
  if (!(error instanceof Error) || !('mayBeDone' in error)) return true;
  if (error.mayBeDone === true) return true;
  return before && !('code' in error && SETTLES.includes(String(error.code)));
}

/** What is wrong with which field, where the service says so; else what it says about the whole request. */
function reasonOf(problem: Problem): string {
  if (!('errors' in problem)) return problem.detail;
  const faults = problem.errors.map(({ pointer, message }) => `${pointer} ${message}`);
  const more = (problem.errorCount ?? 0) - faults.length;
  return [...faults, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/**
 * Whether an error is this refusal of the service: `if (isProblem(error, 'NOT_FOUND'))`. It looks at the members and not at the class,
 * which a program has twice when one part of it imports this package and another requires it.
 */
export function isProblem<Code extends ProblemCode>(error: unknown, code: Code): error is ProblemError<Code> {
  return error instanceof Error && 'problem' in error && 'code' in error && error.code === code;
}

/** All that is known when others changed the same fields: enough to merge, or to show somebody what happened. */
export interface Conflict<R, P> {
  /** The record that the change was made for. */
  readonly base: Current<R>;
  /** The patch that was refused. */
  readonly mine: P;
  /** The record as it is now. */
  readonly theirs: Current<R>;
  /** What differs between `base` and `theirs`, by whom and since when. Empty when the service no longer knows `base`. */
  readonly changes: readonly FieldChange[];
}

/** An update that was not made, because others changed the same fields meanwhile. */
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

/** The events after a cursor are no longer there, or never were: they were moved out, or the database was restored from a backup. */
export class EventsGoneError extends ProblemError<'EVENTS_GONE'> {
  override readonly name = 'EventsGoneError';
  /** The cursor to begin again with: the oldest event that is kept comes after it. */
  readonly oldest: string;

  constructor(problem: ProblemOf<'EVENTS_GONE'>) {
    super(problem);
    this.oldest = problem.oldest;
  }
}

const HIDDEN =
  'A token without the scope moves:read or shipments:read does not see all: then name the kinds it sees in `resource`.';

/** The number of an event was not the one that had to come. The feed promises that this does not happen. */
export class EventsMissedError extends Error {
  override readonly name = 'EventsMissedError';

  constructor(
    /** The number of the last event that was in order. */
    readonly last: number,
    /** The number that came instead of the next one. */
    readonly received: number,
  ) {
    super(
      received > last
        ? `Event ${last} was followed by event ${received}: ${received - last - 1} in between did not come. ${HIDDEN}`
        : `Event ${last} was followed by event ${received}, which comes before it.`,
    );
  }
}

/** The error of a problem. */
export function problemError(problem: Problem): ProblemError {
  return problem.code === 'EVENTS_GONE' ? new EventsGoneError(problem) : new ProblemError<ProblemCode>(problem);
}

/** The service did not answer: nobody did, or something on the way to it. A write may or may not have been done. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  mayBeDone = true;

  constructor(
    message: string,
    /** Of the answer that was not the service's, if there was one. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
