import { Injectable } from '@nestjs/common';
import { BulkVerdicts, Stale, type Locks, type Verdict } from '../bulk/bulk-verdicts.js';
import type { BulkItem } from '../bulk/bulk-item.js';
import { Database } from '../database/database.js';
import type { Author, Transaction } from '../database/transaction.js';
import { WriteCommit } from '../etag/write-commit.js';
import { erased, Problem } from '../problem/problem.js';
import { Change } from '../records/change.js';
import type { Locked } from '../records/locked.js';
import { Records } from '../records/records.js';
import type { Shipment } from '../shipments/shipment.entity.js';
import { COUNT_OF, itemOf, mergedWith, mergeWith, refusal, type ImportRow } from './import-row.js';
import { ImportRows } from './import-rows.js';
import { COUNTS, IMPORTS, type Counts, type Import } from './import.entity.js';

/** The rows that are still to be written. */
const PENDING = ['create', 'change'] as const;

/** The rows that are next: those after a line, and how many of them. */
export interface Chunk {
  readonly after: number;
  readonly size: number;
}

/** How far an import has come. */
export interface Progress {
  /** The line of the last row that was done; undefined when there are no more. */
  readonly line: number | undefined;
  readonly finished: readonly Finished[];
}

export type Finished = Pick<ImportRow, 'line' | 'outcome' | 'recordID' | 'problem' | 'current'>;

/**
 * Writes a few rows of an import in one transaction, together with what became of each of them. It holds the import locked, so that of
 * several that apply it, here or in other replicas, each finds the rows that those before it have left. So a row has its effect once,
 * wherever a process dies.
 */
@Injectable()
export class ApplyChunk {
  constructor(
    private readonly database: Database,
    private readonly records: Records,
    private readonly rows: ImportRows,
    private readonly verdicts: BulkVerdicts,
    private readonly writeCommit: WriteCommit,
  ) {}

  async apply(importID: string, author: Author, chunk: Chunk): Promise<Progress> {
    // A row that was found to be in conflict is refused, whatever happens from here on.
    const conflicts = new Map<number, Finished>();
    for (;;) {
      const outcome = await this.inTransaction(author, (open) => this.attempt(open, importID, chunk, conflicts));
      if (!(outcome instanceof Map)) return outcome;
      // No row is locked while conflicts are explained from history.
      for (const [row, problem] of await this.verdicts.explain(outcome)) {
        const { line, recordID } = row;
        conflicts.set(line, { line, recordID, ...refusal(problem, outcome.get(row)?.row) });
      }
    }
  }

  /** Refuses the next row with the failure that it causes whenever it is written. */
  refuseNext(importID: string, author: Author, after: number, problem: Problem): Promise<Progress> {
    return this.inTransaction(author, async (transaction) => {
      const locked = await this.records.lock(transaction, IMPORTS, importID);
      const rows = await this.rows.after(importID, { after, outcomes: PENDING, limit: 1 }, transaction);
      const finished = rows.map(({ line, recordID }) => ({ line, recordID, ...refusal(problem, undefined) }));
      return this.finish(transaction, locked, rows, finished);
    });
  }

  /** Writes nothing and returns the rows that are in conflict, when there are any that are not explained yet. */
  private async attempt(
    transaction: Transaction,
    importID: string,
    { after, size }: Chunk,
    conflicts: ReadonlyMap<number, Finished>,
  ): Promise<Progress | Map<ImportRow, Stale>> {
    const locked = await this.records.lock(transaction, IMPORTS, importID);
    if (locked.row.state !== 'applying') return { line: undefined, finished: [] };
    const rows = await this.rows.after(importID, { after, outcomes: PENDING, limit: size }, transaction);
    if (rows.length === 0) {
      requireAllDone(locked.row);
      await this.writeCommit.write(transaction, [locked.update({ state: 'applied' })]);
      await transaction.commit();
      return { line: undefined, finished: [] };
    }
    const open = rows.filter(({ line, erased: isErased }) => !isErased && !conflicts.has(line));
    const items = open.map((row) => itemOf(row, ''));
    const locks = await this.verdicts.lock(transaction, items);
    const stale = conflictsAmong(open, locks);
    if (stale.size > 0) return stale;
    const written = await this.write(transaction, open, locks);
    const finished = rows.map(
      (row) => refusedAsErased(row) ?? conflicts.get(row.line) ?? written.get(row.line) ?? missing(row),
    );
    return this.finish(transaction, locked, rows, finished);
  }

  /** Writes the rows that can be written, and returns by line what became of each. */
  private async write(
    transaction: Transaction,
    rows: readonly ImportRow[],
    locks: Locks,
  ): Promise<ReadonlyMap<number, Finished>> {
    const done = rows.filter((row) => mergeOf(row, locks) === 'done');
    const items = new Map(rows.filter((row) => !done.includes(row)).map((row) => [row, currentItemOf(row, locks)]));
    const verdicts = await this.verdicts.judge(transaction, [...items.values()], locks);
    const changes = [...verdicts.values()].filter((verdict) => verdict instanceof Change);
    await this.writeCommit.write(transaction, changes);
    const finished = [...items].map(([row, item]) => outcomeOf(row, verdicts.get(item), locks));
    return new Map([...done.map(passOver), ...finished].map((row) => [row.line, row]));
  }

  /** Stores what became of the rows, and commits all that the transaction has written. */
  private async finish(
    transaction: Transaction,
    locked: Locked<Import>,
    rows: readonly ImportRow[],
    finished: readonly Finished[],
  ): Promise<Progress> {
    await this.writeCommit.write(transaction, [locked.update(countsAfter(locked.row, rows, finished))]);
    await transaction.commit([this.rows.finish(locked.row.id, finished)]);
    return { line: rows.at(-1)?.line, finished };
  }

  /** Rolls back unless the work has committed. */
  private async inTransaction<T>(author: Author, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const transaction = await this.database.begin(author);
    try {
      return await work(transaction);
    } finally {
      await transaction.rollback();
    }
  }
}

/** Rows that an import promises to write are not stored. */
export class RowsMissing extends Error {}

/** A constraint of the table requires the same; this says what is wrong. */
function requireAllDone({ toCreate, toChange }: Counts): void {
  const missing = toCreate + toChange;
  if (missing > 0) throw new RowsMissing(`${missing} rows that are still to be written are not stored`);
}

/** The rows that write a field to which somebody else gave another value since the version that they name. */
function conflictsAmong(rows: readonly ImportRow[], locks: Locks): Map<ImportRow, Stale> {
  return new Map(
    rows.flatMap((row) => {
      const current = currentOf(row, locks);
      return current !== undefined && mergeOf(row, locks) === 'conflicting'
        ? [[row, new Stale(itemOf(row, row.eTag ?? ''), current)]]
        : [];
    }),
  );
}

function currentOf({ recordID }: ImportRow, { shipments }: Locks): Shipment | undefined {
  return shipments.get(recordID ?? '')?.row;
}

function mergeOf(row: ImportRow, locks: Locks): ReturnType<typeof mergeWith> {
  const current = currentOf(row, locks);
  return current === undefined ? 'merged' : mergeWith(row, current);
}

/** The change goes to the version that is locked: what others changed since the one that the row names is not in its way. */
function currentItemOf(row: ImportRow, locks: Locks): BulkItem {
  return itemOf(row, currentOf(row, locks)?.eTag ?? '*');
}

function outcomeOf(row: ImportRow, verdict: Verdict | undefined, locks: Locks): Finished {
  if (verdict instanceof Change) {
    const outcome = row.outcome === 'create' ? 'created' : 'changed';
    const current = mergedWith(row, currentOf(row, locks));
    return { line: row.line, outcome, recordID: verdict.recordID, problem: null, current };
  }
  if (!(verdict instanceof Problem)) throw new Error('A row whose shipment is locked cannot be stale');
  return { line: row.line, recordID: row.recordID, ...refusal(verdict, currentOf(row, locks)) };
}

/** A row whose values were erased cannot be written any more. */
function refusedAsErased({ line, recordID, erased: isErased }: ImportRow): Finished | undefined {
  if (!isErased) return undefined;
  return { line, recordID, ...refusal(erased('The values of this row were erased before it was written.'), undefined) };
}

function passOver({ line, recordID }: ImportRow): Finished {
  return { line, outcome: 'unchanged', recordID, problem: null, current: null };
}

function missing({ line }: ImportRow): never {
  throw new Error(`Nothing became of the row in line ${line}`);
}

/** The rows of a chunk leave the counts of what they were to do for those of what became of them. */
function countsAfter(counts: Counts, rows: readonly ImportRow[], finished: readonly Finished[]): Counts {
  const after = Object.fromEntries(COUNTS.map((name) => [name, counts[name]])) as Record<keyof Counts, number>;
  for (const { outcome } of rows) after[COUNT_OF[outcome]] -= 1;
  for (const { outcome } of finished) after[COUNT_OF[outcome]] += 1;
  return after;
}
