import type { Request } from 'express';
import { Problem, unavailable } from '../problem/problem.js';
import { callerKeyOf } from './caller-key.js';
import { onceClosed } from './until-closed.js';

interface SlotLimits {
  /** What takes a slot, in the plural. */
  readonly what: string;
  /** How many slots a replica has. */
  readonly limit: number;
  /** How many of them one caller can hold. */
  readonly share: number;
  readonly retryAfterSeconds: number;
}

/** Limits how many requests of one kind a replica serves at a time. Each caller has a share, so that none can take all slots. */
export class LimitedSlots {
  readonly limit: number;
  readonly share: number;
  /** How many requests were refused because their caller had its share, or because all slots were taken. */
  readonly refused = { share: 0, limit: 0 };
  private taken = 0;
  /** Callers that hold no slot are not listed. */
  private readonly held = new Map<string, number>();

  constructor(private readonly limits: SlotLimits) {
    this.limit = limits.limit;
    this.share = limits.share;
  }

  get inUse(): number {
    return this.taken;
  }

  /** Takes a slot and returns the function that frees it. 429 when the caller has its share, 503 when no slot is free. */
  take(request: Request): () => void {
    const caller = callerKeyOf(request);
    const own = this.held.get(caller) ?? 0;
    if (own >= this.share) throw this.shareIsTaken();
    if (this.taken >= this.limit) throw this.allAreTaken();
    this.taken += 1;
    this.held.set(caller, own + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.free(caller);
      isHeld = false;
    };
  }

  /** Takes a slot that is freed when the response is closed. */
  takeUntilClosed(request: Request): void {
    const free = this.take(request);
    if (request.res !== undefined) onceClosed(request.res, free);
  }

  private free(caller: string): void {
    this.taken -= 1;
    const left = (this.held.get(caller) ?? 0) - 1;
    if (left > 0) this.held.set(caller, left);
    else this.held.delete(caller);
  }

  private shareIsTaken(): Problem {
    this.refused.share += 1;
    const { what, share, retryAfterSeconds } = this.limits;
    const detail = `A caller may have ${share} ${what} open at a time. Wait until one of them has ended.`;
    return new Problem('RATE_LIMITED', detail, { headers: { 'Retry-After': String(retryAfterSeconds) } });
  }

  private allAreTaken(): Problem {
    this.refused.limit += 1;
    const { what, limit, retryAfterSeconds } = this.limits;
    const detail = `The service has ${limit} ${what} open, and cannot take more. Wait as long as Retry-After says.`;
    return unavailable(detail, { retryAfter: retryAfterSeconds });
  }
}

/** Every kind of request that holds something for as long as its client likes. docs/operations.md explains the limits. */
export class Slots {
  readonly streams = new LimitedSlots({ what: 'event streams', limit: 5000, share: 1000, retryAfterSeconds: 1 });
  readonly waits = new LimitedSlots({ what: 'waits for events', limit: 5000, share: 1000, retryAfterSeconds: 1 });
  readonly exports = new LimitedSlots({ what: 'exports', limit: 2, share: 1, retryAfterSeconds: 5 });
  readonly uploads = new LimitedSlots({ what: 'uploads', limit: 4, share: 2, retryAfterSeconds: 5 });
  readonly results = new LimitedSlots({ what: 'result files', limit: 8, share: 2, retryAfterSeconds: 5 });
}
