import { Injectable } from '@nestjs/common';
import { Lifecycle } from '../operations/lifecycle.js';
import { Page } from '../records/stored.js';
import { Arrival } from './arrival.js';
import { cursorText, readCursor, type Cursor } from './cursor.js';
import type { EventFilter } from './event-filter.js';
import { EventLog, type Stretch } from './event-log.js';
import { EventTail } from './event-tail.js';

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
  async read(cursor: Cursor, limit: number, filter: EventFilter): Promise<Stretch> {
    return this.tail.after(cursor, limit, filter) ?? (await this.log.after(cursor, limit, filter));
  }

  /** One page. It always says where to go on: after the last event that was examined. No wait outlasts `signal`. */
  async page({ after, limit, wait }: EventPageRequest, filter: EventFilter, signal: AbortSignal): Promise<Page> {
    const arrival = wait > 0 ? new Arrival(this.tail, this.lifecycle, { ms: 1000 * wait, signal }) : undefined;
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
    }
  }
}
