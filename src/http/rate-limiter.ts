import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;

/** Tolerance for the rounding errors of floating point sums. */
const TOLERANCE_MS = 0.001;

/** How many callers are tracked at a time, in about 10 MB. */
const MAX_CALLERS = 100_000;

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

  /** A caller may send at once what it may send in `windowMs`. */
  constructor(
    requestsPerMinute: number,
    mostCallers = MAX_CALLERS,
    private readonly windowMs = MINUTE_MS,
  ) {
    this.intervalMs = MINUTE_MS / requestsPerMinute;
    this.fullAt = new LRUCache({ max: mostCallers });
  }

  get callers(): number {
    return this.fullAt.size;
  }

  /** Counts so many requests of a caller, all of them or none. */
  take(caller: string, now = performance.now(), requests = 1): Allowance {
    return this.takeIf(caller, now, requests, requests);
  }

  /** Counts as many as it turned out to be, if the caller has at least one left. */
  overdraw(caller: string, now: number, requests: number): Allowance {
    return this.takeIf(caller, now, requests, 1);
  }

  private takeIf(caller: string, now: number, requests: number, needed: number): Allowance {
    const before = Math.max(now, this.fullAt.get(caller) ?? 0);
    const waitMs = before + needed * this.intervalMs - now - this.windowMs;
    const allowed = waitMs <= TOLERANCE_MS;
    const fullAt = allowed ? before + requests * this.intervalMs : before;
    this.fullAt.set(caller, fullAt);
    return {
      allowed,
      remaining: Math.max(0, Math.floor((this.windowMs + TOLERANCE_MS - (fullAt - now)) / this.intervalMs)),
      resetsIn: Math.max(1, Math.ceil((allowed ? fullAt - now : waitMs) / 1000)),
    };
  }
}
