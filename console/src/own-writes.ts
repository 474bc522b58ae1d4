/** Writes made by this browser, so that changes from another tab are attributed to the user. */

const KEY = 'waybill.writes';
const TAB = 'waybill.tab';
const MOST = 200;

interface OwnWrite {
  readonly id: string;
  /** The `updatedAt` of the version, unique per record. */
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

/** The tab of this browser that wrote a version, or undefined. */
export function tabOf(id: string, at: string | undefined): 'this' | 'another' | undefined {
  const write = read().find((candidate) => candidate.id === id && candidate.at === at);
  if (write === undefined) return undefined;
  return write.tab === tab ? 'this' : 'another';
}
