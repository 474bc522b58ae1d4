import { DatabaseError, escapeLiteral, type PoolClient, type QueryResult } from 'pg';
import { cutConnection, inOneWrite } from './internals/pg-socket.js';
import { hasUnreplicatedCommit, isReadOnly } from './primary-connections.js';
import { send, type Statement, type StatementOptions } from './statement.js';

/** The caller and request that history records with each change. */
export interface Author {
  readonly requestID: string;
  readonly caller: { readonly subject: string; readonly name?: string | undefined };
}

/** Separates subject and display name; neither can contain it. */
const NAME_SEPARATOR = '\u001f';

export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

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

const COMMIT: BoundStatement = { statement: { text: 'COMMIT' }, values: [] };

/** One transaction on one connection. When it ends, it releases the connection exactly once. */
export class Transaction {
  /** Resolves when the transaction has ended: true if PostgreSQL confirmed the commit. */
  readonly committed: Promise<boolean>;
  private ended = false;
  private failure: Error | undefined;
  private resolveCommitted: (committed: boolean) => void = () => undefined;

  private constructor(
    private readonly client: PoolClient,
    /** PostgreSQL's transaction id (xid8). */
    readonly id: string,
    private readonly options: StatementOptions,
    private readonly timer: NodeJS.Timeout,
  ) {
    this.committed = new Promise((resolve) => (this.resolveCommitted = resolve));
  }

  /**
   * Waits for BEGIN before anything else is sent: pg ends each query with its own Sync, so a statement pipelined with a failing BEGIN
   * would run outside of a transaction, without lock, author or rollback.
   */
  static async begin(
    client: PoolClient,
    author: Author,
    /** On the clock of performance.now(). At the deadline the connection is destroyed, and PostgreSQL rolls back. */
    deadline: number,
    options: StatementOptions,
  ): Promise<Transaction> {
    const timer = setTimeout(() => cutConnection(client), deadline - performance.now());
    try {
      const results: unknown = await client.query(beginStatements(author, options));
      const [started] = (results as QueryResult<{ id: string }>[]).at(-1)?.rows ?? [];
      if (started === undefined) throw new Error('PostgreSQL returned no transaction id');
      return new Transaction(client, started.id, options, timer);
    } catch (error) {
      clearTimeout(timer);
      // Destroys the connection: it may be inside a transaction that failed.
      client.release(error as Error);
      throw error;
    }
  }

  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const [rows] = await this.run<Row>([{ statement, values }]);
    return rows ?? [];
  }

  /** Pipelines the statements and returns the rows of each. When one fails, PostgreSQL rejects the rest. */
  async run<Row extends object>(commands: readonly BoundStatement[]): Promise<Rows<Row>> {
    if (this.ended) throw new Error('The transaction has ended');
    const outcomes = await this.send<Row>(commands);
    return outcomes.map(rowsOf);
  }

  /**
   * Pipelines the statements and COMMIT, and returns the rows of each statement. When one fails, PostgreSQL rolls back. Throws
   * CommitUnanswered if the outcome is unknown.
   */
  async commit<Row extends object>(commands: readonly BoundStatement[] = []): Promise<Rows<Row>> {
    if (this.ended) throw new Error('The transaction has ended');
    this.ended = true;
    const outcomes = await this.send<Row>([...commands, COMMIT]);
    const failure = failureIn(outcomes);
    const last = outcomes.pop();
    // PostgreSQL answers COMMIT with ROLLBACK if the transaction has failed.
    const committed = failure === undefined && last?.status === 'fulfilled' && last.value.command === 'COMMIT';
    this.release(committed);
    if (committed && hasUnreplicatedCommit(this.client)) {
      throw new CommitUnanswered(this.id, new Error('The wait for synchronous standbys was cancelled'));
    }
    if (failure !== undefined) {
      const isRolledBack = isRefusal(failure) || (last?.status === 'fulfilled' && last.value.command === 'ROLLBACK');
      throw isRolledBack ? failure : new CommitUnanswered(this.id, failure);
    }
    if (!committed) throw new Error('PostgreSQL rolled the transaction back at COMMIT');
    return outcomes.map(rowsOf);
  }

  async rollback(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    // If ROLLBACK fails, the connection is destroyed, and PostgreSQL rolls back.
    await send(this.client, { text: 'ROLLBACK' }, [], this.options).catch(() => undefined);
    this.release(false);
  }

  private async send<Row extends object>(commands: readonly BoundStatement[]) {
    const outcomes = await Promise.allSettled(
      inOneWrite(this.client, () => {
        return commands.map(({ statement, values }) => send<Row>(this.client, statement, values, this.options));
      }),
    );
    this.failure ??= failureIn(outcomes);
    return outcomes;
  }

  /**
   * Destroys a connection that is still inside a transaction, or whose server is read-only: a failover may have promoted another one.
   */
  private release(committed: boolean): void {
    clearTimeout(this.timer);
    const isUsable =
      this.client.getTransactionStatus() === 'I' && !isReadOnly(this.failure) && !hasUnreplicatedCommit(this.client);
    this.client.release(isUsable ? undefined : (this.failure ?? true));
    this.resolveCommitted(committed);
  }
}

/** Sent as one simple query: when one statement fails, PostgreSQL skips the rest. */
function beginStatements({ requestID, caller: { subject, name } }: Author, { settings }: StatementOptions): string {
  const author = `${requestID} ${subject}${name === undefined ? '' : NAME_SEPARATOR + name}`;
  return [
    'BEGIN',
    `SET LOCAL waybill.author = ${escapeLiteral(author)}`,
    ...Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`),
    'SELECT pg_current_xact_id()::text AS id',
  ].join('; ');
}

/**
 * SQLSTATE prefixes of errors that may end the session: lost connections, session timeouts, resource exhaustion, shutdown, I/O and
 * internal errors. PostgreSQL may have committed before it sent one of these.
 */
const MAY_END_SESSION = ['08', '25P03', '25P04', '40003', '53', '57P', '58', 'F0', 'XX'];

/**
 * Whether PostgreSQL rejected a statement and rolled back. Checks only the SQLSTATE, because PostgreSQL translates the severity and
 * the message.
 */
function isRefusal(failure: Error): boolean {
  if (!(failure instanceof DatabaseError)) return false;
  const { code = '' } = failure;
  return code !== '' && !MAY_END_SESSION.some((state) => code.startsWith(state));
}

function failureIn(outcomes: readonly PromiseSettledResult<unknown>[]): Error | undefined {
  return outcomes.find((outcome) => outcome.status === 'rejected')?.reason as Error | undefined;
}

function rowsOf<Row>(outcome: PromiseSettledResult<{ rows: readonly Row[] }>): readonly Row[] {
  if (outcome.status === 'rejected') throw outcome.reason as Error;
  return outcome.value.rows;
}
