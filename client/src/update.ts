import { ConflictError, isProblem, type Conflict, type ProblemError } from './errors.js';
import type { CallOptions } from './http.js';
import { backoff, pause } from './pause.js';
import type { Versioned } from './records.js';

/** Makes the patch for a record. It is called again for each newer version, so it should do nothing else. */
export type Change<R, P> = (current: R) => P | Promise<P>;

/** A conflict that can still be solved. */
export interface OpenConflict<R, P> extends Conflict<R, P> {
  readonly change: Change<R, P>;
}

/** The patch to try for `theirs` instead, or a change to go on with; undefined gives up. */
export type Resolution<R, P> = P | Change<R, P> | undefined;

export interface UpdateOptions<R, P> extends CallOptions {
  /** Called when somebody else changed a field that the patch writes, to another value. Without it that is a ConflictError. */
  readonly onConflict?: (conflict: OpenConflict<R, P>) => Resolution<R, P> | Promise<Resolution<R, P>>;
  /** How many rounds to go when others keep changing the record. */
  readonly rounds?: number;
}

/** How a kind of record is read and written. */
export interface Access<R, P> {
  read(): Promise<R>;
  write(patch: P, ifMatch: string): Promise<R>;
}

/** For `onConflict`: makes the change anew, for what the record has become. Right for changes that build on what they find. */
export function reapply<R, P>({ change }: OpenConflict<R, P>): Change<R, P> {
  return change;
}

const ROUNDS = 100;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Changes a record so that nobody's change is overwritten unseen. What is sent under an eTag was always made for that very version.
 *
 * A round is: write; when that is refused, read what the record has become, decide by what the refusal tells, and write again at once.
 * After a round others are at work on the record. The next one follows after a pause, and its first write asks for a new report.
 */
export async function update<R extends Versioned, P>(
  record: R,
  firstChange: Change<R, P>,
  access: Access<R, P>,
  { onConflict, rounds = ROUNDS, signal }: UpdateOptions<R, P>,
): Promise<R> {
  let [base, change, mine] = [record, firstChange, await firstChange(record)];
  for (let round = 1; ; round += 1) {
    const first = await attempt(access, mine, base);
    if (!isRefusal(first)) return first;
    const theirs = await access.read();
    const { currentETag, changes } = first.problem;
    const conflict = { base, mine, theirs, changes: changes ?? [] };
    // The report and the record must be of one version, or a conflict that came between them would go unnoticed.
    if (theirs.eTag === currentETag) {
      if (changes?.every(({ conflicting }) => !conflicting) !== true) {
        const resolution = await onConflict?.({ ...conflict, change });
        if (resolution === undefined) throw new ConflictError(first.problem, conflict);
        change = isChange(resolution) ? resolution : () => resolution;
      }
      [base, mine] = [theirs, await change(theirs)];
      const second = await attempt(access, mine, base);
      if (!isRefusal(second)) return second;
    }
    if (round >= rounds) throw new ConflictError(first.problem, conflict);
    await pause(backoff(round, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), signal);
  }
}

type Refusal = ProblemError<'PRECONDITION_FAILED'>;

async function attempt<R extends Versioned, P>(access: Access<R, P>, mine: P, base: R): Promise<R | Refusal> {
  try {
    return await access.write(mine, base.eTag);
  } catch (error) {
    if (isProblem(error, 'PRECONDITION_FAILED')) return error;
    throw error;
  }
}

function isRefusal(answer: object): answer is Refusal {
  return isProblem(answer, 'PRECONDITION_FAILED');
}

function isChange<R, P>(resolution: P | Change<R, P>): resolution is Change<R, P> {
  return typeof resolution === 'function';
}
