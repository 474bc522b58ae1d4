import { accessOf, type Scope } from '../auth/access.js';
import type { AskedWrite } from '../writes/write-rule.js';
import { shortened } from '../problem/problem.js';
import { PrefixedShipmentsController } from '../shipments/prefixed-shipments.controller.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import { ShipmentsController } from '../shipments/shipments.controller.js';
import type { Op, SentItem } from './bulk-request.js';

const MAX_SEGMENT_LENGTH = 64;

/** The route of the single request that an item stands for. Its rules are the rules of the item. */
interface SingleRoute {
  readonly handler: object;
  readonly method: string;
  /** The status of its success. */
  readonly status: number;
}

const ROUTES: Readonly<Record<Op, SingleRoute>> = {
  create: { handler: handlerOf(ShipmentsController, 'create'), method: 'POST', status: 201 },
  update: { handler: handlerOf(ShipmentsController, 'update'), method: 'PATCH', status: 200 },
  updateStatus: { handler: handlerOf(PrefixedShipmentsController, 'updateStatus'), method: 'PATCH', status: 200 },
  delete: { handler: handlerOf(ShipmentsController, 'remove'), method: 'DELETE', status: 204 },
};

function handlerOf<C extends { prototype: object }>(controller: C, name: keyof C['prototype'] & string): object {
  return (controller.prototype as Record<typeof name, object>)[name];
}

/** An item of a bulk as the single request that it stands for. */
export interface BulkItem extends SingleRoute, AskedWrite {
  readonly op: Op;
  /** Empty for a shipment that is yet to be created. */
  readonly id: string;
  /** The record that it is about, as a problem names it. */
  readonly path: string;
}

export function bulkItem(sent: SentItem): BulkItem {
  const { op, id = '', ifMatch } = sent;
  return {
    ...ROUTES[op],
    op,
    id,
    path: op === 'create' ? SHIPMENTS.path : `${SHIPMENTS.path}/${segmentOf(id)}`,
    params: op === 'create' ? {} : { [SHIPMENTS.parameter]: id },
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    body: bodyOf(sent),
  };
}

/** An id is whatever the client sent. */
function segmentOf(id: string): string {
  return encodeURIComponent(shortened(id.toWellFormed(), MAX_SEGMENT_LENGTH));
}

/** The body of the single request; of a change of status, the members that are left. */
function bodyOf({ op, id: _, ifMatch: __, ...members }: SentItem): unknown {
  if (op === 'create') return members['values'];
  return op === 'update' ? members['patch'] : members;
}

/** The scopes that these operations need, each as its own route does. */
export function scopesOf(ops: readonly Op[]): Scope[] {
  return [...new Set(ops.flatMap((op) => accessOf(ROUTES[op].handler) as Scope))];
}
