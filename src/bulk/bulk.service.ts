import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { requireCollectionMatch } from '../etag/preconditions.js';
import { RepeatedRequest, type Reply } from '../http/reply.js';
import { contextOf, writerOf } from '../http/request-context.js';
import { Idempotency } from '../writes/idempotency/idempotency.js';
import { namedStatement } from '../database/statement.js';
import { isInvalidValue, isLockTimeout } from '../problem/database-problem.js';
import { describeCause, toProblem } from '../problem/failures.js';
import { Problem } from '../problem/problem.js';
import { PendingWrite } from '../records/pending-write.js';
import { isOutcomeUnknown, UnitOfWork, type Unit } from '../writes/unit-of-work.js';
import type { BulkItem } from './bulk-item.js';
import { BulkProgress } from './bulk-progress.js';
import { BulkResults, isFinal, type Result } from './bulk-results.js';
import { BulkPlanner, type Stale, type Plan } from './bulk-planner.js';

/** How long a bulk waits for a lock after it has waited for another one in vain. */
const WAIT_BRIEFLY = namedStatement('bulk_wait_briefly')`SELECT set_config('lock_timeout', '50ms', true)`;

type Problems = ReadonlyMap<BulkItem, Problem>;

/** Writes many shipments. Each item has the same outcome as its single request. */
@Injectable()
export class BulkService {
  private readonly logger = new Logger('Problem');

  constructor(
    private readonly units: UnitOfWork,
    private readonly planner: BulkPlanner,
    private readonly results: BulkResults,
    private readonly idempotency: Idempotency,
  ) {}

  /** Writes all items in one transaction, or none of them and throws a problem. */
  writeAll(request: Request, items: readonly BulkItem[]): Promise<Reply> {
    return this.run(request, async (unit, conflicts) => {
      await this.idempotency.claimKey(unit, request);
      requireCollectionMatch(request.headers);
      const plans = await this.plan(unit, items, conflicts);
      const changes = changesIn(plans);
      if (changes.length < items.length) throw this.results.refusalOfAll(request, plans);
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
    const progress = new BulkProgress(items);
    try {
      while (progress.isOpen) await this.writeNext(request, progress);
      return this.results.answer(207, progress.resultsWith(new Map()));
    } catch (error) {
      const isAnswer = error instanceof RepeatedRequest || (error instanceof Problem && error.status < 500);
      if (isAnswer || progress.isEmpty) throw error;
      const problem = toProblem(error);
      this.logger.error(`${contextOf(request).requestID} ${problem.code}: ${describeCause(problem.cause ?? error)}`);
      const unfinished = (item: BulkItem) =>
        progress.wasTried(item) ? this.results.refusal(request, item, problem) : this.results.notTried(request, item);
      return this.results.answer(
        207,
        items.map((item) => progress.resultOf(item) ?? unfinished(item)),
      );
    }
  }

  /** Writes the next items in one transaction, unless others are using them. */
  private async writeNext(request: Request, progress: BulkProgress): Promise<void> {
    try {
      const work = (unit: Unit, conflicts: Problems) => this.writeSome(unit, request, progress, conflicts);
      progress.add(await this.run(request, work));
    } catch (error) {
      const hasWaited = isLockTimeout(error);
      if (!hasWaited && !(error instanceof Rejected)) throw error;
      const problem = toProblem(error instanceof Rejected ? error.cause : error);
      const isSplit = progress.split((item) => this.results.refusal(request, item, problem), hasWaited);
      if (hasWaited && (!isSplit || (!progress.isOpen && progress.isEmpty))) throw error;
    }
  }

  /**
   * Writes the next items in one transaction, and returns their results. With an Idempotency-Key, each transaction also stores all results
   * so far, and the progress is read from there. So a retry, even while the first request is still running, continues from there, and no
   * item is written twice. It tries items again that were in use.
   */
  private async writeSome(
    unit: Unit,
    request: Request,
    progress: BulkProgress,
    conflicts: Problems,
  ): Promise<ReadonlyMap<BulkItem, Result>> {
    const stored = this.results.kept(await this.idempotency.claimKey(unit, request));
    if (stored !== undefined) progress.resume(stored);
    requireCollectionMatch(request.headers);
    if (progress.hasWaited) await unit.transaction.query(WAIT_BRIEFLY);
    const plans = await this.plan(unit, progress.next(), conflicts);
    const changes = changesIn(plans);
    const rendered = await unit.write(changes).catch((error: unknown) => {
      throw isRejection(error) ? new Rejected('The database rejects an item', { cause: error }) : error;
    });
    const results = new Map(
      [...plans].map(([item, plan]) => {
        if (plan instanceof Problem) return [item, this.results.refusal(request, item, plan)] as const;
        return [item, this.results.success(item, rendered[changes.indexOf(plan)])] as const;
      }),
    );
    const all = progress.resultsWith(results);
    const keep =
      all.length === progress.items.length && all.every(isFinal)
        ? this.idempotency.keep(request, this.results.keptAnswer(all), 207)
        : this.idempotency.keepProgress(request, this.results.progress(all));
    // If nothing was changed, it does not matter whether the rejections were stored.
    await unit.commit(undefined, keep).catch((error: unknown) => {
      if (changes.length > 0 || !isOutcomeUnknown(error)) throw error;
    });
    return results;
  }

  private run<T>(request: Request, work: (unit: Unit, conflicts: Problems) => Promise<T>): Promise<T> {
    const explain = (stale: ReadonlyMap<BulkItem, Stale>) => this.planner.explain(stale);
    return this.units.runExplained(writerOf(request), explain, work);
  }

  private async plan(unit: Unit, items: readonly BulkItem[], conflicts: Problems): Promise<Map<BulkItem, Plan>> {
    const open = items.filter((item) => !conflicts.has(item));
    const locks = await this.planner.lock(unit.transaction, open);
    const planned = await this.planner.plan(unit.transaction, open, locks);
    return new Map(
      items.flatMap((item) => {
        const plan = conflicts.get(item) ?? planned.get(item);
        return plan === undefined ? [] : [[item, plan]];
      }),
    );
  }
}

/** Wraps the error of an item, as opposed to one of the whole request. */
class Rejected extends Error {}

function isRejection(error: unknown): boolean {
  return error instanceof Problem ? error.status < 500 : isInvalidValue(error);
}

function changesIn(plans: ReadonlyMap<BulkItem, Plan>): PendingWrite[] {
  return [...plans.values()].filter((plan) => plan instanceof PendingWrite);
}
