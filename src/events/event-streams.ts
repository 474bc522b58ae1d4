import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Counter } from 'prom-client';
import { contextOf } from '../http/request-context.js';
import { Slots, type LimitedSlots } from '../http/slots.js';
import { onceClosed, onceRevoked } from '../http/until-closed.js';
import { Lifecycle } from '../operations/lifecycle.js';
import { Metrics } from '../operations/metrics.js';
import { EventStream } from './event-stream.js';
import type { EventFilter } from './event-filter.js';
import { EventTail } from './event-tail.js';
import { EventsService } from './events.service.js';

const CHECK_EVERY_MS = 1000;

/** Number of lagging streams that may read at the same time; the rest wait, so that requests get connections. */
const MAX_READS = 2;

/** All streams of this replica. They share the newest events in memory; only a stream that lags behind queries the database. */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly cutOff: Counter;
  private readonly slots: LimitedSlots;
  private readonly streams = new Set<EventStream>();
  private reads = 0;
  private readonly waitingReads: (() => void)[] = [];
  private stopFollowing: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly events: EventsService,
    private readonly tail: EventTail,
    private readonly lifecycle: Lifecycle,
    slots: Slots,
    metrics: Metrics,
  ) {
    this.slots = slots.declare('streams', { what: 'event streams', limit: 5000, share: 1000, retryAfterSeconds: 1 });
    const help = 'Streams closed because their client did not read';
    this.cutOff = metrics.counter('waybill_event_streams_cut_off_total', help, []);
    lifecycle.draining.addEventListener('abort', () => this.beforeApplicationShutdown());
  }

  /** Opens a stream after a cursor; 410 if the next events are gone. HEAD gets only the headers. */
  async serve(request: Request, response: Response, after: string | undefined, filter: EventFilter): Promise<void> {
    this.lifecycle.rejectWhileDraining();
    this.slots.takeUntilClosed(request);
    const { expiresAt = Infinity } = contextOf(request).caller;
    const cursor = await this.events.begin(after, filter);
    const stream = new EventStream(cursor, {
      response,
      expiresAt,
      read: (from, limit) =>
        this.tail.after(from, limit, filter) ?? this.inTurn(() => this.events.read(from, limit, filter)),
    });
    this.add(stream);
    onceClosed(response, () => this.remove(stream));
    try {
      await this.tail.ready();
      // Reading one event validates the cursor.
      await this.events.read(cursor, 1, filter);
      this.lifecycle.rejectWhileDraining();
    } catch (error) {
      this.remove(stream);
      throw error;
    }
    if (response.destroyed) return;
    stream.open();
    onceRevoked(request, () => stream.end('the API key was revoked, has expired or has lost a scope'));
    if (request.method === 'HEAD') response.end();
    else await stream.advance();
  }

  beforeApplicationShutdown(): void {
    for (const stream of this.streams) stream.end('the service is stopping');
  }

  private add(stream: EventStream): void {
    this.streams.add(stream);
    this.stopFollowing ??= this.tail.follow(() => {
      for (const each of this.streams) void each.advance();
    });
    this.timer ??= setInterval(() => this.check(), CHECK_EVERY_MS).unref();
  }

  private remove(stream: EventStream): void {
    stream.forget();
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    this.stopFollowing?.();
    this.stopFollowing = undefined;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** First come, first served. */
  private async inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    if (this.reads >= MAX_READS) await new Promise<void>((resolve) => this.waitingReads.push(resolve));
    else this.reads += 1;
    try {
      return await read();
    } finally {
      const next = this.waitingReads.shift();
      if (next === undefined) this.reads -= 1;
      else next();
    }
  }

  private check(): void {
    const now = performance.now();
    for (const stream of this.streams) if (stream.check(now)) this.cutOff.inc();
  }
}
