import type { Resource } from '../model/held-records.js';
import { session } from '../session/session.js';
import { browserStorage } from '../storage.js';
import { Store } from '../store.js';

/** How long the message about a deletion offers to undo it. Afterwards the page of the record and the list of deletions do. */
const OFFERED_MS = 300_000;

/** The last deletion by the user in this browser. The service has everything else, so that it can be undone in any tab. */
export interface LastDeletion {
  readonly kind: Resource;
  readonly id: string;
  /** The version that was deleted, which distinguishes this deletion from a later one. */
  readonly eTag: string;
  readonly at: number;
  /** Known only to the tab that deleted it. The browser keeps no personal data of it. */
  readonly name?: string | undefined;
}

function key(): string {
  return `waybill.deleted.${session.subject}.last`;
}

export const lastDeletion = new Store<LastDeletion | undefined>(undefined);

/** Offers to undo a deletion, in all tabs and after a reload. */
export function rememberDeletion({ name, ...deletion }: Omit<LastDeletion, 'at'>): void {
  const kept: LastDeletion = { ...deletion, at: Date.now() };
  browserStorage.writeJson(key(), kept);
  lastDeletion.set({ ...kept, name });
  readLastDeletion();
}

/** Unless another tab has deleted something since. */
export function forgetDeletion({ at }: LastDeletion): void {
  if (browserStorage.readJson<LastDeletion>(key())?.at === at) browserStorage.remove(key());
  readLastDeletion();
}

function readLastDeletion(): void {
  const found = browserStorage.readJson<LastDeletion>(key());
  const leftMs = found === undefined ? 0 : found.at + OFFERED_MS - Date.now();
  if (found !== undefined && (leftMs <= 0 || leftMs > OFFERED_MS)) browserStorage.remove(key());
  const isOffered = leftMs > 0 && leftMs <= OFFERED_MS;
  if (found?.at !== lastDeletion.get()?.at || !isOffered) lastDeletion.set(isOffered ? found : undefined);
  clearTimeout(timer);
  if (isOffered) timer = setTimeout(readLastDeletion, leftMs);
}
let timer: ReturnType<typeof setTimeout> | undefined;

/** Follows what other tabs delete and undo. */
export function followLastDeletion(): () => void {
  readLastDeletion();
  const onStorage = (event: StorageEvent) => {
    if (event.key === key() || event.key === null) readLastDeletion();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
