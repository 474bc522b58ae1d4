import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { BoundStatement, PlainRow } from '../database/statement.js';
import { CommitUnanswered, type Author, type Transaction } from '../database/transaction.js';
import { isRetryable, retryableError, isInvalidValue, violatedConstraint } from '../problem/database-problem.js';
import { COLLISIONS, retry } from '../problem/retry.js';
import { Problem, unavailable } from '../problem/problem.js';
import type { PendingWrite } from '../records/pending-write.js';
import { writeTogether } from '../records/write-together.js';

/** The author of a write; `isKeyed` means that the client can safely repeat the request. */
export interface Writer extends Author {
  readonly isKeyed?: boolean;
}

/** Thrown by work on several items if some of them have stale versions. */
export class StaleItems<Item, Stale> extends Error {
  constructor(readonly items: ReadonlyMap<Item, Stale>) {
    super('Items have stale versions');
  }
}

/**
 * The lifecycle of a write: BEGIN with the author, locks, writes together with COMMIT, and after an unanswered COMMIT the search for its
 * outcome. Requests, bulks, imports, uploads and housekeeping all write through it; nothing else commits.
 */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /** Begins a unit that the caller must end with `commit` or `rollback`. */
  async begin(writer: Writer): Promise<Unit> {
    return new Unit(this.database, await this.database.begin(writer), writer);
  }

  /** Runs the work in a unit, and rolls back unless it has committed. Retries after a deadlock. */
  run<Result>(writer: Writer, work: (unit: Unit) => Promise<Result>): Promise<Result> {
    const attempt = async () => {
      const unit = await this.begin(writer);
      try {
        return await work(unit);
      } finally {
        await unit.rollback();
      }
    };
    return retry(attempt, {
      while: (error, failures) => failures <= COLLISIONS.max && isRetryable(error),
      pause: COLLISIONS.pause,
    });
  }

  /**
   * Runs work on several items. If it throws `StaleItems`, rolls back, so that no lock is held while they are explained from history, and
   * runs the work again with all explanations so far. A stale version stays stale, so an explained item stays refused.
   */
  async runExplained<Item, Stale, Explanation, Result>(
    writer: Writer,
    explain: (stale: ReadonlyMap<Item, Stale>) => Promise<ReadonlyMap<Item, Explanation>>,
    work: (unit: Unit, explained: ReadonlyMap<Item, Explanation>) => Promise<Result>,
  ): Promise<Result> {
    const explained = new Map<Item, Explanation>();
    for (;;) {
      try {
        return await this.run(writer, (unit) => work(unit, explained));
      } catch (error) {
        if (!(error instanceof StaleItems)) throw error;
        const { items } = error as StaleItems<Item, Stale>;
        for (const [item, explanation] of await explain(items)) explained.set(item, explanation);
      }
    }
  }
}

export class Unit {
  private readonly written: PendingWrite<object>[] = [];

  constructor(
    private readonly database: Database,
    /** For locks and reads. */
    readonly transaction: Transaction,
    private readonly writer: Writer,
  ) {}

  /** Sends the writes without committing. Returns what they show. */
  async write<Shown extends object>(changes: readonly PendingWrite<Shown>[]): Promise<(Shown | undefined)[]> {
    try {
      const rows = await writeTogether(this.transaction, commandsOf(changes));
      this.written.push(...changes);
      return shown(changes, rows);
    } catch (error) {
      throw rejectionOf(changes, error);
    }
  }

  /** Sends the last write, further statements and COMMIT in one round trip, then runs the effects. Returns what the last write shows. */
  async commit<Shown extends object>(
    last?: PendingWrite<Shown>,
    statements: readonly BoundStatement[] = [],
  ): Promise<Shown | undefined> {
    const changes = last === undefined ? [] : [last];
    const all = [...this.written, ...changes];
    const [result] = shown(changes, await this.commitAll(all, [...commandsOf(changes), ...statements]));
    for (const { parts } of all) for (const effect of parts.effects ?? []) effect();
    return result;
  }

  rollback(): Promise<void> {
    return this.transaction.rollback();
  }

  private async commitAll(all: readonly PendingWrite<object>[], statements: readonly BoundStatement[]) {
    try {
      return await this.transaction.commit<PlainRow>(statements);
    } catch (error) {
      if (error instanceof CommitUnanswered) return this.settle(error, all);
      throw rejectionOf(all, error);
    }
  }

  /**
   * After an unanswered COMMIT: reads the rows of the last write from history; 503 if PostgreSQL rolled back or is unavailable. The other
   * writes were rendered before COMMIT, so their rows are not needed.
   */
  private async settle({ transactionID, cause }: CommitUnanswered, all: readonly PendingWrite<object>[]) {
    const last = all.at(-1);
    if (last === undefined) throw outcomeUnknown(cause, this.writer);
    const trace = last.parts.reread(transactionID, this.writer.requestID);
    const found = await this.database.outcomeOf<PlainRow>(transactionID, trace);
    if (found === undefined) throw outcomeUnknown(cause, this.writer);
    if (found === 'aborted') {
      throw unavailable('The connection to the database was lost before the commit. Nothing was written.', { cause });
    }
    return [...last.parts.commands.slice(1).map(() => []), found];
  }
}

function commandsOf(changes: readonly PendingWrite<object>[]) {
  return changes.flatMap(({ parts }) => parts.commands);
}

function shown<Shown extends object>(
  changes: readonly PendingWrite<Shown>[],
  rows: readonly (readonly PlainRow[])[],
): (Shown | undefined)[] {
  let at = -1;
  return changes.map(({ parts }) => {
    at += parts.commands.length;
    const row = rows[at]?.[0];
    // The row lock prevents this. If it happens anyway, the work is retried.
    if (row === undefined) throw retryableError('The record no longer has the version that was locked');
    return parts.show(row);
  });
}

/** Translates a violated constraint into the error of its write, if it is a domain rule, and a value that no request has sent. */
function rejectionOf(changes: readonly PendingWrite<object>[], error: unknown): unknown {
  const constraint = violatedConstraint(error) ?? '';
  const rejections = changes.map(({ parts }) => {
    return parts.rejections?.[constraint] ?? (isInvalidValue(error) ? parts.invalidValue : undefined);
  });
  return rejections.find((each) => each !== undefined)?.() ?? error;
}

/** Whether a failed write may have been committed. Then it must not be undone. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Problem && error.code === 'OUTCOME_UNKNOWN';
}

function outcomeUnknown(cause: unknown, { isKeyed = false }: Writer): Problem {
  const advice = isKeyed
    ? 'Repeat the request with the same Idempotency-Key: it takes effect only once.'
    : 'Read the record before you repeat the request: the change may have been written.';
  return new Problem('OUTCOME_UNKNOWN', `The connection to the database was lost during the commit. ${advice}`, {
    ...(isKeyed && { headers: { 'Retry-After': '1' } }),
    cause,
  });
}
