import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Slots, type LimitedSlots } from '../http/slots.js';
import { onceRevoked, untilClosed } from '../http/until-closed.js';
import { Lifecycle } from '../operations/lifecycle.js';
import { Page } from '../records/rendered-record.js';
import { cursorText, readCursor, type Cursor } from './cursor.js';
import { DEFAULT_LIMIT, type EventListQuery } from './dto/event-queries.js';
import type { EventFilter } from './event-filter.js';
import { EventLog, type FeedPage } from './event-log.js';
import { EventTail } from './event-tail.js';

/** The feed for clients that read it page by page. */
@Injectable()
export class EventsService {
  private readonly waits: LimitedSlots;

  constructor(
    private readonly log: EventLog,
    private readonly tail: EventTail,
    private readonly lifecycle: Lifecycle,
    slots: Slots,
  ) {
    this.waits = slots.declare('waits', { what: 'waits for events', limit: 5000, share: 1000, retryAfterSeconds: 1 });
  }

  async begin(after: string | undefined, filter: EventFilter): Promise<Cursor> {
    if (after === undefined) return this.log.beginning(filter);
    return readCursor(after) ?? (await this.log.newest());
  }

  /** The events after a cursor, from memory or the database; or 410. */
  async read(cursor: Cursor, limit: number, filter: EventFilter): Promise<FeedPage> {
    return this.tail.after(cursor, limit, filter) ?? (await this.log.after(cursor, limit, filter));
  }

  /** One page, with the cursor of the last examined event. A wait ends when the client disconnects. */
  async page(request: Request, query: EventListQuery, filter: EventFilter): Promise<Page> {
    const { after, limit = DEFAULT_LIMIT, wait = 0 } = query;
    const waiting = wait > 0 ? this.beginWait(request, wait) : undefined;
    let cursor = await this.begin(after, filter);
    for (;;) {
      // Listens before it reads, so that it misses no event in between.
      const arrived = waiting && this.tail.arrival(waiting);
      const { events, last, isEnd } = await this.read(cursor, limit, filter);
      cursor = last;
      if (events.length === 0 && isEnd && (await arrived)) continue;
      return new Page(events.map(({ json }) => json).join(','), cursorText(cursor), 'after');
    }
  }

  /** Takes a slot until the response is closed. The signal is aborted then, and when the time is over or the service stops. */
  private beginWait(request: Request, seconds: number): AbortSignal {
    this.waits.takeUntilClosed(request);
    const over = new AbortController();
    const end = () => over.abort();
    for (const signal of [untilClosed(request), AbortSignal.timeout(1000 * seconds), this.lifecycle.draining]) {
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { signal: over.signal });
    }
    onceRevoked(request, end);
    return over.signal;
  }
}
