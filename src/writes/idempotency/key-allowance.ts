import { Problem } from '../../problem/problem.js';

const HOUR_MS = 3_600_000;

/** A key lives for 24 hours, so after this many whole hours all keys of an hour have expired. */
const HOURS_COUNTED = 25;

/**
 * Bounds how many bytes of kept answers one caller can fill the table with. They are counted by the hour in this process; replicas count
 * each for itself, as they do for the rate limit. Adding up rows instead took 0.2 s for 10,000 keys (two busy cores), and a row with the
 * sum would make the writes of a caller wait for each other.
 *
 * Hours pass by a clock that nobody sets: an hour that was counted while the wall clock was ahead would count until it has come and gone.
 */
export class KeyAllowance {
  private readonly hours = new Map<number, Map<string, number>>();

  constructor(private readonly most: number) {}

  /** 429 when a caller has less than so many bytes left. */
  require(caller: string, bytes: number, now = performance.now()): void {
    const thisHour = Math.floor(now / HOUR_MS);
    for (const hour of this.hours.keys()) if (hour <= thisHour - HOURS_COUNTED) this.hours.delete(hour);
    const used = [...this.hours].filter(([, callers]) => callers.has(caller));
    const total = used.reduce((sum, [, callers]) => sum + (callers.get(caller) ?? 0), 0);
    if (total + bytes <= this.most) return;
    const oldest = Math.min(thisHour, ...used.map(([hour]) => hour));
    throw this.usedUp((oldest + HOURS_COUNTED) * HOUR_MS - now);
  }

  /** Counts bytes of a caller. */
  add(caller: string, bytes: number, now = performance.now()): void {
    const thisHour = Math.floor(now / HOUR_MS);
    const callers = this.hours.get(thisHour) ?? new Map<string, number>();
    this.hours.set(thisHour, callers.set(caller, (callers.get(caller) ?? 0) + bytes));
  }

  private usedUp(freeInMs: number): Problem {
    return new Problem(
      'RATE_LIMITED',
      `The answers that are kept with the Idempotency-Keys of this caller may take ${this.most} bytes in 24 hours, and there is no room for another. Nothing was written. Wait as long as Retry-After says, or send the request without a key.`,
      { headers: { 'Retry-After': String(Math.ceil(freeInMs / 1000)) } },
    );
  }
}
