import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import { Problem } from '../problem/problem.js';
import { Records, RESOURCES } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { cursorText, readCursorText, writeCursor, type Cursor } from './cursor.js';
import { Event, type EntryRow, type EventKind, type EventRow } from './event.js';
import { isRestrictive, shown, type EventFilter } from './event-filter.js';
import { BEFORE_FIRST_KEPT, BEFORE_OLDEST, EVENTS_AFTER, EVENTS_NUMBERED, MAX_EXAMINED, NEWEST } from './events-sql.js';
import { EVENTS_GONE } from './events-gone.js';

type Reader = Pick<Database, 'query'>;

/** The result of EVENTS_AFTER. */
interface FeedPageRow extends FeedLines {
  /** Null when there is no such event. */
  readonly at: string | null;
  readonly last: string;
}

/** Events and their entries as lines; null when there are none. */
interface FeedLines {
  readonly events: string | null;
  readonly entries: string | null;
}

/** A section of the feed: its matching events, and the last event that was examined. */
export interface FeedPage {
  readonly events: readonly Event[];
  readonly last: Cursor;
  /** Whether it ends with the newest event. */
  readonly isEnd: boolean;
}

@Injectable()
export class EventLog {
  private readonly kinds: ReadonlyMap<string, EventKind>;
  /** The source attribute of CloudEvents, as JSON. */
  private readonly source: string;

  constructor(
    private readonly database: Database,
    records: Records,
    @Inject(RESOURCES) resources: readonly Resource[],
    @Inject(CONFIG) { PUBLIC_URL = '/waybill' }: Config,
  ) {
    this.kinds = new Map(
      resources.map((resource) => [resource.name, { resource, fields: records.fieldsByColumn(resource) }]),
    );
    this.source = JSON.stringify(PUBLIC_URL);
  }

  async newest(reader: Reader = this.database): Promise<Cursor> {
    return this.place(NEWEST, reader);
  }

  /** The cursor before the oldest kept event; with a filter whose first match is gone, the one after which nothing is missing. */
  async beginning(filter: EventFilter): Promise<Cursor> {
    const cursor = await this.place(BEFORE_FIRST_KEPT, this.database);
    if (!isRestrictive(filter)) return cursor;
    const { events } = await this.read(cursor.number, 1, filter, this.database);
    return events[0]?.isArchived === true ? this.place(BEFORE_OLDEST, this.database) : cursor;
  }

  /**
   * At most `limit` matching events after a cursor, in order, up to the first one that is gone; 410 if that is the next one. It examines a
   * bounded number of events, so more may follow even if none matched.
   */
  async after(cursor: Cursor, limit: number, filter?: EventFilter, reader: Reader = this.database): Promise<FeedPage> {
    const { at, events, end } = await this.read(cursor.number, limit, filter, reader);
    if (at !== cursorText(cursor)) throw await this.gone(FOREIGN);
    const missing = events.findIndex(({ isArchived }) => isArchived);
    if (missing === 0) {
      throw await this.gone(
        ARCHIVED,
        events.findLast(({ isArchived }) => isArchived),
      );
    }
    const kept = missing === -1 ? events : events.slice(0, missing);
    const isCut = events.length === limit || missing !== -1;
    return {
      events: kept.map((event) => shown(event, filter)),
      last: (isCut ? kept.at(-1) : undefined) ?? end,
      isEnd: !isCut && end.number < cursor.number + MAX_EXAMINED,
    };
  }

  /** The events with these numbers, in any order. One whose entry was archived is `isArchived`. */
  async numbered(numbers: readonly number[]): Promise<readonly Event[]> {
    const [row] = await this.database.query<FeedLines>(EVENTS_NUMBERED, [numbers]);
    return this.eventsIn(row);
  }

  /** The newest events, at most `limit`, and the cursor before them. */
  async tail(limit: number, reader: Reader): Promise<{ from: Cursor; events: readonly Event[] }> {
    const { number } = await this.newest(reader);
    const { at, events } = await this.read(Math.max(0, number - limit), limit, undefined, reader);
    const missing = events.findLastIndex(({ isArchived }) => isArchived);
    return { from: events[missing] ?? cursorIn(at), events: events.slice(missing + 1) };
  }

  private async read(number: number, limit: number, filter: EventFilter | undefined, reader: Reader) {
    const { kinds, types, recordID, moveID } = filter ?? {};
    const values = [number, limit, kinds, types, recordID, moveID];
    const [row] = await reader.query<FeedPageRow>(EVENTS_AFTER, values);
    return { at: row?.at, events: this.eventsIn(row), end: cursorIn(row?.last) };
  }

  private eventsIn({ events, entries }: FeedLines = { events: null, entries: null }): Event[] {
    const found = new Map(rowsIn<EntryRow>(entries).map((entry) => [entry[0], entry]));
    return rowsIn<EventRow>(events).map((row) => {
      const [, , kind, , recordID, , , , position, beforePosition] = row;
      const entryAt = (place: string) => {
        const entry = found.get(place);
        return entry?.[1] === recordID ? entry : undefined;
      };
      return new Event(row, entryAt(position), entryAt(beforePosition), this.kinds.get(kind), this.source);
    });
  }

  private async place(statement: Statement, reader: Reader): Promise<Cursor> {
    const [row] = await reader.query<{ place: string }>(statement);
    return cursorIn(row?.place);
  }

  /** A reader that continues after `oldest` does not meet an archived event again, even if only part of its month is missing. */
  private async gone(reason: string, missing?: Cursor): Promise<Problem> {
    const oldest = await this.place(BEFORE_OLDEST, this.database);
    const cursor = missing !== undefined && missing.number > oldest.number ? missing : oldest;
    return new Problem(EVENTS_GONE, `${reason} Read all records again, then continue after "oldest".`, {
      members: { oldest: writeCursor(cursor) },
    });
  }
}

const ARCHIVED = 'Events after this cursor were archived.';
const FOREIGN = 'This cursor was issued by another database, or before this one was restored from a backup.';

function rowsIn<Row>(lines: string | null): Row[] {
  return (lines?.split('\n') ?? []).map((line) => line.split('\t') as unknown as Row);
}

function cursorIn(place: string | null | undefined): Cursor {
  const cursor = readCursorText(place ?? '');
  if (cursor === undefined) throw new Error('The table of events is empty');
  return cursor;
}
