import type { Event, HistoryEntry } from '@waybill/client';

/** Whether the entry says what it changed. Without the values that it replaced, it lists all its values. */
export function saysWhatChanged({ changes, erased }: Event['data'] | HistoryEntry): boolean {
  return !(erased === true && changes.length === 0) && changes.every(({ from }) => from !== undefined);
}

/** A record is restored with the values that it had when it was deleted. */
const CHANGES_NO_VALUE: readonly string[] = ['deleted', 'restored', 'erased'];

/** The newest change of a field in a history, newest first; undefined if a later entry does not say what it changed. */
export function lastChange(entries: readonly HistoryEntry[], recordID: string, field: string) {
  for (const entry of entries) {
    if (entry.resourceID !== recordID || CHANGES_NO_VALUE.includes(entry.type)) continue;
    if (!saysWhatChanged(entry)) return undefined;
    const { changes, changedBy, changedAt } = entry;
    const change = changes.find((each) => each.field === field);
    if (change !== undefined) return { ...change, changedBy, changedAt };
  }
  return undefined;
}
