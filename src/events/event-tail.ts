import { EventEmitter, once } from 'node:events';
import { Injectable } from '@nestjs/common';
import { Problem } from '../problem/problem.js';
import type { Cursor } from './cursor.js';
import type { Event } from './event.js';
import { matches, shown, type EventFilter } from './event-filter.js';
import { EventLog, type FeedPage } from './event-log.js';
import { BackgroundConnection } from '../database/background-connection.js';
import { EVENTS_GONE } from './events-gone.js';

const READ_AT_ONCE = 500;

/** Number of events to keep, so that a client that reconnects from another replica finds missed events in memory. */
const READ_AT_FIRST = 1000;

/** Memory limit in characters, most of which take one byte. */
const MAX_EVENTS = 10_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** The newest events in memory, shared by all readers of this replica. They are read from the database once, and only while there are readers. */
@Injectable()
export class EventTail {
  private events: Event[] = [];
  /** The cursor before the first event in memory; undefined while there are no readers. */
  private start: Cursor | undefined;
  private characters = 0;
  private readonly news = new EventEmitter().setMaxListeners(0);
  private refreshing: Promise<void> | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly connection: BackgroundConnection,
  ) {}

  /** Calls back on new events; returns a function that unsubscribes. */
  follow(follower: () => void): () => void {
    this.news.on('events', follower);
    return () => this.news.off('events', follower);
  }

  /** Resolves to true when the next events arrive, or to false once the signal is aborted. */
  arrival(signal: AbortSignal): Promise<boolean> {
    return once(this.news, 'events', { signal }).then(
      () => true,
      () => false,
    );
  }

  get isFollowed(): boolean {
    return this.news.listenerCount('events') > 0;
  }

  /** At most `limit` matching events after a cursor; undefined if the cursor is not in memory. */
  after(cursor: Cursor, limit: number, filter: EventFilter): FeedPage | undefined {
    if (this.start === undefined) return undefined;
    const index = cursor.number - this.start.number;
    const at = index === 0 ? this.start : this.events[index - 1];
    if (at?.seal !== cursor.seal) return undefined;
    const events: Event[] = [];
    let last = cursor;
    for (const event of this.events.slice(index)) {
      if (events.length === limit) break;
      if (matches(event, filter)) events.push(shown(event, filter));
      last = event;
    }
    return { events, last, isEnd: events.length < limit };
  }

  /** Reads new events. Concurrent calls share one read. */
  refresh(): Promise<void> {
    this.refreshing ??= this.read().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  /** Loads the newest events if this is the first reader. */
  async ready(): Promise<void> {
    if (this.start === undefined) await this.refresh();
  }

  private async read(): Promise<void> {
    if (!this.isFollowed) {
      this.reset();
      return;
    }
    if (this.start === undefined) {
      const { from, events } = await this.log.tail(READ_AT_FIRST, this.connection);
      this.reset(from);
      this.add(events);
    }
    for (;;) {
      const last = this.events.at(-1) ?? this.start;
      if (last === undefined) return;
      const { events, isEnd } = await this.readAfter(last);
      this.add(events);
      if (isEnd) return;
    }
  }

  private async readAfter(last: Cursor): Promise<FeedPage> {
    try {
      return await this.log.after(last, READ_AT_ONCE, undefined, this.connection);
    } catch (error) {
      // The database was restored or failed over, so the events in memory may not be in it.
      if (error instanceof Problem && error.code === EVENTS_GONE.code) this.reset();
      throw error;
    }
  }

  private add(events: readonly Event[]): void {
    if (events.length === 0) return;
    const lastErasure = events.findLastIndex(({ type }) => type.endsWith('.erased'));
    // Earlier events in memory may contain values that have been erased.
    if (lastErasure !== -1) this.reset(events[lastErasure]);
    const kept = events.slice(lastErasure + 1);
    this.events.push(...kept);
    for (const { json } of kept) this.characters += json.length;
    this.dropOldest();
    this.news.emit('events');
  }

  /** Drops only when a tenth over the limit, so that not every event moves all others. */
  private dropOldest(): void {
    if (this.events.length <= 1.1 * MAX_EVENTS && this.characters <= 1.1 * MAX_CHARACTERS) return;
    let dropped = 0;
    while (this.events.length - dropped > MAX_EVENTS || this.characters > MAX_CHARACTERS) {
      this.characters -= this.events[dropped]?.json.length ?? 0;
      dropped += 1;
    }
    this.start = this.events[dropped - 1];
    this.events = this.events.slice(dropped);
  }

  private reset(start?: Cursor): void {
    this.events = [];
    this.characters = 0;
    this.start = start;
  }
}
