import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../database/database.js';
import { CommitUnanswered, type Transaction } from '../database/transaction.js';
import type { Reply } from '../http/reply.js';
import { contextOf, type Write } from '../http/request-context.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { SERIALIZATION_FAILURE, violatedConstraint } from '../problem/database-problem.js';
import { Problem, unavailable } from '../problem/problem.js';
import { Change } from '../records/change.js';
import type { AnswerRow, Stored } from '../records/stored.js';
import { writeTogether } from '../records/write-together.js';
import { Representation } from './representation.js';

type Rows = readonly (readonly AnswerRow[])[];

/** The one place that writes and commits. It makes the reply to a writing request, which is sent after COMMIT has succeeded. */
@Injectable()
export class WriteCommit {
  constructor(
    private readonly database: Database,
    private readonly representation: Representation,
    private readonly idempotency: Idempotency,
  ) {}

  /** The reply to any request, from what its handler returned. Where the guard has opened a transaction, that is committed first. */
  reply(request: Request, returned: unknown, status: number): Reply | Promise<Reply> {
    const { write } = contextOf(request);
    if (write === undefined) return this.representation.of(request, returned);
    return this.commitAndFollowUp(write, changesIn(returned), request, status);
  }

  private async commitAndFollowUp(write: Write, changes: readonly Change[], request: Request, status: number) {
    const reply = await this.commit(write, changes, request, status);
    for (const change of changes) change.runAfterCommit();
    return reply;
  }

  /** Writes the changes, keeps the answer under the request's Idempotency-Key if it has one, and commits. */
  private async commit(
    { transaction }: Write,
    changes: readonly Change[],
    request: Request,
    status: number,
  ): Promise<Reply> {
    const commands = changes.flatMap((change) => change.commands);
    let reply: Reply | undefined;
    try {
      if (changes.length === 1 && !this.idempotency.isKeyed(request)) {
        return this.replyTo(request, changes, await transaction.commit<AnswerRow>(commands));
      }
      // The answer is stored with the change, and of several changes each must have found its record before any is committed.
      reply = this.representation.of(request, (await this.write(transaction, changes)).at(-1));
      await transaction.commit(this.idempotency.keep(request, reply, status));
      return reply;
    } catch (error) {
      if (!(error instanceof CommitUnanswered)) throw refusalOf(changes, error);
      const rows = await this.settle(error, changes, request);
      return reply ?? this.replyTo(request, changes, rows);
    }
  }

  /** Writes the changes without committing them, and returns what the client is shown of each. */
  async write(transaction: Transaction, changes: readonly Change[]): Promise<(Stored | undefined)[]> {
    const commands = changes.flatMap((change) => change.commands);
    try {
      return shown(changes, await writeTogether(transaction, commands));
    } catch (error) {
      throw refusalOf(changes, error);
    }
  }

  /** The client is shown the last change. */
  private replyTo(request: Request, changes: readonly Change[], rows: Rows): Reply {
    return this.representation.of(request, shown(changes, rows).at(-1));
  }

  /**
   * After a COMMIT that got no answer: the rows that the last change left, read from history, or 503 when PostgreSQL rolled back
   * or cannot be asked. Several changes are shown before they are committed, so no other rows are needed.
   */
  async settle({ transactionID, cause }: CommitUnanswered, changes: readonly Change[], request: Request) {
    const change = changes.at(-1);
    if (change === undefined) throw new Error('A transaction without a change was committed', { cause });
    const values = [change.recordID, transactionID, contextOf(request).requestID];
    const found = await this.database.outcomeOf<AnswerRow>(transactionID, { statement: change.reread, values });
    if (found === undefined) throw outcomeUnknown(cause, this.idempotency.isKeyed(request));
    if (found === 'aborted') throw notWritten(cause);
    return [...change.commands.slice(1).map(() => []), found];
  }
}

function shown(changes: readonly Change[], rows: Rows): (Stored | undefined)[] {
  let at = -1;
  return changes.map((change) => {
    at += change.commands.length;
    const row = rows[at]?.[0];
    if (row === undefined) throw versionGone();
    return change.show(row);
  });
}

function changesIn(returned: unknown): readonly Change[] {
  const changes: unknown[] = Array.isArray(returned) ? returned : [returned];
  if (changes.length > 0 && changes.every((each) => each instanceof Change)) return changes;
  throw new Error('The handler of a writing route must return the change it makes');
}

/** A violated constraint, in the words of the change that violated it. */
function refusalOf(changes: readonly Change[], error: unknown): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === undefined) return error;
  return changes.map((change) => change.refusalFor(constraint)).find((refusal) => refusal !== undefined) ?? error;
}

/** The row lock keeps this from happening. Should it happen all the same, the request is judged again from its beginning. */
function versionGone(): Error {
  return Object.assign(new Error('The record no longer has the version that was locked'), {
    code: SERIALIZATION_FAILURE,
  });
}

/** Whether a failed write may have been committed. Then nothing that it wrote may be undone. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof CommitUnanswered || (error instanceof Problem && error.code === 'OUTCOME_UNKNOWN');
}

function notWritten(cause: unknown): Problem {
  return unavailable('The database was lost before the change was stored. Nothing was written.', { cause });
}

function outcomeUnknown(cause: unknown, keyed: boolean): Problem {
  const advice = keyed
    ? 'Repeat the request with the same Idempotency-Key: it has its effect once.'
    : 'Read the record to see whether the change is there before you repeat it.';
  return new Problem('OUTCOME_UNKNOWN', `The database was lost while the change was being stored. ${advice}`, {
    ...(keyed && { headers: { 'Retry-After': '1' } }),
    cause,
  });
}
