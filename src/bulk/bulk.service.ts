import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { requireCollectionMatch } from '../etag/preconditions.js';
import { AnsweredBefore, type Reply } from '../http/reply.js';
import { contextOf, writerOf } from '../http/request-context.js';
import { Idempotency } from '../writes/idempotency/idempotency.js';
import { describeCause, toProblem } from '../problem/failures.js';
import { Problem } from '../problem/problem.js';
import { PendingWrite } from '../records/pending-write.js';
import { isOutcomeUnknown, UnitOfWork, type Unit } from '../writes/unit-of-work.js';
import type { BulkItem } from './bulk-item.js';
import { BulkResults, type Result } from './bulk-results.js';
import { BulkPlanner, type Stale, type Verdict } from './bulk-planner.js';

/** Items per transaction for independent items: few enough for short locks, enough for few commits. */
export const ITEMS_PER_TRANSACTION = 50;

type Problems = ReadonlyMap<BulkItem, Problem>;

/** The progress of a bulk with independent items. */
interface Progress {
  done: readonly Result[];
  /** The items before this one are finished, or belong to the latest transaction. */
  tried: number;
}

/** Writes many shipments. Each item has the same outcome as its single request. */
@Injectable()
export class BulkService {
  private readonly logger = new Logger('Problem');

  constructor(
    private readonly units: UnitOfWork,
    private readonly verdicts: BulkPlanner,
    private readonly results: BulkResults,
    private readonly idempotency: Idempotency,
  ) {}

  /** Writes all items in one transaction, or none of them and throws a problem. */
  writeAll(request: Request, items: readonly BulkItem[]): Promise<Reply> {
    return this.run(request, async (unit, conflicts) => {
      await this.idempotency.refuseRepetition(unit, request);
      requireCollectionMatch(request.headers);
      const verdicts = await this.judge(unit, items, conflicts);
      const changes = changesIn(verdicts);
      if (changes.length < items.length) throw this.results.refusalOfAll(request, verdicts);
      const stored = await unit.write(changes);
      const reply = this.results.answer(
        200,
        items.map((item, index) => this.results.success(item, stored[index])),
      );
      await unit.commit(undefined, this.idempotency.keep(request, reply, 200));
      return reply;
    });
  }

  /** Writes items independently, a few per transaction. If the database is lost, the results say so. */
  async writeEach(request: Request, items: readonly BulkItem[]): Promise<Reply> {
    const progress: Progress = { done: [], tried: 0 };
    try {
      while (progress.done.length < items.length) {
        progress.done = await this.run(request, (unit, conflicts) =>
          this.writeNext(unit, request, items, progress, conflicts),
        );
      }
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

  /**
   * Writes the next items in one transaction, and returns all results so far. With an Idempotency-Key, each transaction also stores its
   * results, and the progress is read from there. So a retry, even while the first request is still running, continues from there, and no
   * item is written twice.
   */
  private async writeNext(
    unit: Unit,
    request: Request,
    items: readonly BulkItem[],
    progress: Progress,
    conflicts: Problems,
  ): Promise<readonly Result[]> {
    const done = this.results.kept(await this.idempotency.refuseRepetition(unit, request)) ?? progress.done;
    requireCollectionMatch(request.headers);
    const next = items.slice(done.length, done.length + ITEMS_PER_TRANSACTION);
    progress.tried = done.length + next.length;
    const verdicts = await this.judge(unit, next, conflicts);
    const changes = changesIn(verdicts);
    const stored = await unit.write(changes);
    const results = [...verdicts].map(([item, verdict]) => {
      if (verdict instanceof Problem) return this.results.refusal(request, item, verdict);
      return this.results.success(item, stored[changes.indexOf(verdict)]);
    });
    const all = [...done, ...results];
    const keep =
      all.length < items.length
        ? this.idempotency.keepProgress(request, this.results.progress(all))
        : this.idempotency.keep(request, this.results.keptAnswer(all), 207);
    // If nothing was changed, it does not matter whether the refusals were stored.
    await unit.commit(undefined, keep).catch((error: unknown) => {
      if (changes.length > 0 || !isOutcomeUnknown(error)) throw error;
    });
    return all;
  }

  private run<T>(request: Request, work: (unit: Unit, conflicts: Problems) => Promise<T>): Promise<T> {
    const explain = (stale: ReadonlyMap<BulkItem, Stale>) => this.verdicts.explain(stale);
    return this.units.runExplained(writerOf(request), explain, work);
  }

  /** The decisions on the items, in order. */
  private async judge(unit: Unit, items: readonly BulkItem[], conflicts: Problems): Promise<Map<BulkItem, Verdict>> {
    const open = items.filter((item) => !conflicts.has(item));
    const locks = await this.verdicts.lock(unit.transaction, open);
    const judged = await this.verdicts.judge(unit.transaction, open, locks);
    return new Map(
      items.flatMap((item) => {
        const verdict = conflicts.get(item) ?? judged.get(item);
        return verdict === undefined ? [] : [[item, verdict]];
      }),
    );
  }
}

function changesIn(verdicts: ReadonlyMap<BulkItem, Verdict>): PendingWrite[] {
  return [...verdicts.values()].filter((verdict) => verdict instanceof PendingWrite);
}
