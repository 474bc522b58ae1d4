/** What this browser wrote, so that a change of one's own other tab is not taken for somebody else's. */

const KEY = 'waybill.writes';
const TAB = 'waybill.tab';
const MOST = 200;

interface OwnWrite {
  readonly id: string;
  /** When the version was made, by the service's clock: no other write of the record has the same. */
  readonly at: string;
  readonly tab: string;
}

const tab = sessionStorage.getItem(TAB) ?? crypto.randomUUID();
sessionStorage.setItem(TAB, tab);

function read(): OwnWrite[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as OwnWrite[];
  } catch {
    return [];
  }
}

interface Written {
  readonly id: string;
  readonly updatedAt: string;
}

export function rememberWrite(written: Written): void {
  rememberWrites([written]);
}

export function rememberWrites(written: readonly Written[]): void {
  const writes = [...read(), ...written.map(({ id, updatedAt }) => ({ id, at: updatedAt, tab }))].slice(-MOST);
  localStorage.setItem(KEY, JSON.stringify(writes));
}

/** Which tab of this browser made a version; undefined when none did. */
export function tabOf(id: string, at: string | undefined): 'this' | 'another' | undefined {
  const write = read().find((candidate) => candidate.id === id && candidate.at === at);
  if (write === undefined) return undefined;
  return write.tab === tab ? 'this' : 'another';
}
