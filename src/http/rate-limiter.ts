import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;

/** Tolerance for floating-point rounding errors. */
const TOLERANCE_MS = 0.001;

/** Maximum number of tracked callers, about 10 MB. */
const MAX_CALLERS = 100_000;

/**
 * A token bucket per caller, stored as one number (GCRA): the time at which the bucket is full again. A caller may send
 * `requestsPerMinute` at once and continues at that rate, so there is no minute boundary to exploit.
 *
 * Memory is bounded: beyond `maxCallers`, the least recently seen callers are forgotten. Most of them have a full bucket anyway; the
 * rest get more than their share, which is better than rejecting new callers during a flood.
 */
export class RateLimiter {
  private readonly fullAt: LRUCache<string, number>;
  private readonly intervalMs: number;

  /** A caller may send the requests of `windowMs` at once. */
  constructor(
    requestsPerMinute: number,
    maxCallers = MAX_CALLERS,
    private readonly windowMs = MINUTE_MS,
  ) {
    this.intervalMs = MINUTE_MS / requestsPerMinute;
    this.fullAt = new LRUCache({ max: maxCallers });
  }

  get callers(): number {
    return this.fullAt.size;
  }

  /** Counts requests of a caller, all or none. With fewer `needed`, a caller who has these left may overdraw. */
  take(caller: string, now = performance.now(), requests = 1, needed = requests) {
    const before = Math.max(now, this.fullAt.get(caller) ?? 0);
    const waitMs = before + needed * this.intervalMs - now - this.windowMs;
    const allowed = waitMs <= TOLERANCE_MS;
    const fullAt = allowed ? before + requests * this.intervalMs : before;
    this.fullAt.set(caller, fullAt);
    return {
      allowed,
      /** Number of requests that the caller may send now. */
      remaining: Math.max(0, Math.floor((this.windowMs + TOLERANCE_MS - (fullAt - now)) / this.intervalMs)),
      /** If rejected, seconds until the next request is allowed; otherwise until the full limit is available. */
      resetsIn: Math.max(1, Math.ceil((allowed ? fullAt - now : waitMs) / 1000)),
    };
  }
  giveBack(caller: string): void {
    const fullAt = this.fullAt.get(caller);
    if (fullAt !== undefined) this.fullAt.set(caller, fullAt - this.intervalMs);
  }
}
