import type { Event, ResourceKind } from '@waybill/client';
import { feedClient, request } from '../api.js';
import { safely } from '../safely.js';
import { session } from '../session/session.js';
import { Store } from '../store.js';

export type Connection =
  /** `none`: the user may not read anything that the feed reports. */
  | { readonly kind: 'none' | 'connecting' | 'live' }
  | { readonly kind: 'reconnecting' | 'offline'; readonly since: string };

/** Events are delivered in batches, so that a burst causes one rendering. */
const BATCH_MS = 150;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** Follows the event feed while the page is open. */
class Live {
  readonly connection = new Store<Connection>({ kind: 'connecting' });
  /** Resolves when the cursor is known: data read after that misses no event. */
  readonly started: Promise<void>;
  private readonly client = feedClient({
    fetch: (url, init) => this.watched(url, init),
    onRetry: () => this.lost('reconnecting'),
  });
  private readonly listeners = new Set<(events: readonly Event[]) => void>();
  private readonly beginnings = new Set<() => void>();
  private collected: Event[] = [];
  private timer: number | undefined;
  private cursor: string | undefined;
  private hasBegun = false;
  /** Restarts of the feed since it last responded. */
  private failures = 0;
  private markStarted!: () => void;
  private connectionAttempt = new AbortController();

  constructor() {
    this.started = new Promise((resolve) => {
      this.markStarted = resolve;
    });
  }

  start(): void {
    addEventListener('offline', () => {
      this.lost('offline');
      this.connectionAttempt.abort();
    });
    addEventListener('online', () => this.connectionAttempt.abort());
    void this.follow();
  }

  /** The cursor after the last event received. */
  get position(): string | undefined {
    return this.cursor;
  }

  /** Called with all events, in order. */
  onEvents(listener: (events: readonly Event[]) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Called when the feed restarted and events may have been missed. */
  onBeginAnew(listener: () => void): void {
    this.beginnings.add(listener);
  }

  private async follow(): Promise<void> {
    for (;;) {
      await this.untilAllowed();
      this.connectionAttempt = new AbortController();
      const { signal } = this.connectionAttempt;
      try {
        if (this.cursor === undefined) {
          this.cursor = await this.client.events.head({ signal });
          // Listeners would take older events for changes that were made after they have read everything again.
          this.deliver();
          if (this.hasBegun) safely(...this.beginnings);
          this.hasBegun = true;
          this.markStarted();
        }
        for await (const event of this.client.events.follow({ after: this.cursor, ...readable(), signal })) {
          this.cursor = event.id;
          this.collect(event);
        }
      } catch {
        // The cursor may be invalid, so restart from the newest event; listeners reload what they missed.
        if (!signal.aborted) this.cursor = undefined;
        this.lost(navigator.onLine ? 'reconnecting' : 'offline');
        await this.untilWorthATry();
      }
    }
  }

  /** Without the right to read anything, every request would be rejected, until the user signs in with other rights. */
  private async untilAllowed(): Promise<void> {
    while (!session.can('moves:read') && !session.can('shipments:read')) {
      this.connection.set({ kind: 'none' });
      this.markStarted();
      await new Promise<void>((resolve) => {
        const stop = session.state.subscribe(() => {
          stop();
          resolve();
        });
      });
    }
  }

  private async untilWorthATry(): Promise<void> {
    this.failures += 1;
    await new Promise<void>((resolve) => {
      if (!navigator.onLine) addEventListener('online', () => resolve(), { once: true });
      else setTimeout(resolve, Math.min(FIRST_PAUSE_MS * 2 ** (this.failures - 1), MAX_PAUSE_MS));
    });
  }

  private async watched(url: string, init: RequestInit): Promise<Response> {
    const response = await request(url, init);
    if (response.ok && url.includes('/v1/events')) {
      this.failures = 0;
      // Every response to long polling comes here; those after the first one bring nothing back.
      if (this.connection.get().kind !== 'live') this.connection.set({ kind: 'live' });
    }
    return response;
  }

  private lost(kind: 'reconnecting' | 'offline'): void {
    const before = this.connection.get();
    const since = 'since' in before ? before.since : new Date().toISOString();
    this.connection.set({ kind, since });
  }

  private collect(event: Event): void {
    this.collected.push(event);
    this.timer ??= window.setTimeout(() => this.deliver(), BATCH_MS);
  }

  private deliver(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const events = this.collected;
    this.collected = [];
    if (events.length > 0) safely(...[...this.listeners].map((listener) => () => listener(events)));
  }
}

/** The filter of a user who may read only some of the events: without it, their numbers would have gaps. */
function readable(): { resource?: ResourceKind[] } {
  if (!session.can('shipments:read')) return { resource: ['move'] };
  return session.can('moves:read') ? {} : { resource: ['shipment', 'agent', 'service', 'import'] };
}

export const live = new Live();
