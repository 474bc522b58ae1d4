import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Slots } from '../http/slots.js';
import { untilClosed } from '../http/until-closed.js';
import { Lifecycle } from '../operations/lifecycle.js';
import { Page } from '../records/rendered-record.js';
import { Arrival } from './arrival.js';
import { cursorText, readCursor, type Cursor } from './cursor.js';
import { DEFAULT_LIMIT, type EventListQuery } from './dto/event-queries.js';
import type { EventFilter } from './event-filter.js';
import { EventLog, type Stretch } from './event-log.js';
import { EventTail } from './event-tail.js';

/** The feed for clients that read it page by page. */
@Injectable()
export class EventsService {
  constructor(
    private readonly log: EventLog,
    private readonly tail: EventTail,
    private readonly lifecycle: Lifecycle,
    private readonly slots: Slots,
  ) {}

  /** The cursor for the parameter `after`. */
  async begin(after: string | undefined): Promise<Cursor> {
    if (after === undefined) return this.log.beforeOldest();
    return readCursor(after) ?? (await this.log.newest());
  }

  /** The events after a cursor, from memory or the database; or 410. */
  async read(cursor: Cursor, limit: number, filter: EventFilter): Promise<Stretch> {
    return this.tail.after(cursor, limit, filter) ?? (await this.log.after(cursor, limit, filter));
  }

  /** One page, with the cursor of the last examined event. A wait ends when the client disconnects. */
  async page(request: Request, query: EventListQuery, filter: EventFilter): Promise<Page> {
    const { after, limit = DEFAULT_LIMIT, wait = 0 } = query;
    const free = wait > 0 ? this.slots.waits.take(request) : undefined;
    const arrival = wait > 0 ? this.arrival(request, wait) : undefined;
    try {
      let cursor = await this.begin(after);
      for (;;) {
        const { events, last, isEnd } = await this.read(cursor, limit, filter);
        cursor = last;
        if (events.length === 0 && isEnd && (await arrival?.next())) continue;
        return new Page(events.map(({ json }) => json).join(','), cursorText(cursor), 'after');
      }
    } finally {
      arrival?.stop();
      free?.();
    }
  }

  private arrival(request: Request, seconds: number): Arrival {
    return new Arrival(this.tail, this.lifecycle, { ms: 1000 * seconds, signal: untilClosed(request) });
  }
}
