import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;

/** Tolerance for the rounding errors of floating point sums. */
const TOLERANCE_MS = 0.001;

/** How many callers are tracked at a time, in about 10 MB. */
const MOST_CALLERS = 100_000;

export interface Allowance {
  readonly allowed: boolean;
  /** How many more requests the caller may send right now. */
  readonly remaining: number;
  /** Seconds until the caller may send again when refused, else until all of the limit is available again. */
  readonly resetsIn: number;
}

/**
 * A token bucket for each caller, kept as one number (GCRA): the time at which the bucket will be full again. A caller may send
 * `requestsPerMinute` at once and then goes on at that rate, so there is no minute boundary at which it could send twice as much.
 *
 * Memory is bounded: when `mostCallers` are known, those that were not seen lately are forgotten. Most of them have a full bucket
 * again. The others get more than their share, which is better than to refuse newcomers because of somebody else's flood.
 */
export class RateLimiter {
  private readonly fullAt: LRUCache<string, number>;
  private readonly intervalMs: number;

  constructor(requestsPerMinute: number, mostCallers = MOST_CALLERS) {
    this.intervalMs = WINDOW_MS / requestsPerMinute;
    this.fullAt = new LRUCache({ max: mostCallers });
  }

  get callers(): number {
    return this.fullAt.size;
  }

  /** Counts so many requests of a caller, all of them or none. */
  take(caller: string, now = performance.now(), requests = 1): Allowance {
    const before = Math.max(now, this.fullAt.get(caller) ?? 0);
    const after = before + requests * this.intervalMs;
    const allowed = after - now <= WINDOW_MS + TOLERANCE_MS;
    const fullAt = allowed ? after : before;
    this.fullAt.set(caller, fullAt);
    const waitMs = allowed ? fullAt - now : after - now - WINDOW_MS;
    return {
      allowed,
      remaining: Math.max(0, Math.floor((WINDOW_MS + TOLERANCE_MS - (fullAt - now)) / this.intervalMs)),
      resetsIn: Math.max(1, Math.ceil(waitMs / 1000)),
    };
  }
}
