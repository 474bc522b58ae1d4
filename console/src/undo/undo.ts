import type { Move, Shipment, ShipmentStatus } from '@waybill/client';
import type { Kind, Value, Values } from '../model/fields.js';
import type { Version } from '../model/merge.js';
import type { Row } from '../model/rows.js';
import { announce } from '../components/notice.js';
import { Store } from '../store.js';

/** Changes each shipment back to its own value of a field, which can be the status. */
export interface BulkUndo {
  readonly kind: 'undo';
  readonly field: string;
  readonly before: Readonly<Record<string, Value>>;
}

/**
 * A change that the user made, and what it replaced. To undo it is a write like any other: it names the version that the change produced, so
 * that a change by somebody else in between is a conflict.
 */
export type Undoable =
  | { readonly kind: 'status'; readonly shipment: Row; readonly status: ShipmentStatus }
  | {
      readonly kind: 'edit';
      readonly of: Kind;
      readonly record: Shipment | Move;
      /** The version that the change produced. */
      readonly version: Version;
      readonly before: Values;
    }
  | { readonly kind: 'many'; readonly change: BulkUndo; readonly shipments: readonly Row[] };

/** The undos that the user asked for and that are not over, with their idempotency keys. */
export const undos = new Store<readonly { readonly key: string; readonly undoable: Undoable }[]>([]);

export function undo(undoable: Undoable): void {
  undos.set([...undos.get(), { key: crypto.randomUUID(), undoable }]);
}

export function undoIsOver(over: string): void {
  undos.set(undos.get().filter(({ key }) => key !== over));
}

/** Says what was done, and offers to undo it. */
export function offerUndo(text: string, undoable: Undoable): void {
  announce(text, { undo: () => undo(undoable) });
}
