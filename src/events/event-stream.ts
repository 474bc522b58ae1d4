import type { Response } from 'express';
import { ownCursor, writeCursor, type Cursor } from './cursor.js';
import type { FeedPage } from './event-log.js';

/** Number of events to read at once, and of bytes to write before checking for backpressure. */
const EVENTS_AT_ONCE = 100;
const MAX_BYTES = 64 * 1024;

const HIDDEN_BEFORE_BOOKMARK = 500;

const COMMENT_AFTER_MS = 15_000;
const CUT_OFF_AFTER_MS = 10_000;

/** Spreads out the reconnects of clients that lost their streams at the same time. */
const SHORTEST_RETRY_MS = 1000;
const MAX_RETRY_MS = 5000;

interface StreamNeeds {
  readonly response: Response;
  /** Expiry of the caller's token, on the clock of Date.now(). */
  readonly expiresAt: number;
  /** Synchronous from memory, asynchronous from the database. */
  readonly read: (cursor: Cursor, limit: number) => FeedPage | Promise<FeedPage>;
}

/** Server-sent events for one client. While it does not read, nothing is buffered: the stream continues from its cursor later. */
export class EventStream {
  /** True until the headers are sent. */
  private isWriting = true;
  /** Whether events may follow the cursor: some may arrive while an earlier, empty read is still running. */
  private hasNews = false;
  private isEnded = false;
  /** Since when the client has not been reading; undefined while it reads. */
  private blockedSince: number | undefined;
  private writtenAt = performance.now();
  /** Read but not written yet, because it did not fit into one write. */
  private rest: FeedPage | undefined;
  private sent: number;

  constructor(
    private cursor: Cursor,
    private readonly needs: StreamNeeds,
  ) {
    this.sent = cursor.number;
  }

  /** Sends the headers and the first bytes at once, because proxies and clients wait for them. */
  open(): void {
    const { response } = this.needs;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    const retryMs = SHORTEST_RETRY_MS + Math.floor(Math.random() * (MAX_RETRY_MS - SHORTEST_RETRY_MS));
    this.write(`retry: ${retryMs}\n${this.bookmark()}`);
    this.isWriting = false;
  }

  /** Writes new events until none are left or the client stops reading. */
  async advance(): Promise<void> {
    this.hasNews = true;
    if (this.isWriting) return;
    this.isWriting = true;
    try {
      while (this.hasNews && !this.isEnded && this.blockedSince === undefined) {
        this.hasNews = false;
        this.show(this.rest ?? (await this.needs.read(this.cursor, EVENTS_AT_ONCE)));
      }
    } catch {
      // The events were archived, or the database is unavailable: a client that reconnects with the last id gets the error.
      this.end('the events are temporarily unavailable');
    } finally {
      this.isWriting = false;
    }
  }

  /** Called about once a second. Returns whether the client was disconnected for not reading. */
  check(now: number): boolean {
    if (this.isEnded) return false;
    if (this.blockedSince !== undefined) this.rest = undefined;
    if (this.blockedSince !== undefined && now - this.blockedSince >= CUT_OFF_AFTER_MS) {
      this.isEnded = true;
      this.needs.response.destroy();
      return true;
    }
    if (Date.now() >= this.needs.expiresAt) this.end('the token has expired');
    else if (this.blockedSince === undefined && now - this.writtenAt >= COMMENT_AFTER_MS) {
      this.write(this.cursor.number > this.sent ? this.bookmark() : ':\n\n');
    }
    return false;
  }

  /** Ends the stream cleanly. Before the headers are sent, the caller of `open` rejects the request instead. */
  end(reason: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    if (this.needs.response.headersSent) this.needs.response.end(`: ${reason}\n\n`);
  }

  /** For a disconnected client. */
  forget(): void {
    this.isEnded = true;
  }

  private show({ events, last, isEnd }: FeedPage): void {
    const frames: Buffer[] = [];
    let bytes = 0;
    for (const event of events) {
      if (bytes >= MAX_BYTES) break;
      frames.push(event.frame);
      bytes += event.frame.length;
      this.cursor = event;
      this.sent = event.number;
    }
    const isWhole = frames.length === events.length;
    this.rest = isWhole ? undefined : { events: events.slice(frames.length), last, isEnd };
    this.hasNews ||= !isWhole || !isEnd;
    // A client that does not read for long keeps no page in memory.
    this.cursor = ownCursor(isWhole ? last : this.cursor);
    if (this.cursor.number - this.sent >= HIDDEN_BEFORE_BOOKMARK) frames.push(Buffer.from(this.bookmark()));
    if (frames.length > 0) this.write(frames.length === 1 ? (frames[0] ?? '') : Buffer.concat(frames));
  }

  private bookmark(): string {
    this.sent = this.cursor.number;
    return `id: ${writeCursor(this.cursor)}\n\n`;
  }

  private write(chunk: string | Buffer): void {
    const { response } = this.needs;
    this.writtenAt = performance.now();
    if (response.write(chunk)) return;
    this.blockedSince = performance.now();
    response.once('drain', () => {
      this.blockedSince = undefined;
      // The client reads again, so clear its timeout: until the next comment, this stream may be silent.
      response.socket?.setTimeout(0);
      void this.advance();
    });
  }
}
