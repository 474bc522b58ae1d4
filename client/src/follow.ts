import { EventsMissedError, NoAnswerError } from './errors.js';
import { EventStreamParser } from './event-stream.js';
import { foreign, isFinal, isSurvivable, parsed, type Refusal } from './answers.js';
import { Connection } from './connection.js';
import { isObject } from './expected.js';
import type { CallOptions, Http } from './http.js';
import { nextCursor } from './list.js';
import { backoff, bounded, LONGEST_PAUSE_MS, pause } from './pause.js';
import type { Event, EventFilter } from './records.js';

export interface FollowOptions extends EventFilter, CallOptions {
  /** The `id` of the last event seen, or another cursor. Without it, the feed starts at the oldest event. */
  readonly after?: string | undefined;
}

/** Timeouts of a reader. */
export interface Patience {
  /** For the first byte of a stream, which the service sends at once. */
  readonly firstByteMs: number;
  /** For the next byte: the service sends something every 15 seconds. */
  readonly silenceMs: number;
  /** For a response to long polling. */
  readonly waitSeconds: number;
}

const PATIENCE: Patience = { firstByteMs: 5_000, silenceMs: 45_000, waitSeconds: 25 };
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;
const POLLED_AT_ONCE = 500;

/**
 * Every event after a cursor, without end: from a stream, or by long polling if streams are blocked. Reconnects after a lost connection and
 * resumes after the last event that it has delivered. Only 400, 401, 403 and 410 end it, and events that are missing.
 */
export async function* follow(
  http: Http,
  { after, signal, headers, ...filter }: FollowOptions,
  patience = PATIENCE,
): AsyncGenerator<Event, void, undefined> {
  const numbers = new Numbers(Object.values<unknown>(filter).every((value) => value === undefined));
  const feed = new Feed(http, headers, filter, patience);
  let cursor = after;
  let streams = true;
  let failures = 0;
  for (;;) {
    const connection = new Connection(signal);
    const openedAt = performance.now();
    let interruption: Interruption | undefined;
    try {
      for await (const step of streams ? feed.stream(cursor, connection) : feed.poll(cursor, connection)) {
        failures = 0;
        ({ cursor } = step);
        if (step.event === undefined) continue;
        numbers.check(step.event);
        // A chunk may contain many events, and the caller may stop after one.
        signal?.throwIfAborted();
        yield step.event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Interruption)) throw error;
      if (isFinal(error.reason)) throw error.reason;
      interruption = error;
    } finally {
      connection.close();
    }
    // If long polling fails as well, streaming is tried again.
    streams = !(streams && interruption?.isHeldUp === true);
    if (!streams) continue;
    failures = performance.now() - openedAt > MAX_PAUSE_MS ? 1 : failures + 1;
    const comeBackInMs = (interruption?.comeBackInMs ?? 0) + backoff(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS);
    const delayMs = bounded(Math.max(feed.retryMs, comeBackInMs), LONGEST_PAUSE_MS);
    if (interruption) http.tellOfRetry({ attempt: failures, delayMs, reason: interruption.reason });
    await pause(delayMs, signal);
  }
}

/** Progress of a reader: an event, or only a cursor if all events in between were filtered out. */
interface Step {
  readonly cursor: string;
  readonly event?: Event;
}

/** A connection that was lost or refused. */
class Interruption extends Error {
  readonly reason: Refusal['reason'];
  readonly comeBackInMs: number;

  constructor(
    { reason, comeBackInMs }: Refusal,
    /** Something between client and service blocks streams, while the service itself may be healthy. */
    readonly isHeldUp = false,
  ) {
    super(reason.message);
    this.reason = reason;
    this.comeBackInMs = comeBackInMs;
  }
}

/** The two ways to read the feed, one connection at a time. */
class Feed {
  /** The reconnection time requested by the service. It differs per reader, so that they do not all reconnect at once. */
  retryMs = 0;

  constructor(
    private readonly http: Http,
    private readonly headers: CallOptions['headers'],
    private readonly filter: EventFilter,
    private readonly patience: Patience,
  ) {}

  /** Ends when the service ends the stream. */
  async *stream(after: string | undefined, connection: Connection): AsyncGenerator<Step, void, undefined> {
    const { firstByteMs, silenceMs } = this.patience;
    const response = await connection.within(firstByteMs, () => this.open('/v1/events/stream', { after }, connection));
    if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      throw new Interruption(foreign({ method: 'GET', path: '/v1/events/stream' }, response.status));
    }
    if (response.body === null) throw lost('This fetch gives out no streams', undefined, true);
    const reader = response.body.getReader();
    const parser = new EventStreamParser();
    for (let read = 0; ; read += 1) {
      const { value } = await connection.within(read === 0 ? firstByteMs : silenceMs, () =>
        reader.read().catch((cause: unknown) => {
          throw lost('The stream of events was lost', cause, read === 0 && connection.isOverdue);
        }),
      );
      if (value === undefined) return;
      for (const { id, data } of parser.push(value)) {
        yield data === undefined ? { cursor: id } : { cursor: id, event: eventIn(parsed(data)) };
      }
      this.retryMs = parser.retryMs ?? this.retryMs;
    }
  }

  /** Does not end: each response has the next cursor. */
  async *poll(after: string | undefined, connection: Connection): AsyncGenerator<Step, void, undefined> {
    const { waitSeconds, silenceMs } = this.patience;
    let cursor = after;
    for (;;) {
      const askedAt = performance.now();
      const query = { after: cursor, wait: waitSeconds, limit: POLLED_AT_ONCE };
      const [events, next] = await connection.within(waitSeconds * 1000 + silenceMs, async () => {
        const response = await this.open('/v1/events', query, connection);
        const text = await response.text().catch((cause: unknown) => {
          throw lost('An answer with events was lost', cause);
        });
        const found = parsed(text);
        if (!Array.isArray(found))
          throw new Interruption(foreign({ method: 'GET', path: '/v1/events' }, response.status));
        return [found as unknown[], nextCursor(response.headers.get('Link'), 'after')];
      });
      for (const event of events.map(eventIn)) yield { cursor: event.id, event };
      cursor = next ?? cursor;
      if (cursor !== undefined) yield { cursor };
      // A service that is about to stop does not wait.
      const isHasty = events.length === 0 && performance.now() - askedAt < FIRST_PAUSE_MS;
      if (isHasty) await pause(FIRST_PAUSE_MS, connection.signal);
    }
  }

  private async open(path: string, query: object, connection: Connection): Promise<Response> {
    const request = { method: 'GET', path, query: { ...this.filter, ...query }, headers: this.headers } as const;
    const answer = await this.http.open(request, connection.signal);
    if (!('reason' in answer)) return answer;
    throw new Interruption(answer, connection.isOverdue || answer.reason.status === 404);
  }
}

function eventIn(data: unknown): Event {
  if (isObject(data) && typeof data['id'] === 'string' && isObject(data['data'])) return data as unknown as Event;
  throw lost('An event is not readable', undefined);
}

function lost(message: string, cause: unknown, isHeldUp = false): Interruption {
  return new Interruption({ reason: new NoAnswerError(message, undefined, { cause }), comeBackInMs: 0 }, isHeldUp);
}

/** Numbers increase. Without a filter they are contiguous. */
class Numbers {
  private last: number | undefined;

  constructor(private readonly areContiguous: boolean) {}

  check({ sequence }: Event): void {
    const { last } = this;
    const number = Number(sequence);
    const isNext = last === undefined || (this.areContiguous ? number === last + 1 : number > last);
    if (!isNext) throw new EventsMissedError(last, number);
    this.last = number;
  }
}

/** Repeats a call of an endless reader until it succeeds, through every error that `follow` survives. */
export async function persistently<T>(http: Http, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (reason) {
      signal?.throwIfAborted();
      if (!isSurvivable(reason)) throw reason;
      const delayMs = backoff(attempt, FIRST_PAUSE_MS, MAX_PAUSE_MS);
      http.tellOfRetry({ attempt, delayMs, reason });
      await pause(delayMs, signal);
    }
  }
}
