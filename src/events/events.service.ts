import { Injectable } from '@nestjs/common';
import { Lifecycle } from '../operations/lifecycle.js';
import { Page } from '../records/stored.js';
import { Arrival } from './arrival.js';
import { cursorText, readCursor, type Cursor } from './cursor.js';
import type { Event } from './event.js';
import { isNarrow, matches, type EventFilter } from './event-filter.js';
import { EventLog } from './event-log.js';
import { EventTail } from './event-tail.js';

/** How many events one read filters, and how many reads one page may take. */
const EXAMINED_AT_ONCE = 1000;
const MOST_LOOKS = 10;

export interface EventPageRequest {
  /** A cursor, `now`, or undefined for the oldest event that is kept. */
  readonly after: string | undefined;
  readonly limit: number;
  /** How many seconds to wait while there is no event for the page. */
  readonly wait: number;
}

/** What happened, for clients that ask for it page by page. */
@Injectable()
export class EventsService {
  constructor(
    private readonly log: EventLog,
    private readonly tail: EventTail,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** The cursor that the parameter `after` stands for. */
  async begin(after: string | undefined): Promise<Cursor> {
    if (after === undefined) return this.log.beforeOldest();
    return readCursor(after) ?? (await this.log.newest());
  }

  /** The events after a cursor, from memory if they are there, else from the database; or 410. */
  async read(cursor: Cursor, limit: number): Promise<readonly Event[]> {
    return this.tail.after(cursor, limit) ?? (await this.log.after(cursor, limit));
  }

  /** One page. It always says where to go on: after the last event that was looked at. No wait outlasts `signal`. */
  async page({ after, limit, wait }: EventPageRequest, filter: EventFilter, signal: AbortSignal): Promise<Page> {
    const arrival = wait > 0 ? new Arrival(this.tail, this.lifecycle, { ms: 1000 * wait, signal }) : undefined;
    try {
      let cursor = await this.begin(after);
      for (let looks = 1; ; looks += 1) {
        const { found, last, isEnd } = await this.look(cursor, limit, filter);
        cursor = last;
        if (found.length === 0 && (isEnd ? await arrival?.next() : looks < MOST_LOOKS)) continue;
        return new Page(found.map(({ json }) => json).join(','), cursorText(cursor), 'after');
      }
    } finally {
      arrival?.stop();
    }
  }

  private async look(cursor: Cursor, limit: number, filter: EventFilter) {
    const examined = isNarrow(filter) ? EXAMINED_AT_ONCE : limit;
    const events = await this.read(cursor, examined);
    const found = events.filter((event) => matches(event, filter)).slice(0, limit);
    const last = (found.length === limit ? found.at(-1) : events.at(-1)) ?? cursor;
    return { found, last, isEnd: events.length < examined };
  }
}
