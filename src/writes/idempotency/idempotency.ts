import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../config/config.js';
import { WAIT_UNTIL_DURABLE } from '../../database/database.js';
import type { BoundStatement } from '../../database/statement.js';
import { RepeatedRequest, Reply } from '../../http/reply.js';
import { erased, Problem } from '../../problem/problem.js';
import { CLAIM, FIND, KEEP } from './idempotency-sql.js';
import type { Unit } from '../unit-of-work.js';
import { KeyAllowance } from './key-allowance.js';
import { fingerprintOf, identityOf } from './request-identity.js';

/** Stored status of an unfinished request. Never sent. */
export const PROGRESS = 102;

/** Approximate size of a row without its texts, in the table and its indexes. */
const ROW_BYTES = 256;

/** Stored status of an erased response. Its key is kept, so that a retry is not executed again. */
const ERASED = 410;

interface KeptResponse {
  readonly same: boolean;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/**
 * Safe retries. The response to a write is stored for the caller's key in the write's transaction: both exist or neither does, whenever
 * the process dies. Error responses are not stored: nothing was written, so the request may be retried.
 */
@Injectable()
export class Idempotency {
  /** Undefined without authentication: all callers would share one allowance. */
  private readonly allowance: KeyAllowance | undefined;
  /** The bytes counted for a request: retries and several transactions of a request store one response. */
  private readonly counted = new WeakMap<Request, number>();

  constructor(@Inject(CONFIG) config: Config) {
    if (!config.isOpen) this.allowance = new KeyAllowance(config.IDEMPOTENCY_BYTES_PER_CALLER);
  }

  /**
   * Claims the Idempotency-Key. Throws if the request is a repetition: its stored response, 409 while the first one is running, or 422 if the first one differs.
   * Throws 429 if the caller has no room for another response. For a request with several transactions, returns the progress of the first
   * attempt, stored by `keepProgress`, if any.
   */
  async claimKey(unit: Unit, request: Request): Promise<string | undefined> {
    const identity = identityOf(request);
    if (identity === undefined) return undefined;
    const [claim] = await unit.transaction.query<{ claimed: boolean }>(CLAIM, [identity.join('\n')]);
    if (!claim?.claimed) throw new Problem('IDEMPOTENCY_IN_PROGRESS', IN_PROGRESS, { headers: { 'Retry-After': '1' } });
    const [kept] = await unit.transaction.query<KeptResponse>(FIND, [...identity, fingerprintOf(request)]);
    if (kept === undefined) {
      if (!this.counted.has(request)) this.allowance?.require(identity[0], ROW_BYTES);
      return undefined;
    }
    if (!kept.same) throw new Problem('IDEMPOTENCY_MISMATCH', MISMATCH);
    // The progress is reported only after this transaction commits, which makes it durable, too.
    if (kept.status === PROGRESS) return kept.body ?? undefined;
    if (kept.status === ERASED) throw erased(RESPONSE_ERASED);
    // The first response may have been lost because no standby had the write yet. Wait until it is durable before repeating the response.
    await unit.commit(undefined, [{ statement: WAIT_UNTIL_DURABLE, values: [] }]);
    const headers = { ...kept.headers, 'Idempotency-Replayed': 'true' };
    throw new RepeatedRequest(new Reply(kept.body ?? undefined, headers, kept.status));
  }

  /** Stores the progress of a keyed request in the same transaction. */
  keepProgress(request: Request, progress: string): BoundStatement[] {
    return this.keep(request, new Reply(progress), PROGRESS);
  }

  /** Stores the response to a keyed request in the transaction of its write; 429 if the caller has no room for it. */
  keep(request: Request, { body, headers }: Reply, status: number): BoundStatement[] {
    const identity = identityOf(request);
    if (identity === undefined) return [];
    const sent = JSON.stringify(headers);
    const bytes = [...identity, sent, body ?? ''].reduce((sum, text) => sum + Buffer.byteLength(text), ROW_BYTES);
    const before = this.counted.get(request);
    // A request with stored progress may finish: its response replaces the progress.
    if (before === undefined) this.allowance?.require(identity[0], bytes);
    this.allowance?.add(identity[0], bytes - (before ?? 0));
    this.counted.set(request, bytes);
    const values = [...identity, fingerprintOf(request), status, sent, body ?? null];
    return [{ statement: KEEP, values }];
  }
}

const IN_PROGRESS = 'The first request with this Idempotency-Key is still running. Try again in a moment.';
const RESPONSE_ERASED =
  'This request was executed before, and its response was erased since. It is not executed again. Read the record to see its current state.';
const MISMATCH =
  'This Idempotency-Key was used for another request. Use a new key for each request, and reuse a key only to repeat the identical request.';
