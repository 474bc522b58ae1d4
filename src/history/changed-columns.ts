/** A column of a stored row with the texts of its JSON values before and after a change. */
export interface ChangedColumn {
  readonly from: string;
  readonly to: string;
}

/** A stored row without columns. */
export const NO_ROW = '{}';

const NULL = 'null';

/** Only a key is followed by a colon: quotes in values are escaped. Names of columns need no escapes. */
const KEY = /"\w+": /y;

/**
 * The columns in which two stored rows differ. A row is the text of a jsonb object without nulls, which PostgreSQL writes with its keys in
 * one order and with the same spaces. Members are read only where the texts differ, because a parser would take most of the time of a page of
 * events.
 */
export function changedColumns(before: string, after: string): Map<string, ChangedColumn> {
  const changed = new Map<string, ChangedColumn>();
  // Each is the beginning of a member or the closing brace.
  let old = 1;
  let now = 1;
  for (;;) {
    const same = sameMembers(before, old, after, now);
    const [one, other] = [memberAt(before, old + same), memberAt(after, now + same)];
    // Keys are in order, so the first of two different ones is missing in the other row.
    const order = orderOf(one.key, other.key);
    const [gone, come] = [order <= 0 ? one : undefined, order >= 0 ? other : undefined];
    const key = (gone ?? come)?.key;
    if (key === undefined) return changed;
    const change = { from: gone?.value ?? NULL, to: come?.value ?? NULL };
    if (change.from !== change.to) changed.set(key, change);
    old = gone?.next ?? one.start;
    now = come?.next ?? other.start;
  }
}

/** The length of the members that are the same in both rows from these places on. */
function sameMembers(before: string, old: number, after: string, now: number): number {
  let length = 0;
  while (old + length < before.length && before.charCodeAt(old + length) === after.charCodeAt(now + length))
    length += 1;
  if (old + length === before.length) return length - 1;
  // The rows differ in the member that begins last before this place, or at its end.
  for (let end = old + length; end > old;) {
    end = before.lastIndexOf(', "', end - 1);
    KEY.lastIndex = end + ', '.length;
    if (end >= old && KEY.test(before)) return end + ', '.length - old;
  }
  return 0;
}

interface Member {
  readonly start: number;
  /** Undefined at the end of the object. */
  readonly key: string | undefined;
  /** The text of its value. */
  readonly value: string;
  /** Where the next member begins, or the object ends. */
  readonly next: number;
}

function memberAt(row: string, start: number): Member {
  if (row[start] !== '"') return { start, key: undefined, value: '', next: start };
  const endOfKey = row.indexOf('"', start + 1);
  const startOfValue = endOfKey + '": '.length;
  const end = endOfValue(row, startOfValue);
  const next = row[end] === ',' ? end + ', '.length : end;
  return { start, key: row.slice(start + 1, endOfKey), value: row.slice(startOfValue, end), next };
}

/** The order of two keys, which jsonb sorts by their length first; the end comes last. */
function orderOf(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  return one.length - other.length || (one < other ? -1 : 1);
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
