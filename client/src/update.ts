import { ConflictError, isProblem, type Conflict, type ProblemError, type ProblemOf } from './errors.js';
import type { WriteCallOptions } from './http.js';
import { backoff, pause } from './pause.js';
import type { Current, Versioned } from './records.js';

/** A patch, or a function that makes it for a record. The function is called again for each newer version, so it should only compute. */
export type Change<R, P> = P | ((current: Current<R>) => P | Promise<P>);

/** A conflict that can still be resolved. */
export interface OpenConflict<R, P> extends Conflict<R, P> {
  readonly change: Change<R, P>;
}

/** The change to go on with, for `theirs` and what may come after it; undefined gives up. */
export type Resolution<R, P> = Change<R, P> | undefined;

export interface UpdateOptions<R, P> extends WriteCallOptions {
  /** Called when somebody else changed a field that the patch writes, to another value. Without it that is a ConflictError. */
  readonly onConflict?: (conflict: OpenConflict<R, P>) => Resolution<R, P> | Promise<Resolution<R, P>>;
  /** How many times to write at most, while others keep changing the record. */
  readonly attempts?: number;
}

/** How a kind of record is read and written. */
export interface Access<R, P> {
  read(): Promise<R>;
  write(patch: P, ifMatch: string): Promise<R>;
  /** The record as it is now, from an earlier version and the report of a 412; undefined when that is not enough. */
  merge(base: Current<R>, report: Report): Current<R> | undefined;
}

/** What a 412 reports. */
export type Report = Pick<ProblemOf<'PRECONDITION_FAILED'>, 'currentETag' | 'changes'>;

/** For `onConflict`: makes the change again, for what the record has become. Right for changes that build on what they find. */
export function reapply<R, P>({ change }: OpenConflict<R, P>): Change<R, P> {
  return change;
}

const ATTEMPTS = 100;
/** Pauses are measured in round trips, so that they fit a slow service as well as a fast one. */
const SHORTEST_ROUND_TRIP_MS = 10;
const FIRST_PAUSE = 2;
const MAX_PAUSE = 32;

/**
 * Changes a record so that nobody's change is overwritten unseen: what is sent under an eTag was always made for that very version.
 * A 412 tells what the record has become, so the next write needs no read before it. The pauses between them let others finish.
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
    // A record that was read may be newer than the report, which then says nothing about it: the next write brings a new one.
    if (theirs.eTag === report.currentETag) {
      if (isConflicting(report)) {
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

/** Whether somebody has to decide: others changed what the patch writes, or nobody knows any more what they changed. */
export function isConflicting({ changes }: Report): boolean {
  return changes?.every(({ conflicting }) => !conflicting) !== true;
}

export async function patchFor<R, P>(record: Current<R>, change: Change<R, P>): Promise<P> {
  return isFunction(change) ? change(record) : change;
}

function isFunction<R, P>(change: Change<R, P>): change is (current: Current<R>) => P | Promise<P> {
  return typeof change === 'function';
}
