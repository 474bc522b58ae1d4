import { follow, type FollowOptions } from './follow.js';
import type { CallOptions, Http } from './http.js';
import { nextCursor } from './list.js';
import type { Event, EventQuery } from './records.js';

export interface EventPage {
  readonly items: readonly Event[];
  /** Where to come back, also when there was nothing. */
  readonly next: string;
}

/** The events that there are when they are asked for. `for await` ends with the newest one. */
export class EventList implements AsyncIterable<Event> {
  constructor(
    private readonly http: Http,
    private readonly query: EventQuery & CallOptions,
  ) {}

  /** One page: the first, or the one that the `next` of another leads to. */
  async page(after?: string): Promise<EventPage> {
    const { signal, headers, ...query } = this.query;
    const request = { query: { ...query, after: after ?? query.after }, signal, headers };
    const answer = await this.http.send<Event[]>({ method: 'GET', path: '/v1/events', ...request });
    const next = nextCursor(answer.headers.get('Link'), 'after');
    if (next === undefined) throw new TypeError('An answer of /v1/events has no Link header that says where to go on.');
    return { items: answer.body, next };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    for (let { after } = this.query; ;) {
      const { items, next } = await this.page(after);
      yield* items;
      // A filter may leave a page empty long before the end: only there a page leads back to itself.
      if (next === after) return;
      after = next;
    }
  }
}

/** What happened, in one order and without gaps. */
export class Events {
  constructor(private readonly http: Http) {}

  /** What happened so far, oldest first, from `after` on. */
  list(query: EventQuery & CallOptions = {}): EventList {
    return new EventList(this.http, query);
  }

  /** The cursor after the newest event: take it before reading records, and follow from it afterwards. */
  async head(options: CallOptions = {}): Promise<string> {
    return (await this.list({ ...options, after: 'now', limit: 1 }).page()).next;
  }

  /** What happens, without end; it comes back by itself when the connection is lost. */
  async *follow({ after, ...options }: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    const { signal, headers } = options;
    // Now is now, and not when the connection is opened once more.
    const begin = after === 'now' ? await this.head({ signal, headers }) : after;
    yield* follow(this.http, { after: begin, ...options });
  }
}
