import { DatabaseError, type PoolClient } from 'pg';
import { sendBatch, type BatchOutcome } from './internals/batch.js';
import { cutConnection } from './internals/pg-socket.js';
import { isOutdatedStatement } from '../problem/database-problem.js';
import { hasUnreplicatedCommit, isReadOnly } from './primary-connections.js';
import { namedStatement, type BoundStatement, type Statement, type StatementOptions } from './statement.js';

/** The caller and request that history records with each change. */
export interface Author {
  readonly requestID: string;
  readonly caller: { readonly subject: string; readonly name?: string | undefined };
}

/** Separates subject and display name; neither can contain it. */
const NAME_SEPARATOR = '\u001f';

type Rows<Row> = readonly (readonly Row[])[];

/** COMMIT got no response, so PostgreSQL may have committed or not. `Database.outcomeOf` finds out. */
export class CommitUnanswered extends Error {
  constructor(
    readonly transactionID: string,
    cause: unknown,
  ) {
    super('The connection was lost before PostgreSQL answered COMMIT', { cause });
  }
}

const BEGIN: BoundStatement = { statement: namedStatement('begin')`BEGIN`, values: [] };
const COMMIT: BoundStatement = { statement: namedStatement('commit')`COMMIT`, values: [] };
const ROLLBACK: BoundStatement = { statement: namedStatement('rollback')`ROLLBACK`, values: [] };

/**
 * One transaction on one connection. It begins with its first statements, in the same batch, so that they cannot run outside of it. When
 * it ends, it releases the connection exactly once.
 */
export class Transaction {
  /** Resolves when the transaction has ended: true if PostgreSQL confirmed the commit. */
  readonly committed: Promise<boolean>;
  private readonly timer: NodeJS.Timeout;
  /** PostgreSQL's transaction id (xid8), when it has begun. */
  private id: string | undefined;
  private isUsed = false;
  private ended = false;
  private failure: Error | undefined;
  private resolveCommitted: (committed: boolean) => void = () => undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly author: Author,
    /** On the clock of performance.now(). At the deadline the connection is destroyed, and PostgreSQL rolls back. */
    deadline: number,
    private readonly options: StatementOptions,
  ) {
    this.timer = setTimeout(() => cutConnection(client), deadline - performance.now());
    this.committed = new Promise((resolve) => (this.resolveCommitted = resolve));
  }

  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const [rows] = await this.run<Row>([{ statement, values }]);
    return rows ?? [];
  }

  /** Sends the statements together and returns the rows of each. When one fails, PostgreSQL skips the rest. */
  async run<Row extends object>(commands: readonly BoundStatement[]): Promise<Rows<Row>> {
    if (this.ended) throw new Error('The transaction has ended');
    const opening = this.id === undefined ? openingOf(this.author, this.options) : [];
    const { executed, failure } = await this.send<Row>([...opening, ...commands]);
    if (failure !== undefined) throw failure;
    if (opening.length > 0) this.id = (executed[opening.length - 1]?.rows[0] as { id?: string } | undefined)?.id;
    // Statements outside of a transaction would commit one by one, without a lock.
    if (this.id === undefined || this.client.getTransactionStatus() !== 'T') {
      throw new Error('PostgreSQL has not begun a transaction');
    }
    return executed.slice(opening.length).map(({ rows }) => rows);
  }

  /** Sends the statements and COMMIT, which PostgreSQL skips when one fails. Throws CommitUnanswered if the outcome is unknown. */
  async commit<Row extends object>(commands: readonly BoundStatement[] = []): Promise<Rows<Row>> {
    // The id of the transaction must be known before COMMIT is sent: it identifies the outcome of an unanswered one.
    if (this.id === undefined) await this.run([]);
    if (this.ended) throw new Error('The transaction has ended');
    this.ended = true;
    const { executed, failure } = await this.send<Row>([...commands, COMMIT]);
    const isRolledBack = isRefusal(failure) || this.client.getTransactionStatus() === 'E';
    // PostgreSQL answers COMMIT with ROLLBACK if the transaction has failed.
    const committed = failure === undefined && executed.at(-1)?.command === 'COMMIT';
    await this.leaveTransaction();
    this.release(committed);
    if (committed && hasUnreplicatedCommit(this.client)) {
      throw this.unanswered(new Error('The wait for synchronous standbys was cancelled'));
    }
    if (failure !== undefined) throw isRolledBack ? failure : this.unanswered(failure);
    if (!committed) throw new Error('PostgreSQL rolled the transaction back at COMMIT');
    return executed.slice(0, -1).map(({ rows }) => rows);
  }

  async rollback(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.leaveTransaction();
    this.release(false);
  }

  private async send<Row>(commands: readonly BoundStatement[]): Promise<BatchOutcome<Row>> {
    this.isUsed = true;
    const outcome = await sendBatch<Row>(this.client, commands, this.options);
    this.failure ??= outcome.failure;
    return outcome;
  }

  /** If ROLLBACK fails, the connection is destroyed, and PostgreSQL rolls back. */
  private async leaveTransaction(): Promise<void> {
    if (this.isUsed && this.client.getTransactionStatus() !== 'I') await this.send([ROLLBACK]);
  }

  private unanswered(cause: unknown): CommitUnanswered {
    return new CommitUnanswered(this.id ?? '', cause);
  }

  /** Destroys a connection that is in a transaction, may be broken or read-only (after a failover), or has outdated statements. */
  private release(committed: boolean): void {
    clearTimeout(this.timer);
    const { failure } = this;
    const isUsable =
      this.client.getTransactionStatus() === 'I' &&
      (failure === undefined || isRefusal(failure)) &&
      !isReadOnly(failure) &&
      !isOutdatedStatement(failure) &&
      !hasUnreplicatedCommit(this.client);
    this.client.release(isUsable ? undefined : (failure ?? true));
    this.resolveCommitted(committed);
  }
}

/** BEGIN with the author, and the settings that the session cannot keep. The last statement returns the id of the transaction. */
export function openingOf(
  { requestID, caller: { subject, name } }: Author,
  { settings }: StatementOptions,
): BoundStatement[] {
  const author = `${requestID} ${subject}${name === undefined ? '' : NAME_SEPARATOR + name}`;
  const set = ['waybill.author', ...Object.keys(settings)].map((each, at) => `set_config('${each}', $${at + 1}, true)`);
  const text = `SELECT ${set.join(', ')}, pg_current_xact_id()::text AS id`;
  const values = [author, ...Object.values(settings)];
  return [BEGIN, { statement: { name: 'author', text }, values }];
}

/**
 * SQLSTATE prefixes of errors that may end the session: lost connections, session timeouts, resource exhaustion, shutdown, I/O and
 * internal errors. PostgreSQL may have committed before it sent one of these.
 */
const MAY_END_SESSION = ['08', '25P03', '25P04', '40003', '53', '57P', '58', 'F0', 'XX'];

/** Whether PostgreSQL rejected a statement and rolled back, by the SQLSTATE alone: severity and message are translated. */
function isRefusal(failure: Error | undefined): boolean {
  if (!(failure instanceof DatabaseError)) return false;
  const { code = '' } = failure;
  return code !== '' && !MAY_END_SESSION.some((state) => code.startsWith(state));
}
