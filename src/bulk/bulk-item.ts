import type { Scope } from '../auth/access.js';
import type { SentWrite, WriteRule } from '../writes/write-rule.js';
import { shortened } from '../problem/problem.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import { SHIPMENT_WRITES } from '../shipments/shipment.writes.js';
import type { Op, SentItem } from './bulk-request.js';

const MAX_SEGMENT_LENGTH = 64;

/** The rule and success status of the equivalent single request. */
const WRITES = {
  create: { rule: SHIPMENT_WRITES.create, status: 201 },
  update: { rule: SHIPMENT_WRITES.update, status: 200 },
  updateStatus: { rule: SHIPMENT_WRITES.updateStatus, status: 200 },
  delete: { rule: SHIPMENT_WRITES.remove, status: 204 },
  undelete: { rule: SHIPMENT_WRITES.undelete, status: 200 },
} satisfies Record<Op, { rule: WriteRule; status: number }>;

/** An item of a bulk as its equivalent single request. */
export interface BulkItem extends SentWrite {
  readonly rule: WriteRule;
  readonly status: number;
  readonly op: Op;
  /** Empty for a new shipment; as sent if no shipment has that name. */
  readonly id: string;
  /** The `instance` of the item's problems. */
  readonly path: string;
}

/** `ids` has the ids of shipments that were named otherwise. */
export function bulkItem(sent: SentItem, ids: ReadonlyMap<string, string> = new Map()): BulkItem {
  const { op, id: name = '', ifMatch } = sent;
  return {
    ...WRITES[op],
    op,
    id: ids.get(name) ?? name,
    path: op === 'create' ? SHIPMENTS.path : `${SHIPMENTS.path}/${segmentOf(name)}`,
    params: op === 'create' ? {} : { [SHIPMENTS.parameter]: name },
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    body: bodyOf(sent),
  };
}

/** The id is unvalidated client input. */
function segmentOf(id: string): string {
  return encodeURIComponent(shortened(id.toWellFormed(), MAX_SEGMENT_LENGTH));
}

/** The body of the single request; for a status change, the remaining members. */
function bodyOf({ op, id: _, ifMatch: __, ...members }: SentItem): unknown {
  if (op === 'create') return members['values'];
  return op === 'update' ? members['patch'] : members;
}

/** The scopes that these operations require, as for single requests. */
export function scopesOf(ops: readonly Op[]): Scope[] {
  return [...new Set(ops.map((op) => WRITES[op].rule.scope))];
}
