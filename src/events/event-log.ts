import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Database } from '../database/database.js';
import { Problem } from '../problem/problem.js';
import { Records, RESOURCES } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { writeCursor, type Cursor } from './cursor.js';
import { Event, type EventRow, type EventSource } from './event.js';
import { BEFORE_OLDEST, EVENTS_FROM, NEWEST } from './events-sql.js';

type Reader = Pick<Database, 'query'>;
type CursorRow = Pick<EventRow, 'number' | 'seal'>;
type KeptRow = EventRow & { readonly kind: string };

/** What came from the database: a place in the feed, and the events after it. */
export interface Stretch {
  readonly from: Cursor;
  readonly events: readonly Event[];
}

/** Reads events from the database. */
@Injectable()
export class EventLog implements EventSource {
  readonly source: string;

  constructor(
    private readonly database: Database,
    private readonly records: Records,
    @Inject(RESOURCES) private readonly resources: readonly Resource[],
    @Inject(CONFIG) { PUBLIC_URL = '/waybill' }: Config,
  ) {
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

  /** At most `limit` events after a cursor, in order; throws 410 when they are gone. */
  async after(cursor: Cursor, limit: number, reader: Reader = this.database): Promise<readonly Event[]> {
    const [at, ...rows] = await reader.query<EventRow>(EVENTS_FROM, [cursor.number, limit + 1]);
    if (at?.seal !== cursor.seal) throw await this.gone(FOREIGN);
    const missing = rows.findLast((row) => !isKept(row));
    if (missing !== undefined) throw await this.gone(MOVED_OUT, toCursor(missing));
    return rows.filter(isKept).map((row) => Event.from(row, this));
  }

  /** At most `limit` of the newest events. */
  async tail(limit: number, reader: Reader): Promise<Stretch> {
    const { number } = await this.newest(reader);
    const rows = await reader.query<EventRow>(EVENTS_FROM, [Math.max(0, number - limit), limit + 1]);
    const last = rows.findLastIndex((row, index) => index === 0 || !isKept(row));
    const events = rows.slice(last + 1).filter(isKept);
    return { from: cursorIn(rows.slice(last)), events: events.map((row) => Event.from(row, this)) };
  }

  resourceOf(kind: string): Resource | undefined {
    return this.resources.find(({ name }) => name === kind);
  }

  fieldsOf(resource: Resource): ReadonlyMap<string, string> {
    return this.records.fieldsByColumn(resource);
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

function isKept(row: EventRow): row is KeptRow {
  return row.kind !== null;
}

function toCursor({ number, seal }: CursorRow): Cursor {
  return { number: Number(number), seal };
}

function cursorIn([row]: readonly CursorRow[]): Cursor {
  if (row === undefined) throw new Error('The table of events has no beginning');
  return toCursor(row);
}
