import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import { Problem } from '../problem/problem.js';
import { Records, RESOURCES } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { writeCursor, type Cursor } from './cursor.js';
import { Event, type EventRow } from './event.js';
import type { EventFilter } from './event-filter.js';
import { BEFORE_OLDEST, eventsAfter, MAX_EXAMINED, NEWEST } from './events-sql.js';

type Reader = Pick<Database, 'query'>;
type CursorRow = Pick<EventRow, 'number' | 'seal'>;

/** A part of the feed: the events in it that were asked for, and the last event that was examined for them. */
export interface Stretch {
  readonly events: readonly Event[];
  readonly last: Cursor;
  /** Whether it ends with the newest event. */
  readonly isEnd: boolean;
}

/** Reads events from the database. */
@Injectable()
export class EventLog {
  private readonly eventsAfter: Statement;
  private readonly resources: ReadonlyMap<string, Resource>;
  /** Where events come from, as CloudEvents calls it. */
  private readonly source: string;

  constructor(
    private readonly database: Database,
    records: Records,
    @Inject(RESOURCES) resources: readonly Resource[],
    @Inject(CONFIG) { PUBLIC_URL = '/waybill' }: Config,
  ) {
    this.eventsAfter = eventsAfter(new Map(resources.map((each) => [each.name, records.fieldsByColumn(each)])));
    this.resources = new Map(resources.map((each) => [each.name, each]));
    this.source = PUBLIC_URL;
  }

  /** The cursor after the newest event. */
  async newest(reader: Reader = this.database): Promise<Cursor> {
    return cursorIn(await reader.query<CursorRow>(NEWEST));
  }

  /** Before the oldest event from which on all are kept. */
  async beforeOldest(): Promise<Cursor> {
    return cursorIn(await this.database.query<CursorRow>(BEFORE_OLDEST));
  }

  /**
   * At most `limit` events after a cursor, in order, of those that a filter matches; throws 410 when one of them is gone. All filters
   * together examine a bounded number of events, so there may be more after a stretch without any.
   */
  async after(cursor: Cursor, limit: number, filter?: EventFilter, reader: Reader = this.database): Promise<Stretch> {
    const { at, rows, end } = await this.read(cursor.number, limit, filter, reader);
    if (at.number !== cursor.number || at.seal !== cursor.seal) throw await this.gone(FOREIGN);
    const missing = rows.findLast(isMovedOut);
    if (missing !== undefined) throw await this.gone(MOVED_OUT, toCursor(missing));
    const events = rows.map((row) => this.event(row));
    const isFull = events.length === limit;
    return {
      events,
      last: (isFull ? events.at(-1) : undefined) ?? end,
      isEnd: !isFull && end.number < cursor.number + MAX_EXAMINED,
    };
  }

  /** At most `limit` of the newest events, and the cursor before them. */
  async tail(limit: number, reader: Reader): Promise<{ from: Cursor; events: readonly Event[] }> {
    const { number } = await this.newest(reader);
    const { at, rows } = await this.read(Math.max(0, number - limit), limit, undefined, reader);
    const missing = rows.findLastIndex(isMovedOut);
    const before = rows[missing];
    return {
      from: before === undefined ? at : toCursor(before),
      events: rows.slice(missing + 1).map((row) => this.event(row)),
    };
  }

  private event(row: EventRow): Event {
    return new Event(row, this.resources.get(row.kind), this.source);
  }

  private async read(number: number, limit: number, filter: EventFilter | undefined, reader: Reader) {
    const { kinds, types, recordID, moveID } = filter ?? {};
    const rows = await reader.query<EventRow>(this.eventsAfter, [number, limit, kinds, types, recordID, moveID]);
    return { at: cursorIn(rows), rows: rows.slice(1, -1), end: cursorIn(rows.slice(-1)) };
  }

  /** Whoever goes on after `oldest` does not meet a moved out event again, even one whose month is not missing as a whole. */
  private async gone(reason: string, missing?: Cursor): Promise<Problem> {
    const oldest = await this.beforeOldest();
    const cursor = missing !== undefined && missing.number > oldest.number ? missing : oldest;
    return new Problem('EVENTS_GONE', `${reason} Read the records again, then go on after "oldest".`, {
      members: { oldest: writeCursor(cursor) },
    });
  }
}

const MOVED_OUT = 'Events after this cursor were moved out of the database.';
const FOREIGN = 'This cursor was handed out by another database, or before this one was restored from a backup.';

function isMovedOut({ changedBy }: EventRow): boolean {
  return changedBy === null;
}

function toCursor({ number, seal }: CursorRow): Cursor {
  return { number: Number(number), seal };
}

function cursorIn([row]: readonly CursorRow[]): Cursor {
  if (row === undefined) throw new Error('The table of events has no beginning');
  return toCursor(row);
}
