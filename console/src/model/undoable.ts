import type { HistoryEntry, ShipmentStatus } from '@waybill/client';
import { fieldOf, type Value, type Values } from './fields.js';
import { saysWhatChanged } from './last-change.js';

type HasWayBack = (from: ShipmentStatus, to: ShipmentStatus) => boolean;

/** Nobody sees the id of an address, and it is another one when the address is added again. */
function isSeen({ field }: { readonly field: string }): boolean {
  return !field.endsWith('/id');
}

/**
 * The values that a change replaced: undefined if it cannot be undone, or if later changes have replaced all that it wrote. `entries` is a
 * history, newest first, and `at` the index of the change in it.
 */
export function replacedBy(entries: readonly HistoryEntry[], at: number, hasWayBack: HasWayBack): Values | undefined {
  const entry = entries[at];
  if (entry?.eTag == null) return undefined;
  if (!['updated', 'statusChanged'].includes(entry.type) || !saysWhatChanged(entry)) return undefined;
  const changes = entry.changes.filter(isSeen);
  const status = changes.find(({ field }) => field === 'status');
  // A change of the status is one of its own.
  const canUndo =
    status === undefined
      ? changes.every(({ field }) => fieldOf(field) !== undefined)
      : changes.length === 1 && hasWayBack(status.from as ShipmentStatus, status.to as ShipmentStatus);
  const later = entries.slice(0, at).filter(({ resourceID }) => resourceID === entry.resourceID);
  if (!canUndo || later[0]?.type === 'deleted') return undefined;
  const isReplaced = (name: string) => later.some(({ changes: all }) => all.some(({ field }) => field === name));
  // Also a version without a change.
  if (changes.every(({ field }) => isReplaced(field))) return undefined;
  return Object.fromEntries(changes.map(({ field, from }) => [field, (from ?? null) as Value]));
}
