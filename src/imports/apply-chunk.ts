import { Injectable } from '@nestjs/common';
import { BulkPlanner, type Stale, type Locks, type Verdict } from '../bulk/bulk-planner.js';
import type { Author } from '../database/transaction.js';
import { erased, type Problem } from '../problem/problem.js';
import { PendingWrite } from '../records/pending-write.js';
import { Records } from '../records/records.js';
import type { Shipment } from '../shipments/shipment.entity.js';
import { StaleItems, UnitOfWork, type Unit } from '../writes/unit-of-work.js';
import { COUNT_OF, itemOf, mergedWith, mergeWith, refusal, type FinishedRow, type ImportRow } from './import-row.js';
import { ImportRows } from './import-rows.js';
import { COUNTS, IMPORTS, type Counts } from './import.entity.js';

/** Outcomes of rows that are not written yet. */
const PENDING = ['create', 'change'] as const;

/** The next rows: those after a line, up to a limit. */
interface Chunk {
  readonly after: number;
  readonly size: number;
  /** Refuses the rows, because writing them fails on every attempt. */
  readonly problem?: Problem;
}

/** The progress of an import. */
export interface Progress {
  /** The line of the last finished row; undefined at the end. */
  readonly line: number | undefined;
  readonly finished: readonly FinishedRow[];
}

/**
 * Writes a few rows of an import and their outcomes in one transaction. It locks the import, so that concurrent workers, also in other
 * replicas, each see the rows that earlier ones left. Each row therefore takes effect exactly once, even if a process dies.
 */
@Injectable()
export class ApplyChunk {
  constructor(
    private readonly units: UnitOfWork,
    private readonly records: Records,
    private readonly rows: ImportRows,
    private readonly verdicts: BulkPlanner,
  ) {}

  apply(importID: string, author: Author, chunk: Chunk): Promise<Progress> {
    const explain = (stale: ReadonlyMap<number, Stale>) => this.explain(stale);
    return this.units.runExplained(author, explain, (unit, refused) => this.attempt(unit, importID, chunk, refused));
  }

  /** Refuses conflicting rows, by line. */
  private async explain(stale: ReadonlyMap<number, Stale>): Promise<Map<number, FinishedRow>> {
    const problems = await this.verdicts.explain(stale);
    return new Map(
      [...problems].map(([line, problem]) => {
        const { item, row } = stale.get(line) ?? {};
        return [line, { line, recordID: item?.id ?? null, ...refusal(problem, row) }];
      }),
    );
  }

  /** Throws `StaleItems` for conflicting rows that are not refused yet. */
  private async attempt(
    unit: Unit,
    importID: string,
    { after, size, problem }: Chunk,
    explained: ReadonlyMap<number, FinishedRow>,
  ): Promise<Progress> {
    const { transaction } = unit;
    const locked = await this.records.lock(transaction, IMPORTS, importID);
    if (locked.row.state !== 'applying') return END;
    const rows = await this.rows.after(importID, { after, outcomes: PENDING, limit: size }, transaction);
    if (rows.length === 0) {
      requireAllDone(locked.row);
      await unit.commit(locked.update({ state: 'applied' }));
      return END;
    }
    const refused = new Map(explained);
    for (const { line, recordID, erased: isErased } of rows) {
      const reason = isErased ? erased('The values of this row were erased before it was written.') : problem;
      if (reason !== undefined) refused.set(line, { line, recordID, ...refusal(reason, undefined) });
    }
    const open = rows.filter(({ line }) => !refused.has(line));
    const items = open.map((row) => itemOf(row, ''));
    const locks = await this.verdicts.lock(transaction, items);
    const merged = open.map((row) => merge(row, locks.shipments.get(row.recordID ?? '')?.row));
    requireNoConflict(merged);
    const written = await this.write(unit, merged, locks);
    const finished = rows.map(({ line }) => refused.get(line) ?? written.get(line) ?? missing(line));
    const counted = locked.update(countsAfter(locked.row, rows, finished));
    await unit.commit(counted, [this.rows.finish(locked.row.id, finished)]);
    return { line: rows.at(-1)?.line, finished };
  }

  /** Writes the rows, and returns their outcomes by line. */
  private async write(unit: Unit, rows: readonly MergedRow[], locks: Locks): Promise<ReadonlyMap<number, FinishedRow>> {
    // A change applies to the locked version: changes of other fields by others do not conflict.
    const items = new Map(
      rows
        .filter(({ result }) => result !== 'done')
        .map((merged) => [merged, itemOf(merged.row, merged.current?.eTag ?? '*')]),
    );
    const verdicts = await this.verdicts.judge(unit.transaction, [...items.values()], locks);
    await unit.write([...verdicts.values()].filter((verdict) => verdict instanceof PendingWrite));
    const done = rows.filter(({ result }) => result === 'done').map(({ row }) => unchanged(row));
    const finished = [...items].map(([merged, item]) => outcomeOf(merged, verdicts.get(item)));
    return new Map([...done, ...finished].map((row) => [row.line, row]));
  }
}

/** A row, its locked shipment if it changes one, and the result of merging the two. */
interface MergedRow {
  readonly row: ImportRow;
  readonly current: Shipment | undefined;
  readonly result: ReturnType<typeof mergeWith>;
}

function merge(row: ImportRow, current: Shipment | undefined): MergedRow {
  return { row, current, result: current === undefined ? 'merged' : mergeWith(row, current) };
}

/** No rows are left to write. */
export const END: Progress = { line: undefined, finished: [] };

/** Rows that the counts of an import include are not stored. */
export class RowsMissing extends Error {}

/** A table constraint requires the same; this error explains the fault. */
function requireAllDone({ toCreate, toChange }: Counts): void {
  const missing = toCreate + toChange;
  if (missing > 0) throw new RowsMissing(`${missing} pending rows are not stored`);
}

/** Throws `StaleItems` for rows that write a field to which someone else has assigned another value since the row's version. */
function requireNoConflict(rows: readonly MergedRow[]): void {
  const stale = new Map<number, Stale>();
  for (const { row, current, result } of rows) {
    if (current === undefined || result !== 'conflicting') continue;
    stale.set(row.line, { item: itemOf(row, row.eTag ?? ''), row: current });
  }
  if (stale.size > 0) throw new StaleItems(stale);
}

function unchanged({ line, recordID }: ImportRow): FinishedRow {
  return { line, outcome: 'unchanged', recordID, problem: null, current: null };
}

function outcomeOf({ row, current }: MergedRow, verdict: Verdict | undefined): FinishedRow {
  const { line, recordID } = row;
  if (verdict === undefined) return missing(line);
  if (!(verdict instanceof PendingWrite)) return { line, recordID, ...refusal(verdict, current) };
  const outcome = row.outcome === 'create' ? 'created' : 'changed';
  return { line, outcome, recordID: verdict.recordID, problem: null, current: mergedWith(row, current) };
}

function missing(line: number): never {
  throw new Error(`The row in line ${line} has no outcome`);
}

/** Moves the rows of a chunk from their pending counts to the counts of their outcomes. */
function countsAfter(counts: Counts, rows: readonly ImportRow[], finished: readonly FinishedRow[]): Counts {
  const after = Object.fromEntries(COUNTS.map((name) => [name, counts[name]])) as Record<keyof Counts, number>;
  for (const { outcome } of rows) after[COUNT_OF[outcome]] -= 1;
  for (const { outcome } of finished) after[COUNT_OF[outcome]] += 1;
  return after;
}
