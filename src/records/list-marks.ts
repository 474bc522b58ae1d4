import type { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import type { PageRequest } from './paging.js';

/** No later version is earlier than the floor. True if this raised it. */
const RAISE_FLOOR: Statement = { name: 'raise_version_floor', text: 'SELECT raise_version_floor() AS raised' };

/** A transaction of its own: its id must be later than the floor. */
const KEEP_MARK: Statement = { name: 'keep_list_mark', text: 'SELECT keep_list_mark()' };

/** The row of a page. `mark`: a moment that no write that this page does not show can precede; null before the first mark. */
export interface MarkedRow {
  readonly lastKey: string;
  readonly hasMore: boolean;
  readonly mark?: string | null;
}

/** Whether clients can poll the list for changes: it has the changes since a moment, oldest first. */
function isPolled({ sort, range }: PageRequest): boolean {
  return sort === 'updatedAt' && range?.from !== undefined;
}

/** The column `mark` of a page that is polled, in the snapshot of its records. */
export function markIn(request: PageRequest): string {
  return isPolled(request) ? ', iso_ms(list_mark()) AS mark' : '';
}

/** Makes a mark before the first page, at most one per second. */
export async function keepMark(database: Database, request: PageRequest): Promise<void> {
  if (!isPolled(request) || request.after !== undefined) return;
  const [floor] = await database.query<{ raised: boolean }>(RAISE_FLOOR);
  if (floor?.raised === true) await database.query(KEEP_MARK);
}

/**
 * Where the list continues after a page: at the cursor of the next one, or at the moment from which to poll.
 *
 * A page has every write before its mark. A write that it does not have can appear at the mark or later, which the following pages
 * show, unless this page ends after the mark. Then its mark counts for the rest of the walk, and the cursor carries it.
 */
export function positionAfter(
  request: PageRequest,
  row: MarkedRow | undefined,
): { lastKey?: string; monitor?: string } {
  const { sort, range } = request;
  if (!isPolled(request)) return row?.hasMore === true ? { lastKey: `${sort} ${row.lastKey}` } : {};
  const mark = request.mark ?? Date.parse(row?.mark ?? range?.from ?? '');
  if (row?.hasMore !== true) return { monitor: new Date(mark).toISOString() };
  const [value = '', id = ''] = row.lastKey.split(' ');
  return { lastKey: Date.parse(value) < mark ? `${sort} ${row.lastKey}` : `${sort} ${value} ${mark} ${id}` };
}
