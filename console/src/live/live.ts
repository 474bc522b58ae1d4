import type { Event } from '@waybill/client';
import { feedClient, request } from '../api.js';
import { safely } from '../safely.js';
import { session } from '../session/session.js';
import { Store } from '../store.js';

export type Connection =
  | { readonly kind: 'connecting' | 'live' }
  | { readonly kind: 'reconnecting' | 'offline'; readonly since: string };

/** Events are delivered in batches, so that a burst causes one rendering. */
const BATCH_MS = 150;

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
    const seesMoves = session.can('moves:read');
    const seesShipments = session.can('shipments:read');
    const resource =
      seesMoves && seesShipments
        ? undefined
        : seesMoves
          ? (['move'] as const)
          : (['shipment', 'agent', 'service', 'import'] as const);
    for (;;) {
      this.connectionAttempt = new AbortController();
      const { signal } = this.connectionAttempt;
      try {
        if (this.cursor === undefined) {
          this.cursor = await this.client.events.head({ signal });
          if (this.hasBegun) safely(...this.beginnings);
          this.hasBegun = true;
          this.markStarted();
        }
        const filter = resource === undefined ? {} : { resource: [...resource] };
        for await (const event of this.client.events.follow({ after: this.cursor, ...filter, signal })) {
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

  private async untilWorthATry(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (navigator.onLine) setTimeout(resolve, 1000);
      else addEventListener('online', () => resolve(), { once: true });
    });
  }

  private async watched(url: string, init: RequestInit): Promise<Response> {
    const response = await request(url, init);
    if (response.ok && url.includes('/v1/events')) this.connection.set({ kind: 'live' });
    return response;
  }

  private lost(kind: 'reconnecting' | 'offline'): void {
    const before = this.connection.get();
    const since = 'since' in before ? before.since : new Date().toISOString();
    this.connection.set({ kind, since });
  }

  private collect(event: Event): void {
    this.collected.push(event);
    this.timer ??= window.setTimeout(() => {
      this.timer = undefined;
      const events = this.collected;
      this.collected = [];
      safely(...[...this.listeners].map((listener) => () => listener(events)));
    }, BATCH_MS);
  }
}

export const live = new Live();
