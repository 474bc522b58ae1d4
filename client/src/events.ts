import { foreign } from './answers.js';
import { LIST } from './expected.js';
import { follow, type FollowOptions } from './follow.js';
import type { CallOptions, Http } from './http.js';
import { nextCursor } from './list.js';
import type { Event, EventQuery } from './records.js';

export interface EventPage {
  readonly items: readonly Event[];
  /** The cursor for the next request, even after an empty page. */
  readonly next: string;
}

/** The existing events. `for await` ends with the newest one. */
export class EventList implements AsyncIterable<Event> {
  constructor(
    private readonly http: Http,
    private readonly query: EventQuery & CallOptions,
  ) {}

  /** One page: the first, or the one at the `next` of another page. */
  async page(after?: string): Promise<EventPage> {
    const { signal, headers, ...query } = this.query;
    const request = { query: { ...query, after: after ?? query.after }, signal, headers };
    const answer = await this.http.send<Event[]>({ method: 'GET', path: '/v1/events', expected: LIST, ...request });
    const next = nextCursor(answer.headers.get('Link'), 'after');
    // The service always links to the next page.
    if (next === undefined) throw foreign({ method: 'GET', path: '/v1/events' }, 200).reason;
    return { items: answer.body, next };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    for (let { after } = this.query; ;) {
      const { items, next } = await this.page(after);
      yield* items;
      // With a filter, a page may be empty before the end; only the last page links to itself.
      if (next === after) return;
      after = next;
    }
  }
}

/** The event feed. */
export class Events {
  constructor(private readonly http: Http) {}

  /** The existing events after `after`, oldest first. */
  list(query: EventQuery & CallOptions = {}): EventList {
    return new EventList(this.http, query);
  }

  /** The cursor after the newest event: get it before reading records, then follow from it. */
  async head(options: CallOptions = {}): Promise<string> {
    return (await this.list({ ...options, after: 'now', limit: 1 }).page()).next;
  }

  /** Follows the feed without end and reconnects automatically. */
  async *follow({ after, ...options }: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    const { signal, headers } = options;
    // Resolve `now` once, not again on every reconnect.
    const begin = after === 'now' ? await this.head({ signal, headers }) : after;
    yield* follow(this.http, { after: begin, ...options });
  }
}
