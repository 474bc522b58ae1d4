/** A column of a stored row with the texts of its JSON values before and after a change. */
export interface ChangedColumn {
  readonly from: string;
  readonly to: string;
}

/** A stored row without columns. */
export const NO_ROW = '{}';

const NULL = 'null';

/**
 * The columns in which two stored rows differ. A row is the text of a jsonb object without nulls, which PostgreSQL writes with its keys in
 * one order and with the same spaces. Members that are the same in both are skipped without a parser, which would take most of the time of
 * a page of events.
 */
export function changedColumns(before: string, after: string): Map<string, ChangedColumn> {
  const changed = new Map<string, ChangedColumn>();
  let old = memberAt(before, 1);
  let place = 1;
  for (;;) {
    if (old !== undefined && after.startsWith(old.text, place) && /[,}]/.test(after[place + old.text.length] ?? '')) {
      place = placeAfter(after, place + old.text.length);
      old = memberAt(before, old.next);
      continue;
    }
    const now = memberAt(after, place);
    if (old === undefined && now === undefined) return changed;
    // Keys are in order, so the first of two different ones is missing in the other row.
    const order = orderOf(old, now);
    const [gone, come] = [order <= 0 ? old : undefined, order >= 0 ? now : undefined];
    changed.set((gone ?? come)?.key ?? '', { from: gone?.value ?? NULL, to: come?.value ?? NULL });
    if (gone !== undefined) old = memberAt(before, gone.next);
    if (come !== undefined) place = come.next;
  }
}

interface Member {
  readonly key: string;
  /** The text of its value. */
  readonly value: string;
  /** The text of key and value. */
  readonly text: string;
  /** Where the next member begins. */
  readonly next: number;
}

/** The member that begins at `start`; undefined at the end of the object. */
function memberAt(row: string, start: number): Member | undefined {
  if (row[start] !== '"') return undefined;
  // Names of columns need no escapes.
  const endOfKey = row.indexOf('"', start + 1);
  const startOfValue = endOfKey + '": '.length;
  const end = endOfValue(row, startOfValue);
  return {
    key: row.slice(start + 1, endOfKey),
    value: row.slice(startOfValue, end),
    text: row.slice(start, end),
    next: placeAfter(row, end),
  };
}

function placeAfter(row: string, end: number): number {
  return row[end] === ',' ? end + ', '.length : end;
}

/** The order of two keys, which jsonb sorts by their length first; a missing one is last. */
function orderOf(one: Member | undefined, other: Member | undefined): number {
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  if (one.key === other.key) return 0;
  return one.key.length - other.key.length || (one.key < other.key ? -1 : 1);
}

function endOfValue(row: string, start: number): number {
  if (row[start] === '"') return endOfString(row, start);
  let depth = 0;
  for (let place = start; ; place += 1) {
    const character = row[place];
    if (character === '"') place = endOfString(row, place) - 1;
    else if (character === '[' || character === '{') depth += 1;
    else if (depth > 0 && (character === ']' || character === '}')) depth -= 1;
    else if (depth === 0 && (character === ',' || character === '}' || character === undefined)) return place;
  }
}

/** A quote ends a string unless an odd number of backslashes stands before it. */
function endOfString(row: string, start: number): number {
  for (let end = row.indexOf('"', start + 1); end !== -1; end = row.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (row[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  throw new Error(`Not a stored row: ${row}`);
}
