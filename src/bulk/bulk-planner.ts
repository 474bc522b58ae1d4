import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import type { Transaction } from '../database/transaction.js';
import { Conflicts } from '../writes/conflicts.js';
import { requireVersion, StaleVersion } from '../etag/preconditions.js';
import { fieldsSent } from '../writes/fields.pipe.js';
import { MOVES } from '../model/move.entity.js';
import { Problem } from '../problem/problem.js';
import { Deleted, DeletedRecords } from '../records/deleted-records.js';
import { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import { isNameOf, notFound } from '../records/resource.js';
import { isUUID } from '../validation/json-schema.js';
import type { NewShipmentFields, ShipmentFields } from '../shipments/dto/shipment-fields.js';
import type { StatusChange } from '../shipments/dto/status-change.js';
import { SHIPMENTS, type Shipment } from '../model/shipment.entity.js';
import { ShipmentsService, unknownMove } from '../shipments/shipments.service.js';
import { StaleItems } from '../writes/unit-of-work.js';
import type { BulkItem } from './bulk-item.js';
import { withBoundedValues } from './bounded-values.js';

/** The version of the shipment does not match `ifMatch`. Explained after all locks are released. */
export interface Stale {
  readonly item: BulkItem;
  readonly row: Shipment;
}

export type Plan = PendingWrite | Problem;

/** The moves and shipments that a transaction has locked, by name and id. */
export interface Locks {
  readonly moves: ReadonlySet<string>;
  readonly shipments: ReadonlyMap<string, Locked<Shipment>>;
  /** The deleted shipments, or why one cannot be restored. */
  readonly deleted: ReadonlyMap<string, Deleted | Problem | undefined>;
}

/** Plans the writes of a bulk by the same rules, in the same order, as for single requests. */
@Injectable()
export class BulkPlanner {
  constructor(
    private readonly records: Records,
    private readonly deletedRecords: DeletedRecords,
    private readonly shipments: ShipmentsService,
    private readonly conflicts: Conflicts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Locks deletions, the moves of new and restored shipments, then shipments in id order: bulks and deletions never deadlock. */
  async lock(transaction: Transaction, items: readonly BulkItem[]): Promise<Locks> {
    const [restoring, others] = [items.filter(isUndelete), items.filter((item) => !isUndelete(item))];
    const deleted = await this.deletedRecords.lockAll(transaction, SHIPMENTS, idsOf(restoring));
    const ofDeleted = [...deleted.values()].flatMap((each) => (each instanceof Deleted ? [each.parentID] : []));
    const names = [...others.map(moveOf).filter((name) => name !== undefined), ...ofDeleted];
    const moves = names.length === 0 ? new Set<string>() : await this.records.lockParents(transaction, MOVES, names);
    return { moves, deleted, shipments: await this.records.lockAll(transaction, SHIPMENTS, idsOf(others)) };
  }

  /** Throws `StaleItems` for items with stale versions. */
  async plan(transaction: Transaction, items: readonly BulkItem[], locks: Locks): Promise<Map<BulkItem, Plan>> {
    const plans = new Map<BulkItem, Plan>();
    const stale = new Map<BulkItem, Stale>();
    for (const item of items) {
      const locked = locks.shipments.get(item.id);
      try {
        plans.set(item, await this.changeOf(transaction, item, locked, locks));
      } catch (error) {
        if (error instanceof StaleVersion && locked !== undefined) stale.set(item, { item, row: locked.row });
        else if (error instanceof Problem) plans.set(item, error);
        else throw error;
      }
    }
    if (stale.size > 0) throw new StaleItems(stale);
    return plans;
  }

  /** Throws the 422 of an item if it were written now; `row` is the shipment that it changes. */
  requireFields(item: BulkItem, row: Shipment | undefined, isMove: (name: string) => boolean): void {
    requireMove(this.fieldsOf<Partial<NewShipmentFields>>(item, row), isMove);
  }

  /** The 412s of stale items. The caller must not hold locks. */
  async explain<Key>(stale: ReadonlyMap<Key, Stale>): Promise<Map<Key, Problem>> {
    const writes = [...stale].map(([key, { item, row }]) => [key, { row, rule: item.rule, sent: item }] as const);
    const problems = await this.conflicts.explainAll(SHIPMENTS, new Map(writes));
    return new Map([...problems].map(([key, problem]) => [key, withBoundedValues(problem)]));
  }

  private async changeOf(
    transaction: Transaction,
    item: BulkItem,
    locked: Locked<Shipment> | undefined,
    { moves, deleted }: Locks,
  ): Promise<PendingWrite> {
    const { op, rule } = item;
    if (op === 'create' || 'creates' in rule) {
      const fields = this.fieldsOf<NewShipmentFields>(item);
      requireMove(fields, (name) => moves.has(name));
      return this.shipments.create(transaction, fields);
    }
    if (op === 'undelete') return this.restorationOf(transaction, item, deleted.get(item.id), moves);
    if (locked === undefined) return notFound(SHIPMENTS, item.id);
    requireVersion(item.headers, rule.ifMatch, locked.row.eTag);
    switch (op) {
      case 'update':
        return this.shipments.update(locked, this.fieldsOf<Partial<ShipmentFields>>(item, locked.row));
      case 'updateStatus':
        return this.shipments.updateStatus(locked, this.fieldsOf<StatusChange>(item, locked.row));
      case 'delete':
        return locked.remove();
    }
  }

  private async restorationOf(
    transaction: Transaction,
    { id, headers }: BulkItem,
    deleted: Deleted | Problem | undefined,
    locked: ReadonlySet<string>,
  ): Promise<PendingWrite> {
    if (deleted === undefined) return notFound(SHIPMENTS, id);
    if (deleted instanceof Problem) throw deleted;
    deleted.requireVersion(headers);
    if (locked.has(deleted.parentID)) return deleted.restore();
    throw await this.deletedRecords.parentDeleted(transaction, deleted);
  }

  private fieldsOf<Fields extends object>(item: BulkItem, row?: Shipment): Fields {
    const { body } = item.rule;
    if (body === undefined) throw new Error(`${item.op} has no body`);
    return fieldsSent(body, item, row, this.config) as Fields;
  }
}

function isUndelete({ op }: BulkItem): boolean {
  return op === 'undelete';
}

function idsOf(items: readonly BulkItem[]): string[] {
  return items.map(({ id }) => id).filter(isUUID);
}

function moveOf({ op, body }: BulkItem): string | undefined {
  const { moveID } = (op === 'create' ? (body ?? {}) : {}) as { moveID?: unknown };
  return typeof moveID === 'string' && isNameOf(MOVES, moveID) ? moveID : undefined;
}

function requireMove({ moveID }: Partial<NewShipmentFields>, isMove: (name: string) => boolean): void {
  if (typeof moveID === 'string' && !isMove(moveID)) throw unknownMove();
}
