import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { WAIT_UNTIL_DURABLE } from '../../database/durability.js';
import type { BoundStatement } from '../../database/transaction.js';
import { AnsweredBefore, Reply } from '../../http/reply.js';
import { erased, Problem } from '../../problem/problem.js';
import { CLAIM, FIND, KEEP } from './idempotency-sql.js';
import type { Unit } from '../unit-of-work.js';
import { KeyAllowance } from './key-allowance.js';
import { fingerprintOf, identityOf } from './request-identity.js';

/** Stands in the place of a status while a request is not answered yet. Nobody is sent this status. */
const PROGRESS = 102;

/** About what a row takes beside its texts, in the table and its indexes. */
const ROW_BYTES = 256;

/** Stands in the place of the status of an answer that was erased. Its key is kept, so that a retry is not done a second time. */
const ERASED = 410;

interface KeptAnswer {
  readonly same: boolean;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/**
 * Safe retries. The answer to a write is kept under the caller's key in the write's own transaction: either both are there or
 * neither is, whenever the process dies. Answers to refused requests are not kept: they changed nothing and may be asked again.
 */
@Injectable()
export class Idempotency {
  /** Undefined without authentication: all callers are one then, and any of them could use up the keys of all. */
  private readonly allowance: KeyAllowance | undefined;
  /** How many bytes are counted for a request: one that is tried again, or done in several transactions, keeps one answer. */
  private readonly counted = new WeakMap<Request, number>();

  constructor(@Inject(CONFIG) config: Config) {
    if (config.AUTH_MODE === 'jwt') this.allowance = new KeyAllowance(config.IDEMPOTENCY_BYTES_PER_CALLER);
  }

  /**
   * Throws when this request was answered before: 409 while the first one still runs, 422 when that was another request.
   * 429 when it was not, and the caller has no room for another answer.
   */
  async refuseRepetition(unit: Unit, request: Request): Promise<void> {
    await this.resume(unit, request);
  }

  /**
   * The same for a request that is done in several transactions: returns how far the first attempt came, as `keepProgress` stored it,
   * or undefined when there was none.
   */
  async resume(unit: Unit, request: Request): Promise<string | undefined> {
    const identity = identityOf(request);
    if (identity === undefined) return undefined;
    const [claim] = await unit.transaction.query<{ claimed: boolean }>(CLAIM, [identity.join('\n')]);
    if (!claim?.claimed) throw inProgress();
    const [kept] = await unit.transaction.query<KeptAnswer>(FIND, [...identity, fingerprintOf(request)]);
    if (kept === undefined) {
      if (!this.counted.has(request)) this.allowance?.require(identity[0], ROW_BYTES);
      return undefined;
    }
    if (!kept.same) throw mismatch();
    // Nobody is told of it before this transaction is committed, which makes it as safe as itself.
    if (kept.status === PROGRESS) return kept.body ?? undefined;
    if (kept.status === ERASED) throw answerErased();
    // The first answer may have been lost because no standby had the write yet. To repeat it is to promise that the write stays.
    await unit.commit(undefined, [{ statement: WAIT_UNTIL_DURABLE, values: [] }]);
    const headers = { ...kept.headers, 'Idempotency-Replayed': 'true' };
    throw new AnsweredBefore(new Reply(kept.body ?? undefined, headers, kept.status));
  }

  /** Stores how far a request that has a key has come, in the transaction that brought it there. */
  keepProgress(request: Request, progress: string): BoundStatement[] {
    return this.keep(request, new Reply(progress), PROGRESS);
  }

  /** Stores the answer of a request that has a key, in the transaction of its write; 429 when the caller has no room for it. */
  keep(request: Request, { body, headers }: Reply, status: number): BoundStatement[] {
    const identity = identityOf(request);
    if (identity === undefined) return [];
    const sent = JSON.stringify(headers);
    const bytes = [...identity, sent, body ?? ''].reduce((sum, text) => sum + Buffer.byteLength(text), ROW_BYTES);
    this.count(request, identity[0], bytes);
    const values = [...identity, fingerprintOf(request), status, sent, body ?? null];
    return [{ statement: KEEP, values }];
  }

  /** A request that has kept how far it has come may finish: its answer takes the place of that. */
  private count(request: Request, caller: string, bytes: number): void {
    const before = this.counted.get(request);
    if (before === undefined) this.allowance?.require(caller, bytes);
    this.allowance?.add(caller, bytes - (before ?? 0));
    this.counted.set(request, bytes);
  }
}

function inProgress(): Problem {
  return new Problem(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running. Try again in a moment.',
    {
      headers: { 'Retry-After': '1' },
    },
  );
}

function answerErased(): Problem {
  return erased(
    'This request was answered before, and its answer was erased since. It is not done a second time. Read the record to see what it is now.',
  );
}

function mismatch(): Problem {
  return new Problem(
    'IDEMPOTENCY_MISMATCH',
    'This Idempotency-Key was used for another request. Use a new key for each request, and the same one only to repeat it as it was.',
  );
}
