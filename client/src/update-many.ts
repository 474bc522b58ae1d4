import { mayBeDone, ProblemError, type Conflict, type ProblemCode, type ProblemOf } from './errors.js';
import type { WriteCallOptions } from './http.js';
import { mergedRecord } from './merge.js';
import { backoff, pause } from './pause.js';
import type { BulkItem, BulkProblem, BulkResult, Current, Shipment } from './records.js';
import { isConflicting, patchFor, type Change, type Report, type UpdateOptions } from './update.js';

/** Progress of `updateMany`. */
export interface UpdateManyProgress {
  readonly total: number;
  readonly updated: number;
  readonly refused: number;
  readonly unknown: number;
}

export interface UpdateManyOptions<P> extends WriteCallOptions {
  /**
   * Your own key, at most 190 characters. If a call threw or was aborted, call again with the same key, the same versions of the same
   * shipments and the same change: nothing is done twice, and the report is complete.
   */
  readonly idempotencyKey?: string | undefined;
  /** Called if somebody else changed a field of the patch to a different value. Without it such a shipment is refused. */
  readonly onConflict?: UpdateOptions<Shipment, P>['onConflict'];
  /** The maximum number of writes of a shipment that others keep changing. */
  readonly attempts?: number;
  /** Called after each bulk. */
  readonly onProgress?: (progress: UpdateManyProgress) => void;
}

/** A shipment that was not changed, and why. */
export interface RefusedUpdate<P> {
  readonly id: string;
  readonly error: ProblemError;
  /** Set if others changed the same fields: enough to merge, or to show it to a user. */
  readonly conflict?: Conflict<Shipment, P>;
}

/** A shipment that may or may not have been changed: every attempt got OUTCOME_UNKNOWN. Read it before you repeat the change. */
export interface UnknownUpdate {
  readonly id: string;
  readonly error: ProblemError;
}

/** The outcome of every shipment. */
export interface UpdateManyReport<P> {
  readonly updated: readonly Shipment[];
  readonly refused: readonly RefusedUpdate<P>[];
  readonly unknown: readonly UnknownUpdate[];
}

/** Reads and writes shipments. */
export interface ManyAccess<P> {
  read(id: string): Promise<Shipment>;
  item(id: string, ifMatch: string, patch: P): BulkItem;
  /** Sends a non-atomic bulk. The same key is the same request. */
  send(items: readonly BulkItem[], idempotencyKey: string): Promise<readonly BulkResult[]>;
}

/** A shipment that is not changed yet. */
interface Open<P> {
  readonly base: Current<Shipment>;
  readonly change: Change<Shipment, P>;
  readonly attempt: number;
}

const MAX_ITEMS = 200;
/** The service accepts 1 MB. */
const MAX_BYTES = 900_000;
const ATTEMPTS = 100;
const REPETITIONS = 5;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/**
 * Changes many shipments like `update`: a patch is only sent with the eTag of the version it was made for. Sends bulks, merges stale items
 * with the changes of others, and resends only those.
 */
export async function updateMany<P>(
  shipments: readonly Shipment[],
  change: Change<Shipment, P>,
  access: ManyAccess<P>,
  { onConflict, onProgress, attempts = ATTEMPTS, signal, idempotencyKey }: UpdateManyOptions<P>,
): Promise<UpdateManyReport<P>> {
  const updated: Shipment[] = [];
  const refused: RefusedUpdate<P>[] = [];
  const unknown: UnknownUpdate[] = [];
  let open = shipments.map((base): Open<P> => ({ base, change, attempt: 1 }));
  for (let round = 1; open.length > 0; round += 1) {
    const again: Open<P>[] = [];
    for (const bulk of await bulksOf(open, access)) {
      for (const { sent, result, error } of await send(bulk, access, signal, idempotencyKey)) {
        const { status, shipment, problem } = result;
        if (problem === undefined) {
          if (shipment !== undefined) updated.push(shipment);
        } else if (error?.mayBeDone === true) {
          unknown.push({ id: sent.base.id, error });
        } else if (status !== 412) {
          refused.push({ id: sent.base.id, error: error ?? errorOf(problem) });
        } else {
          const next = await resolve(sent, problem, access, onConflict, attempts);
          if ('error' in next) refused.push(next);
          else again.push(next);
        }
      }
      onProgress?.({
        total: shipments.length,
        updated: updated.length,
        refused: refused.length,
        unknown: unknown.length,
      });
    }
    open = again;
    if (open.length > 0) await pause(backoff(round, FIRST_PAUSE_MS, MAX_PAUSE_MS), signal);
  }
  return { updated, refused, unknown };
}

interface Sent<P> extends Open<P> {
  readonly patch: P;
  readonly item: BulkItem;
}

/** Splits items into bulks that the service accepts. */
async function bulksOf<P>(open: readonly Open<P>[], access: ManyAccess<P>): Promise<Sent<P>[][]> {
  const bulks: Sent<P>[][] = [];
  let bytes = Infinity;
  for (const each of open) {
    const patch = await patchFor(each.base, each.change);
    const item = access.item(each.base.id, each.base.eTag, patch);
    const size = new TextEncoder().encode(JSON.stringify(item)).length;
    if (bytes + size > MAX_BYTES || bulks.at(-1)?.length === MAX_ITEMS) {
      bulks.push([]);
      bytes = 0;
    }
    bulks.at(-1)?.push({ ...each, patch, item });
    bytes += size;
  }
  return bulks;
}

/** The result of a bulk for one shipment. */
interface Answered<P> {
  readonly sent: Sent<P>;
  readonly result: BulkResult;
  readonly error: ProblemError | undefined;
}

/** Repeats a bulk with failed or unknown items. With the same key, nothing is done twice. */
async function send<P>(
  bulk: readonly Sent<P>[],
  access: ManyAccess<P>,
  signal: AbortSignal | undefined,
  idempotencyKey: string | undefined,
): Promise<Answered<P>[]> {
  const items = bulk.map(({ item }) => item);
  const key = idempotencyKey === undefined ? crypto.randomUUID() : await bulkKey(idempotencyKey, items);
  let answered: Answered<P>[] = [];
  for (let repetition = 1; ; repetition += 1) {
    const results = await access.send(items, key);
    answered = results.flatMap((result, index) => {
      const sent = bulk[index];
      return sent === undefined ? [] : [{ sent, result, error: errorAfter(result, answered[index]?.error) }];
    });
    if (repetition > REPETITIONS || results.every(({ status }) => status !== 503)) return answered;
    await pause(backoff(repetition, 2 * FIRST_PAUSE_MS, MAX_PAUSE_MS), signal);
  }
}

function errorAfter({ problem }: BulkResult, before: ProblemError | undefined): ProblemError | undefined {
  if (problem === undefined) return undefined;
  const error = errorOf(problem);
  error.mayBeDone = mayBeDone(error, before?.mayBeDone);
  return error;
}

/** One key per bulk: the same items get the same key when the call is repeated. */
async function bulkKey(key: string, items: readonly BulkItem[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(items)));
  return `${key}.${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The next patch after a 412, or the refusal if the conflict is not resolved. */
async function resolve<P>(
  { base, change, patch: mine, attempt }: Sent<P>,
  problem: BulkProblem,
  access: ManyAccess<P>,
  onConflict: UpdateManyOptions<P>['onConflict'],
  attempts: number,
): Promise<Open<P> | RefusedUpdate<P>> {
  const { id } = base;
  // The service left out long values.
  const isWhole = problem.changes?.every(({ truncated }) => truncated !== true) !== false;
  const report = problem as unknown as Report;
  const theirs = (isWhole ? mergedRecord(base, report) : undefined) ?? (await access.read(id));
  const conflict: Conflict<Shipment, P> = { base, mine, theirs, changes: report.changes ?? [] };
  if (attempt >= attempts) return { id, error: errorOf(problem), conflict };
  // The record that was read may be newer than the report; the next bulk then returns a new report.
  if (theirs.eTag !== report.currentETag) return { base, change, attempt: attempt + 1 };
  if (!isConflicting(report)) return { base: theirs, change, attempt: attempt + 1 };
  const resolution = await onConflict?.({ ...conflict, change });
  if (resolution === undefined) return { id, error: errorOf(problem), conflict };
  return { base: theirs, change: resolution, attempt: attempt + 1 };
}

function errorOf(problem: BulkProblem): ProblemError {
  return new ProblemError<ProblemCode>(problem as unknown as ProblemOf<ProblemCode>);
}
