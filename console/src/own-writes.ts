import { session } from './session/session.js';
import { browserStorage } from './storage.js';
import { ownTab } from './tab.js';

/** The user's writes from this browser, so that changes from another tab are attributed to the user. */

const MOST = 200;

interface OwnWrite {
  readonly id: string;
  /** The `updatedAt` of the version, unique per record. */
  readonly at: string;
  readonly tab: string;
}

function key(): string {
  return `waybill.writes.${session.subject}`;
}

function read(): OwnWrite[] {
  return browserStorage.readJson(key()) ?? [];
}

interface Written {
  readonly id: string;
  readonly updatedAt: string;
}

export function rememberWrite(written: Written): void {
  rememberWrites([written]);
}

export function rememberWrites(written: readonly Written[]): void {
  const writes = [...read(), ...written.map(({ id, updatedAt }) => ({ id, at: updatedAt, tab: ownTab() }))].slice(
    -MOST,
  );
  browserStorage.writeJson(key(), writes);
}

/** The tab of this browser that wrote a version, or undefined. */
export function tabOf(id: string, at: string | undefined): 'this' | 'another' | undefined {
  const write = read().find((candidate) => candidate.id === id && candidate.at === at);
  if (write === undefined) return undefined;
  return write.tab === ownTab() ? 'this' : 'another';
}
