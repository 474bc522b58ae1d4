import type { Request } from 'express';
import type { Database } from '../database/database.js';
import { CommitUnanswered } from '../database/transaction.js';
import { WRITTEN_BY } from '../history/history-sql.js';
import type { Reply } from '../http/reply.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import { SERIALIZATION_FAILURE, violatedConstraint } from '../problem/database-problem.js';
import { Problem } from '../problem/problem.js';
import { requestIDOf } from '../problem/request-id.js';
import { Change } from '../records/change.js';
import type { AnswerRow } from '../records/stored.js';
import type { Write } from '../records/write-slot.js';
import type { Representation } from './representation.js';

type Rows = readonly (readonly AnswerRow[])[];

/** The one place that writes and commits: it makes the reply to a writing request, and no client hears of it before COMMIT. */
export class WriteCommit {
  constructor(
    private readonly database: Database,
    private readonly representation: Representation,
    private readonly idempotency: Idempotency,
  ) {}

  /** Writes what the handler returned, keeps the answer under the request's Idempotency-Key if it has one, and commits. */
  async reply({ transaction }: Write, returned: unknown, request: Request, status: number): Promise<Reply> {
    const changes = changesIn(returned);
    const commands = changes.flatMap((change) => change.commands);
    let reply: Reply | undefined;
    try {
      if (changes.length === 1 && !this.idempotency.isKeyed(request)) {
        return this.shown(changes, await transaction.commit<AnswerRow>(commands), request);
      }
      // The answer is stored with the change, and of several changes each must have found its record before any is committed.
      reply = this.shown(changes, await transaction.run<AnswerRow>(commands), request);
      await transaction.commit(this.idempotency.keep(request, reply, status));
      return reply;
    } catch (error) {
      if (!(error instanceof CommitUnanswered)) throw refusalOf(changes, error);
      await this.requireCommitted(error, changes, request);
      return reply ?? this.shown(changes, await this.reread(changes, error, request), request);
    }
  }

  /** The client is shown the last change. */
  private shown(changes: readonly Change[], rows: Rows, request: Request): Reply {
    let at = -1;
    let answer: unknown;
    for (const change of changes) {
      at += change.commands.length;
      const row = rows[at]?.[0];
      if (row === undefined) throw versionGone();
      answer = change.show(row);
    }
    return this.representation.of(request, answer);
  }

  /** PostgreSQL knows what became of the transaction, unless it cannot be reached. */
  private async requireCommitted(
    { transactionID, cause }: CommitUnanswered,
    changes: readonly Change[],
    request: Request,
  ): Promise<void> {
    const values = [changes.at(-1)?.recordID, transactionID, requestIDOf(request)];
    const outcome = await this.database.outcomeOf(transactionID, { statement: WRITTEN_BY, values });
    if (outcome === 'committed') return;
    throw outcome === 'aborted' ? notWritten(cause) : outcomeUnknown(cause, this.idempotency.isKeyed(request));
  }

  /** The rows that the commands of committed changes would have returned, as history kept them. */
  private async reread(
    changes: readonly Change[],
    { transactionID, cause }: CommitUnanswered,
    request: Request,
  ): Promise<Rows> {
    const rows: (readonly AnswerRow[])[] = [];
    for (const { commands, reread, recordID } of changes) {
      rows.push(...commands.slice(1).map(() => []));
      if (reread === undefined) {
        rows.push([DELETED]);
        continue;
      }
      const found = await this.database.findOut(() =>
        this.database.query<AnswerRow>(reread, [recordID, transactionID]),
      );
      if (found === undefined) throw outcomeUnknown(cause, this.idempotency.isKeyed(request));
      rows.push(found);
    }
    return rows;
  }
}

/** Stands for the row of a deleted record, of which nothing is shown. */
const DELETED = {} as AnswerRow;

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

function notWritten(cause: unknown): Problem {
  return new Problem('UNAVAILABLE', 'The database was lost before the change was stored. Nothing was written.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
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
