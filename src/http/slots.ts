import type { Request } from 'express';
import { Problem, unavailable } from '../problem/problem.js';
import { callerKeyOf, callerNameOf } from './request-context.js';
import { onceClosed } from './until-closed.js';

interface SlotLimits {
  /** Plural name of the requests, for messages. */
  readonly what: string;
  readonly limit: number;
  readonly share: number;
  readonly retryAfterSeconds: number;
}

/** Limits concurrent requests of one kind per replica and per caller. */
export class LimitedSlots {
  /** Number of rejected requests, by the limit that they hit. */
  readonly rejected = { share: 0, limit: 0 };
  inUse = 0;
  /** Slots per caller, without zero entries. */
  private readonly held = new Map<string, number>();

  constructor(readonly limits: SlotLimits) {}

  /** Takes a slot and returns the function that frees it. 429 if the caller has reached its share, 503 if no slot is free. */
  take(request: Request): () => void {
    const { what, limit, share, retryAfterSeconds: retryAfter } = this.limits;
    const caller = callerKeyOf(request);
    const own = this.held.get(caller) ?? 0;
    if (own >= share) {
      this.rejected.share += 1;
      const detail = `${callerNameOf(request)} may have ${share} ${what} open at a time. Wait until one of them ends.`;
      throw new Problem('RATE_LIMITED', detail, { headers: { 'Retry-After': String(retryAfter) } });
    }
    if (this.inUse >= limit) {
      this.rejected.limit += 1;
      const detail = `The service has reached its limit of ${limit} open ${what}. Wait for Retry-After.`;
      throw unavailable(detail, { retryAfter });
    }
    this.inUse += 1;
    this.held.set(caller, own + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.inUse -= 1;
      const left = (this.held.get(caller) ?? 0) - 1;
      if (left > 0) this.held.set(caller, left);
      else this.held.delete(caller);
    };
  }

  takeUntilClosed(request: Request): void {
    const free = this.take(request);
    if (request.res !== undefined) onceClosed(request.res, free);
  }
}

/** The kinds of requests that hold resources for as long as the client chooses. Each feature declares its own. docs/operations.md explains the limits. */
export class Slots {
  readonly all = new Map<string, LimitedSlots>();

  /** Called once per kind, by the feature that serves these requests. */
  declare(kind: string, limits: SlotLimits): LimitedSlots {
    if (this.all.has(kind)) throw new Error(`The slots ${kind} are declared twice`);
    const slots = new LimitedSlots(limits);
    this.all.set(kind, slots);
    return slots;
  }

  of(kind: string): LimitedSlots {
    const slots = this.all.get(kind);
    if (slots === undefined) throw new Error(`Nobody has declared the slots ${kind}`);
    return slots;
  }
}
