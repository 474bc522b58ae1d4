// Before the first random key is asked for.
import './secure.js';
import { tabStorage } from './storage.js';
import { Store } from './store.js';

const TAB = 'waybill.tab';
/** A tab holds a lock with this name as long as it is open. */
const LOCK = 'waybill.tab.';

let own = tabStorage.read(TAB) ?? crypto.randomUUID();

/** Names this tab, also after a reload. */
export function ownTab(): string {
  return own;
}

/** The other tabs of the console that are open in this browser. */
export const otherTabs = new Store<ReadonlySet<string>>(new Set());

/** Finds a name that no other open tab has, as a duplicated one does at first, and looks which others are open. */
export async function startTab(): Promise<void> {
  while (!(await hold(LOCK + own))) own = crypto.randomUUID();
  tabStorage.write(TAB, own);
  await look();
  addEventListener('visibilitychange', () => void look());
  // Another tab has begun or ended to keep something.
  addEventListener('storage', ({ oldValue, newValue }) => {
    if (oldValue === null || newValue === null) void look();
  });
}

function hold(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    });
    held.catch(reject);
  });
}

async function look(): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  const tabs = held.flatMap(({ name = '' }) => (name.startsWith(LOCK) ? [name.slice(LOCK.length)] : []));
  otherTabs.set(new Set(tabs.filter((tab) => tab !== own)));
}
