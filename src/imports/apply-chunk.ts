import { Injectable } from '@nestjs/common';
import type { BulkItem } from '../bulk/bulk-item.js';
import { BulkPlanner, type Locks, type Stale, type Plan } from '../bulk/bulk-planner.js';
import type { Author, Transaction } from '../database/transaction.js';
import { erased, type Problem } from '../problem/problem.js';
import { PendingWrite } from '../records/pending-write.js';
import { DeletedRecords } from '../records/deleted-records.js';
import { Records } from '../records/records.js';
import { SHIPMENTS, type Shipment } from '../model/shipment.entity.js';
import { StaleItems, UnitOfWork, type Unit } from '../writes/unit-of-work.js';
import { itemOf, mergedWith, mergeWith, recount, refusal, type FinishedRow, type ImportRow } from './import-row.js';
import { ImportRows } from './import-rows.js';
import { IMPORTS, keptUntil } from '../model/import.entity.js';

/** Outcomes of rows that are not written yet. */
const PENDING = ['create', 'change'] as const;

/** The next rows: those after a line, up to a limit. */
interface Chunk {
  readonly after: number;
  readonly size: number;
  /** Refuses the rows, because writing them fails on every attempt. */
  readonly problem?: Problem | undefined;
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
    private readonly deleted: DeletedRecords,
    private readonly rows: ImportRows,
    private readonly planner: BulkPlanner,
  ) {}

  /** The finished rows, in the order of their lines; none at the end of the import. */
  apply(importID: string, author: Author, chunk: Chunk): Promise<readonly FinishedRow[]> {
    const explain = (stale: ReadonlyMap<number, Stale>) => this.explain(stale);
    return this.units.runExplained(author, explain, (unit, refused) => this.attempt(unit, importID, chunk, refused));
  }

  /** Refuses conflicting rows, by line. */
  private async explain(stale: ReadonlyMap<number, Stale>): Promise<Map<number, FinishedRow>> {
    const problems = await this.planner.explain(stale);
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
  ): Promise<readonly FinishedRow[]> {
    const { transaction } = unit;
    const locked = await this.records.lock(transaction, IMPORTS, importID);
    if (locked.row.state !== 'applying') return [];
    const rows = await this.rows.after(importID, { after, outcomes: PENDING, limit: size }, transaction);
    if (rows.length === 0) {
      const { toCreate, toChange } = locked.row;
      // A table constraint requires the same; this error explains the fault.
      if (toCreate + toChange > 0) throw new RowsMissing(`${toCreate + toChange} pending rows are not stored`);
      await unit.commit(locked.update({ state: 'applied', expiresAt: keptUntil() }));
      return [];
    }
    const refused = new Map(explained);
    for (const { line, recordID, erased: isErased } of rows) {
      const reason = isErased ? erased('The values of this row were erased before it was written.') : problem;
      if (reason !== undefined) refused.set(line, { line, recordID, ...refusal(reason, undefined) });
    }
    const open = rows.filter(({ line }) => !refused.has(line));
    const locks = await this.planner.lock(
      transaction,
      open.map((row) => itemOf(row, '')),
    );
    const currentOf = ({ recordID }: ImportRow) => locks.shipments.get(recordID ?? '')?.row;
    for (const [line, row] of await this.refuseDeleted(transaction, open, locks)) refused.set(line, row);
    const items = itemsToWrite(
      open.filter(({ line }) => !refused.has(line)),
      currentOf,
    );
    const plans = await this.planner.plan(transaction, [...items.values()], locks);
    await unit.write([...plans.values()].filter((plan) => plan instanceof PendingWrite));
    const finished = rows.map((row) => {
      const refusedRow = refused.get(row.line);
      if (refusedRow !== undefined) return refusedRow;
      const item = items.get(row);
      if (item !== undefined) return outcomeOf(row, currentOf(row), plans.get(item));
      // The shipment already had all values of the row.
      return { line: row.line, outcome: 'unchanged', recordID: row.recordID, problem: null, current: null } as const;
    });
    const counted = locked.update(recount(locked.row, rows, finished));
    await unit.commit(counted, [this.rows.finish(locked.row.id, finished)]);
    return finished;
  }

  /** Refuses the rows whose shipment was deleted after the dry run, by line. */
  private async refuseDeleted(
    transaction: Transaction,
    rows: readonly ImportRow[],
    { shipments }: Locks,
  ): Promise<Map<number, FinishedRow>> {
    const ids = rows.flatMap(({ recordID }) => (recordID === null || shipments.has(recordID) ? [] : [recordID]));
    const missing = await this.deleted.whyMissing(SHIPMENTS, ids, transaction);
    return new Map(
      rows.flatMap(({ line, recordID }) => {
        const reason = missing.get(recordID ?? '');
        return reason === undefined ? [] : [[line, { line, recordID, ...refusal(reason, undefined) }] as const];
      }),
    );
  }
}

/** Rows that the counts of an import include are not stored. */
export class RowsMissing extends Error {}

/** The items of rows that are not done yet. Throws `StaleItems` for rows that write a field that others have set to another value. */
function itemsToWrite(
  rows: readonly ImportRow[],
  currentOf: (row: ImportRow) => Shipment | undefined,
): ReadonlyMap<ImportRow, BulkItem> {
  const items = new Map<ImportRow, BulkItem>();
  const stale = new Map<number, Stale>();
  for (const row of rows) {
    const current = currentOf(row);
    const result = current && mergeWith(row, current);
    if (current !== undefined && result === 'conflicting') {
      stale.set(row.line, { item: itemOf(row, row.eTag ?? ''), row: current });
    } else if (result !== 'done') {
      // A change applies to the locked version: changes of other fields by others do not conflict.
      items.set(row, itemOf(row, current?.eTag ?? '*'));
    }
  }
  if (stale.size > 0) throw new StaleItems(stale);
  return items;
}

function outcomeOf(row: ImportRow, current: Shipment | undefined, plan: Plan | undefined): FinishedRow {
  const { line, recordID } = row;
  if (plan === undefined) throw new Error(`The row in line ${line} was neither written nor refused`);
  if (!(plan instanceof PendingWrite)) return { line, recordID, ...refusal(plan, current) };
  const outcome = row.outcome === 'create' ? 'created' : 'changed';
  return { line, outcome, recordID: plan.recordID, problem: null, current: mergedWith(row, current) };
}
