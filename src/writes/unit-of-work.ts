import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { CommitUnanswered, type Author, type BoundStatement, type Transaction } from '../database/transaction.js';
import { writeOf } from '../http/request-context.js';
import { retried } from '../http/retry.js';
import { isRetryable, SERIALIZATION_FAILURE, violatedConstraint } from '../problem/database-problem.js';
import { Problem, unavailable } from '../problem/problem.js';
import type { PendingWrite } from '../records/pending-write.js';
import type { RenderedRow, RenderedRecord } from '../records/rendered-record.js';
import { writeTogether } from '../records/write-together.js';

/** Who writes, in which request, and whether the client can repeat the request safely because it has an Idempotency-Key. */
export interface Writer extends Author {
  readonly isKeyed?: boolean;
}

/** Thrown by work on several items when some of them name past versions. */
export class StaleItems<Item, Stale> extends Error {
  constructor(readonly items: ReadonlyMap<Item, Stale>) {
    super('Items name versions that are no longer current');
  }
}

/**
 * The whole life of a write: BEGIN with the author, locks, the writes and COMMIT together, and after a COMMIT without an answer the search
 * for its outcome. Requests, bulks, imports, uploads and housekeeping all write through it; nothing else commits.
 */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /** Begins a unit that the caller must end with `commit` or `rollback`. */
  async begin(writer: Writer): Promise<Unit> {
    return new Unit(this.database, await this.database.begin(writer), writer);
  }

  /** Runs the work in a unit, and rolls back unless the work has committed. Runs it again after a deadlock. */
  run<Result>(writer: Writer, work: (unit: Unit) => Promise<Result>): Promise<Result> {
    return retried(async () => {
      const unit = await this.begin(writer);
      try {
        return await work(unit);
      } finally {
        await unit.rollback();
      }
    }, isRetryable);
  }

  /**
   * Runs work on several items. When it throws `StaleItems`, the unit is rolled back, so that no lock is held while these are explained from
   * history, and the work runs again with all explanations so far. A past version stays past, so an explained item stays refused.
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

/** An open unit of work. */
export class Unit {
  private readonly written: PendingWrite[] = [];

  constructor(
    private readonly database: Database,
    /** For locks and reads. */
    readonly transaction: Transaction,
    private readonly writer: Writer,
  ) {}

  /** Sends the writes without committing them. Returns what the client is shown of each. */
  async write(changes: readonly PendingWrite[]): Promise<(RenderedRecord | undefined)[]> {
    try {
      const rows = await writeTogether(this.transaction, commandsOf(changes));
      this.written.push(...changes);
      return shown(changes, rows);
    } catch (error) {
      throw refusalOf(changes, error);
    }
  }

  /**
   * Sends the last write, further statements and COMMIT in one round trip: all take effect or none does. Returns what the client is shown of
   * that write. Effects that wait for the commit of a write start afterwards.
   */
  async commit(last?: PendingWrite, statements: readonly BoundStatement[] = []): Promise<RenderedRecord | undefined> {
    const changes = last === undefined ? [] : [last];
    const all = [...this.written, ...changes];
    const [result] = shown(changes, await this.commitAll(all, [...commandsOf(changes), ...statements]));
    for (const change of all) change.runAfterCommit();
    return result;
  }

  rollback(): Promise<void> {
    return this.transaction.rollback();
  }

  private async commitAll(all: readonly PendingWrite[], statements: readonly BoundStatement[]) {
    try {
      return await this.transaction.commit<RenderedRow>(statements);
    } catch (error) {
      if (error instanceof CommitUnanswered) return this.settle(error, all);
      throw refusalOf(all, error);
    }
  }

  /**
   * After a COMMIT without an answer: the rows of the last write, read from history; 503 if PostgreSQL rolled back or cannot say. Of several
   * writes the others were shown before COMMIT, so no other rows are needed.
   */
  private async settle({ transactionID, cause }: CommitUnanswered, all: readonly PendingWrite[]) {
    const last = all.at(-1);
    if (last === undefined) throw outcomeUnknown(cause, this.writer);
    const values = [last.recordID, transactionID, this.writer.requestID];
    const found = await this.database.outcomeOf<RenderedRow>(transactionID, { statement: last.reread, values });
    if (found === undefined) throw outcomeUnknown(cause, this.writer);
    if (found === 'aborted') throw notWritten(cause);
    return [...last.commands.slice(1).map(() => []), found];
  }
}

function commandsOf(changes: readonly PendingWrite[]) {
  return changes.flatMap(({ commands }) => commands);
}

function shown(
  changes: readonly PendingWrite[],
  rows: readonly (readonly RenderedRow[])[],
): (RenderedRecord | undefined)[] {
  let at = -1;
  return changes.map((change) => {
    at += change.commands.length;
    const row = rows[at]?.[0];
    if (row === undefined) throw versionGone();
    return change.show(row);
  });
}

/** A violated constraint, in the words of the write that violated it. */
function refusalOf(changes: readonly PendingWrite[], error: unknown): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === undefined) return error;
  return changes.map((change) => change.refusalFor(constraint)).find((refusal) => refusal !== undefined) ?? error;
}

/** The row lock prevents this. Should it happen all the same, the work runs again from its beginning. */
function versionGone(): Error {
  return Object.assign(new Error('The record no longer has the version that was locked'), {
    code: SERIALIZATION_FAILURE,
  });
}

/** Whether a failed write may have been committed. Then nothing that it wrote may be undone. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Problem && error.code === 'OUTCOME_UNKNOWN';
}

function notWritten(cause: unknown): Problem {
  return unavailable('The database was lost before the change was stored. Nothing was written.', { cause });
}

function outcomeUnknown(cause: unknown, { isKeyed = false }: Writer): Problem {
  const advice = isKeyed
    ? 'Repeat the request with the same Idempotency-Key: it has its effect once.'
    : 'Read the record to see whether the change is there before you repeat it.';
  return new Problem('OUTCOME_UNKNOWN', `The database was lost while the change was being stored. ${advice}`, {
    ...(isKeyed && { headers: { 'Retry-After': '1' } }),
    cause,
  });
}

/** The unit that the guard opened for a request. */
export function unitOf(request: IncomingMessage): Unit {
  return writeOf(request).unit as Unit;
}
