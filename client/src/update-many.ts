import {
  isAnyProblem,
  isProblem,
  mayBeDone,
  NoAnswerError,
  ProblemError,
  type Conflict,
  type ProblemCode,
  type ProblemOf,
} from './errors.js';
import type { WriteCallOptions } from './http.js';
import { isObject } from './expected.js';
import { mergedRecord } from './merge.js';
import { backoff, pause } from './pause.js';
import type { BulkItem, BulkProblem, BulkResult, Current, Shipment } from './records.js';
import { isConflicting, type Change, type Report, type UpdateOptions } from './update.js';

/** Progress of `updateMany`. */
export interface UpdateManyProgress {
  readonly total: number;
  readonly updated: number;
  readonly refused: number;
  readonly unknown: number;
  readonly left: number;
}

/** A patch, or a function that computes it from a shipment. It returns undefined to leave the shipment as it is. */
export type ChangeOfMany<P> = P | ((current: Current<Shipment>) => P | undefined | Promise<P | undefined>);

export interface UpdateManyOptions<P> extends WriteCallOptions {
  /**
   * Your own key, at most 190 characters. If a call threw or was aborted, call again with the same key, the same versions of the same
   * shipments and the same change: nothing is done twice, and the report is complete.
   */
  readonly idempotencyKey?: string | undefined;
  /** Called if somebody else changed a field of the patch to a different value, or a field of the filter. Without it such a shipment is refused. */
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
  /** The ids of those for which the change function returned undefined. */
  readonly left: readonly string[];
}

/** Reads and writes shipments. */
export interface ManyAccess<P> {
  /** Fields of a shipment that a 412 does not report. */
  readonly unreported: readonly string[];
  /** The current shipment, or one of its versions. */
  read(id: string, version?: string): Promise<Shipment>;
  item(id: string, ifMatch: string, patch: P): BulkItem;
  /** Sends a non-atomic bulk. The same key is the same request. */
  send(items: readonly BulkItem[], idempotencyKey: string): Promise<readonly BulkResult[]>;
}

/** The shipments to change. */
export interface Many<P> {
  readonly shipments: readonly Shipment[];
  /** Those that could not be read. */
  readonly refused: readonly RefusedUpdate<P>[];
  /** The fields that the shipments were selected by. A shipment in which one of them changed may no longer be meant. */
  readonly filtered: readonly string[];
}

/** A shipment that is not changed yet. */
interface Open<P> {
  readonly base: Current<Shipment>;
  readonly change: ChangeOfMany<P>;
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
  { shipments, refused: unread, filtered }: Many<P>,
  change: ChangeOfMany<P>,
  access: ManyAccess<P>,
  options: UpdateManyOptions<P>,
): Promise<UpdateManyReport<P>> {
  const { onProgress, signal, idempotencyKey } = options;
  const updated: Shipment[] = [];
  const refused = [...unread];
  const unknown: UnknownUpdate[] = [];
  const left: string[] = [];
  let open = shipments.map((base): Open<P> => ({ base, change, attempt: 1 }));
  for (let round = 1; open.length > 0; round += 1) {
    const again: Open<P>[] = [];
    for (const bulk of await bulksOf(open, access, left)) {
      for (const { sent, result, error } of await send(bulk, access, signal, idempotencyKey)) {
        const { status, shipment, problem } = result;
        if (problem === undefined) {
          if (shipment !== undefined) updated.push(shipment);
        } else if (error?.mayBeDone === true) {
          unknown.push({ id: sent.base.id, error });
        } else if (status !== 412) {
          refused.push({ id: sent.base.id, error: error ?? errorOf(problem) });
        } else {
          const next = await resolve(sent, problem, access, filtered, options);
          if ('error' in next) refused.push(next);
          else again.push(next);
        }
      }
      onProgress?.({
        total: shipments.length + unread.length,
        updated: updated.length,
        refused: refused.length,
        unknown: unknown.length,
        left: left.length,
      });
    }
    open = again;
    if (open.length > 0) await pause(backoff(round, FIRST_PAUSE_MS, MAX_PAUSE_MS), signal);
  }
  return { updated, refused, unknown, left };
}

interface Sent<P> extends Open<P> {
  readonly patch: P;
  readonly item: BulkItem;
}

/** Splits items into bulks that the service accepts. Adds the ids of shipments to leave as they are to `left`. */
async function bulksOf<P>(open: readonly Open<P>[], access: ManyAccess<P>, left: string[]): Promise<Sent<P>[][]> {
  const bulks: Sent<P>[][] = [];
  let bytes = Infinity;
  for (const each of open) {
    const patch = await patchOf(each);
    if (patch === undefined) {
      left.push(each.base.id);
      continue;
    }
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

async function patchOf<P>({ base, change }: Open<P>): Promise<P | undefined> {
  return typeof change === 'function'
    ? (change as (current: Current<Shipment>) => P | undefined | Promise<P | undefined>)(base)
    : change;
}

/** The next patch after a 412, or the refusal if the conflict is not resolved. Each attempt is based on a newer version. */
async function resolve<P>(
  { base, change, patch: mine, attempt }: Sent<P>,
  problem: BulkProblem,
  access: ManyAccess<P>,
  filtered: readonly string[],
  { onConflict, attempts = ATTEMPTS, signal }: UpdateManyOptions<P>,
): Promise<Open<P> | RefusedUpdate<P>> {
  const { id } = base;
  const report = problem as unknown as Report;
  let theirs: Current<Shipment>;
  try {
    theirs = await currentOf(base, problem, access);
  } catch (error) {
    signal?.throwIfAborted();
    // The shipment was not changed, and the others still have their reports.
    if (isAnyProblem(error)) return { id, error };
    if (error instanceof NoAnswerError) return { id, error: errorOf(problem) };
    throw error;
  }
  const conflict: Conflict<Shipment, P> = { base, mine, theirs, changes: report.changes ?? [] };
  if (attempt >= attempts) return { id, error: errorOf(problem), conflict };
  const isReported = report.changes !== undefined && theirs.eTag === report.currentETag;
  const isOpen = isReported ? isConflicting(report, mine) : isChangedOtherwise(base, theirs, mine);
  if (!isOpen && !filtered.some((field) => isChanged(base, theirs, field))) {
    return { base: theirs, change, attempt: attempt + 1 };
  }
  const resolution = await onConflict?.({ ...conflict, change: change as Change<Shipment, P> });
  if (resolution === undefined) return { id, error: errorOf(problem), conflict };
  return { base: theirs, change: resolution, attempt: attempt + 1 };
}

/**
 * The version that a 412 reports. A stored 412, which a repeated call gets, has no changes. Its version is read then, not the current one,
 * which may already have the change: the call so sends the same requests as before, and gets their stored responses.
 */
async function currentOf<P>(
  base: Current<Shipment>,
  problem: BulkProblem,
  access: ManyAccess<P>,
): Promise<Current<Shipment>> {
  const report = problem as unknown as Report;
  // The service left out long values.
  const isWhole = problem.changes?.every(({ truncated }) => truncated !== true) !== false;
  const merged = isWhole ? mergedRecord(base, report, access.unreported) : undefined;
  if (merged !== undefined) return merged;
  try {
    if (report.currentETag !== undefined) return await access.read(base.id, report.currentETag);
  } catch (error) {
    // The version was archived or erased, or the shipment was deleted.
    if (!isProblem(error, 'NOT_FOUND') && !isProblem(error, 'ERASED')) throw error;
  }
  return access.read(base.id);
}

/** Whether others changed a field of the patch to a different value. An address is one value. */
function isChangedOtherwise<P>(base: Current<Shipment>, theirs: Current<Shipment>, patch: P): boolean {
  return Object.entries(patch as object).some(([field, value]: [string, unknown]) => {
    const before: unknown = base[field as keyof typeof base];
    const mine = isObject(value) && isObject(before) ? { ...before, ...value } : value;
    return isChanged(base, theirs, field) && comparable(mine) !== comparable(theirs[field as keyof typeof theirs]);
  });
}

function isChanged(base: object, theirs: object, field: string): boolean {
  const [before, now] = [base, theirs].map((record) => comparable((record as Record<string, unknown>)[field]));
  return before !== now;
}

/** An absent value is null; the id and the version of an address are no values. */
function comparable(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const values = Object.entries(value).filter(([name, each]) => name !== 'id' && name !== 'eTag' && each != null);
  return JSON.stringify(values.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function errorOf(problem: BulkProblem): ProblemError {
  return new ProblemError<ProblemCode>(problem as unknown as ProblemOf<ProblemCode>);
}
