import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../database/database.js';
import { CommitUnanswered, type Command, type Transaction } from '../database/transaction.js';
import { requireCollectionMatch } from '../etag/preconditions.js';
import { WriteCommit } from '../etag/write-commit.js';
import type { Reply } from '../http/reply.js';
import { contextOf } from '../http/request-context.js';
import { retried } from '../http/retry.js';
import { AnsweredBefore, Idempotency } from '../idempotency/idempotency.js';
import { isTransient } from '../problem/database-problem.js';
import { describeCause } from '../problem/describe-cause.js';
import { Problem } from '../problem/problem.js';
import { toProblem } from '../problem/to-problem.js';
import { Change } from '../records/change.js';
import type { BulkItem } from './bulk-item.js';
import { BulkResults, type Result } from './bulk-results.js';
import { BulkVerdicts, Stale } from './bulk-verdicts.js';

/** So many items share a transaction when each may succeed by itself: their locks are short, and commits are few. */
export const ITEMS_PER_TRANSACTION = 50;

/** How far a bulk has come whose items are each done for themselves. */
interface Progress {
  done: readonly Result[];
  /** The items before this one are done, or belong to the transaction that was begun last. */
  tried: number;
}

/** Writes many shipments. Each item has the outcome that its single request would have. */
@Injectable()
export class BulkService {
  private readonly logger = new Logger('Problem');

  constructor(
    private readonly database: Database,
    private readonly verdicts: BulkVerdicts,
    private readonly results: BulkResults,
    private readonly writeCommit: WriteCommit,
    private readonly idempotency: Idempotency,
  ) {}

  /** All items in one transaction, or none of them and a problem that says why. */
  writeAll(request: Request, items: readonly BulkItem[]): Promise<Reply> {
    return this.inTransaction(request, async (transaction) => {
      await this.idempotency.refuseRepetition(transaction, request);
      requireCollectionMatch(request.headers);
      const verdicts = await this.verdicts.of(transaction, items);
      const changes = changesIn(verdicts);
      if (changes.length < items.length) {
        // Releases the row locks before conflicts are explained from history.
        await transaction.rollback();
        throw await this.refusalOfAll(request, verdicts);
      }
      const stored = await this.writeCommit.write(transaction, changes);
      const reply = this.results.answer(
        200,
        items.map((item, index) => this.results.success(item, stored[index])),
      );
      await this.commit(transaction, this.idempotency.keep(request, reply, 200), changes, request);
      return reply;
    });
  }

  /** Each item for itself, a few of them in each transaction. When the database is lost in the middle, the results say so. */
  async writeEach(request: Request, items: readonly BulkItem[]): Promise<Reply> {
    const progress: Progress = { done: [], tried: 0 };
    try {
      while (progress.done.length < items.length) progress.done = await this.writeNext(request, items, progress);
      return this.results.answer(207, progress.done);
    } catch (error) {
      const { done, tried } = progress;
      const isAnswer = error instanceof AnsweredBefore || (error instanceof Problem && error.status < 500);
      if (isAnswer || done.length === 0) throw error;
      const problem = toProblem(error);
      this.logger.error(`${contextOf(request).requestID} ${problem.code}: ${describeCause(problem.cause ?? error)}`);
      return this.results.answer(207, [
        ...done,
        ...items.slice(done.length, tried).map((item) => this.results.refusal(request, item, problem)),
        ...items.slice(tried).map((item) => this.results.notTried(request, item)),
      ]);
    }
  }

  /** Writes the items that come after those that are done, and returns the results of all so far. */
  private async writeNext(request: Request, items: readonly BulkItem[], progress: Progress) {
    // An item that names a past version is refused, whatever happens from here on.
    const conflicts = new Map<BulkItem, Result>();
    for (;;) {
      const attempt = () =>
        this.inTransaction(request, (open) => this.tryNext(open, request, items, progress, conflicts));
      const outcome = await retried(attempt, isTransient);
      if (!(outcome instanceof Map)) return outcome;
      for (const [item, problem] of await this.verdicts.explain(outcome)) {
        conflicts.set(item, this.results.refusal(request, item, problem));
      }
    }
  }

  /**
   * One transaction of `writeNext`. When it finds items stale it writes nothing and returns those. Under an Idempotency-Key the
   * results are stored by the transaction that they tell of, and how far the request has come is read from there: so whoever
   * repeats it, at any point and even while it still runs, goes on from where it is, and no item is done twice.
   */
  private async tryNext(
    transaction: Transaction,
    request: Request,
    items: readonly BulkItem[],
    progress: Progress,
    conflicts: ReadonlyMap<BulkItem, Result>,
  ): Promise<readonly Result[] | Map<BulkItem, Stale>> {
    const done = this.results.kept(await this.idempotency.resume(transaction, request)) ?? progress.done;
    requireCollectionMatch(request.headers);
    const next = items.slice(done.length, done.length + ITEMS_PER_TRANSACTION);
    progress.tried = done.length + next.length;
    const verdicts = await this.verdicts.of(
      transaction,
      next.filter((item) => !conflicts.has(item)),
    );
    const stale = staleIn(verdicts);
    if (stale.size > 0) return stale;
    const changes = changesIn(verdicts);
    const stored = await this.writeCommit.write(transaction, changes);
    const results = next.map((item) => {
      const verdict = verdicts.get(item);
      if (verdict instanceof Change) return this.results.success(item, stored[changes.indexOf(verdict)]);
      return verdict instanceof Problem ? this.results.refusal(request, item, verdict) : (conflicts.get(item) ?? '');
    });
    const all = [...done, ...results];
    const keep =
      all.length < items.length
        ? this.idempotency.keepProgress(request, this.results.progress(all))
        : this.idempotency.keep(request, this.results.keptAnswer(all), 207);
    await this.commit(transaction, keep, changes, request);
    return all;
  }

  private async refusalOfAll(request: Request, verdicts: Awaited<ReturnType<BulkVerdicts['of']>>): Promise<Problem> {
    const refused = await this.verdicts.explain(staleIn(verdicts));
    for (const [item, verdict] of verdicts) if (verdict instanceof Problem) refused.set(item, verdict);
    return this.results.refusalOfAll(request, [...verdicts.keys()], refused);
  }

  /** Rolls back unless the work has committed. */
  private async inTransaction<T>(request: Request, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const { requestID, caller } = contextOf(request);
    const transaction = await this.database.begin({ requestID, caller });
    try {
      return await work(transaction);
    } finally {
      await transaction.rollback();
    }
  }

  private async commit(transaction: Transaction, keep: Command[], changes: readonly Change[], request: Request) {
    try {
      await transaction.commit(keep);
    } catch (error) {
      if (!(error instanceof CommitUnanswered)) throw error;
      // Where nothing was changed, it makes no difference whether the refusals were stored.
      if (changes.length > 0) await this.writeCommit.settle(error, changes, request);
    }
  }
}

function changesIn(verdicts: ReadonlyMap<BulkItem, unknown>): Change[] {
  return [...verdicts.values()].filter((verdict) => verdict instanceof Change);
}

function staleIn(verdicts: ReadonlyMap<BulkItem, unknown>): Map<BulkItem, Stale> {
  return new Map([...verdicts].filter((entry): entry is [BulkItem, Stale] => entry[1] instanceof Stale));
}
