import { keptByTab } from '../kept-by-tab.js';
import { session } from '../session/session.js';
import { Store } from '../store.js';
import type { BulkEdit, Outcome } from './bulk-edit.js';

/** A change of many shipments that was begun, and how far it is. Its bulks are repeated under its key until responses settle them. */
export interface KeptChange {
  readonly change: BulkEdit;
  readonly key: string;
  readonly outcome: Outcome;
}

interface Begun extends KeptChange {
  /** Whether its dialog shows it. */
  readonly isShown: boolean;
}

/** The changes that this tab began and whose outcome the user has not seen. They survive Back and, like drafts, a reload. */
export const begun = new Store<readonly Begun[]>([]);

/** Whether the browser keeps them, so that they survive a reload. */
export const areKept = new Store(true);

function name(): string {
  return `waybill.many.${session.subject}.changes`;
}

function update(changes: readonly Begun[]): void {
  const kept = changes.map(({ change, key, outcome: { fault: _, ...known } }) => ({
    ...{ change, key },
    // Too much to keep twice.
    outcome: { ...known, made: [] },
  }));
  areKept.set(keptByTab.write(name(), kept.length === 0 ? undefined : { changes: kept }));
  begun.set(changes);
}

export function findKeptChanges(): void {
  const { changes = [] } = keptByTab.read<{ changes: KeptChange[] }>(name()) ?? {};
  if (begun.get().length === 0) begun.set(changes.map((kept) => ({ ...kept, isShown: false })));
}

export function keepChange(kept: KeptChange, isShown: boolean): void {
  update([...begun.get().filter(({ key }) => key !== kept.key), { ...kept, isShown }]);
}

/** The dialogs are gone, whether or not the user has seen the end. */
export function leaveChanges(): void {
  begun.set(begun.get().map((kept) => ({ ...kept, isShown: false })));
}

/** The user has seen the outcome. */
export function forgetChange(forgotten: string): void {
  update(begun.get().filter(({ key }) => key !== forgotten));
}
