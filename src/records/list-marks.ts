import type { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';
import type { FoundPage, PageRequest } from './paging.js';

/** No later version is earlier than the floor. True if this raised it. */
const RAISE_FLOOR = namedStatement('raise_version_floor')`SELECT raise_version_floor() AS raised`;

/** A transaction of its own: its id must be later than the floor. */
const KEEP_MARK = namedStatement('keep_list_mark')`SELECT keep_list_mark()`;

/** Whether clients can poll the list for changes: it has the changes since a moment, oldest first. */
export function isPolled({ sort, range }: PageRequest): boolean {
  return sort === 'updatedAt' && range?.from !== undefined;
}

/** Selects the mark of a page that is polled, in the snapshot of its records. */
export const MARK = '(SELECT iso_ms(list_mark()))';

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
export function positionAfter(request: PageRequest, page: FoundPage): { lastKey?: string; monitor?: string } {
  const { sort, range } = request;
  const { lastKey } = page;
  if (!isPolled(request)) return lastKey === undefined ? {} : { lastKey: `${sort} ${lastKey}` };
  const mark = request.mark ?? Date.parse(page.mark ?? range?.from ?? '');
  if (lastKey === undefined) return { monitor: new Date(mark).toISOString() };
  const [value = '', id = ''] = lastKey.split(' ');
  return { lastKey: Date.parse(value) < mark ? `${sort} ${lastKey}` : `${sort} ${value} ${mark} ${id}` };
}
