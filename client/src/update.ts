import {
  ConflictError,
  isProblem,
  type Conflict,
  type FieldChange,
  type ProblemError,
  type ProblemOf,
} from './errors.js';
import { isObject } from './expected.js';
import type { WriteCallOptions } from './http.js';
import { backoff, pause } from './pause.js';
import type { Current, Versioned } from './records.js';

/** A patch, or a function that computes it from a record. The function is called for each newer version, so it must have no side effects. */
export type Change<R, P> = P | ((current: Current<R>) => P | Promise<P>);

/** A conflict that can still be resolved. */
export interface OpenConflict<R, P> extends Conflict<R, P> {
  readonly change: Change<R, P>;
}

/** Returns the change for `theirs` and later versions, or undefined to give up. */
export type Resolution<R, P> = Change<R, P> | undefined;

export interface UpdateOptions<R, P> extends WriteCallOptions {
  /** Called if somebody else changed a field of the patch to a different value. Without it, `update` throws a ConflictError. */
  readonly onConflict?: (conflict: OpenConflict<R, P>) => Resolution<R, P> | Promise<Resolution<R, P>>;
  /** The maximum number of writes while others keep changing the record. */
  readonly attempts?: number;
}

/** Reads and writes one resource. */
export interface Access<R, P> {
  read(): Promise<R>;
  write(patch: P, ifMatch: string): Promise<R>;
  /** Computes the current record from an earlier version and a 412; undefined if the 412 lacks details. */
  merge(base: Current<R>, report: Report): Current<R> | undefined;
}

/** The content of a 412. */
export type Report = Pick<ProblemOf<'PRECONDITION_FAILED'>, 'currentETag' | 'changes'>;

/** For `onConflict`: applies the change function to the current record. Suits changes that add to existing values. */
export function reapply<R, P>({ change }: OpenConflict<R, P>): Change<R, P> {
  return change;
}

const ATTEMPTS = 100;
/** Pauses are multiples of the round-trip time, so that they suit slow and fast services. */
const SHORTEST_ROUND_TRIP_MS = 10;
const FIRST_PAUSE = 2;
const MAX_PAUSE = 32;

/**
 * Changes a record without overwriting unseen changes: a patch is only sent with the eTag of the version it was made for. A 412 contains
 * the changes, so the next write needs no read. Pauses between writes let others finish.
 */
export async function update<R extends Versioned, P>(
  record: R,
  firstChange: Change<R, P>,
  access: Access<R, P>,
  { onConflict, attempts = ATTEMPTS, signal }: UpdateOptions<R, P>,
): Promise<R> {
  let base: Current<R> = record;
  let change = firstChange;
  for (let attempt = 1; ; attempt += 1) {
    const mine = await patchFor(base, change);
    const sentAt = performance.now();
    const answer = await write(access, mine, base.eTag);
    const roundTripMs = Math.max(SHORTEST_ROUND_TRIP_MS, performance.now() - sentAt);
    if (!isRefusal(answer)) return answer;
    const report = answer.problem;
    const theirs = access.merge(base, report) ?? (await access.read());
    const conflict = { base, mine, theirs, changes: report.changes ?? [] };
    if (attempt >= attempts) throw new ConflictError(report, conflict);
    // The record that was read may be newer than the report; the next write then returns a new report.
    if (theirs.eTag === report.currentETag) {
      if (isConflicting(report, mine)) {
        const resolution = await onConflict?.({ ...conflict, change });
        if (resolution === undefined) throw new ConflictError(report, conflict);
        change = resolution;
      }
      base = theirs;
    }
    await pause(backoff(attempt, FIRST_PAUSE * roundTripMs, MAX_PAUSE * roundTripMs), signal);
  }
}

type Refusal = ProblemError<'PRECONDITION_FAILED'>;

async function write<R, P>(access: Access<R, P>, patch: P, ifMatch: string): Promise<R | Refusal> {
  try {
    return await access.write(patch, ifMatch);
  } catch (error) {
    if (isProblem(error, 'PRECONDITION_FAILED')) return error;
    throw error;
  }
}

function isRefusal<R>(answer: R | Refusal): answer is Refusal {
  return isProblem(answer, 'PRECONDITION_FAILED');
}

/** Whether a decision is needed: others changed fields of the patch, or their changes are unknown. */
export function isConflicting({ changes }: Report, patch: unknown): boolean {
  return changes?.every((change) => !change.conflicting && !isInAddressOf(change, patch)) !== true;
}

/**
 * Whether others changed a field of an address whose other fields the patch writes. A replica of an older version during a rollout does not
 * report that as a conflict, but the merged address would be one that nobody wrote.
 */
function isInAddressOf(change: FieldChange, patch: unknown): boolean {
  const [address = '', member] = change.field.split('/');
  const isValue = member !== undefined && member !== 'id';
  return isValue && !('yours' in change) && isObject(patch) && patch[address] !== undefined;
}

export async function patchFor<R, P>(record: Current<R>, change: Change<R, P>): Promise<P> {
  return isFunction(change) ? change(record) : change;
}

function isFunction<R, P>(change: Change<R, P>): change is (current: Current<R>) => P | Promise<P> {
  return typeof change === 'function';
}
