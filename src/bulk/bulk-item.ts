import { accessOf, type Scope } from '../auth/access.js';
import type { AskedWrite } from '../etag/write-rule.js';
import { PrefixedShipmentsController } from '../shipments/prefixed-shipments.controller.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import { ShipmentsController } from '../shipments/shipments.controller.js';
import type { Op, SentItem } from './bulk-request.js';

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
  return (controller.prototype as Record<string, object>)[name] as object;
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
    path: id === '' ? SHIPMENTS.path : `${SHIPMENTS.path}/${id}`,
    params: op === 'create' ? {} : { [SHIPMENTS.parameter]: id },
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    body: bodyOf(sent),
  };
}

function bodyOf({ op, id: _, ifMatch: __, ...members }: SentItem): unknown {
  switch (op) {
    case 'create':
      return members['values'];
    case 'update':
      return members['patch'];
    default: {
      const { op: ___, ...body } = members as Record<string, unknown>;
      return body;
    }
  }
}

/** The scopes that these operations need, each as its own route does. */
export function scopesOf(ops: readonly Op[]): Scope[] {
  return [...new Set(ops.flatMap((op) => accessOf(ROUTES[op].handler) as Scope))];
}
