import { nextTick } from 'node:process';
import { escapeLiteral, type PoolClient } from 'pg';
import { sendTogether } from './send-together.js';

/** A statement. PostgreSQL parses and plans one that has a name once per connection; the name is unique for its text. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** How statements are sent. */
export interface Manner {
  /** Off where a connection pooler does not know statements by name. */
  readonly prepared: boolean;
  /** What each transaction sets for itself, when its connection cannot bring it along. */
  readonly settings: Readonly<Record<string, number>>;
}

/** A statement as it is sent: by name when it is prepared, so that its text is parsed once per connection. */
export function asSent({ name, text }: Statement, { prepared }: Manner): { name?: string; text: string } {
  return prepared && name !== undefined ? { name, text } : { text };
}

/** When a transaction commits: together with its last statement, or not before it is asked to because something is to be added. */
export type Ending = 'with the last statement' | 'when asked';

/** Who changes something, in which request; history keeps it with each change. */
export interface Author {
  readonly requestID: string;
  readonly subject: string;
}

/**
 * One transaction on one connection, which goes back to the pool exactly once, whatever happens.
 * Whoever begins it ends it; `hold` hands that duty on.
 */
export class Transaction {
  private state: 'open' | 'held' | 'ended' = 'open';
  private committed: Promise<void> | undefined;

  private constructor(
    private readonly client: PoolClient,
    /** On the clock of performance.now(). */
    private readonly deadline: number,
    private readonly manner: Manner,
    private readonly ending: Ending,
  ) {}

  /** BEGIN is not waited for: it travels together with the first statement, and when it fails so does that one. */
  static begin(
    client: PoolClient,
    { requestID, subject }: Author,
    deadline: number,
    manner: Manner,
    ending: Ending,
  ): Transaction {
    sendTogether(client, nextTick);
    const author = escapeLiteral(`${requestID} ${subject}`);
    const settings = Object.entries(manner.settings).map(([name, value]) => `; SET LOCAL ${name} = ${value}`);
    client.query(`BEGIN; SET LOCAL waybill.author = ${author}${settings.join('')}`).catch(() => undefined);
    return new Transaction(client, deadline, manner, ending);
  }

  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.state === 'ended') throw new Error('The transaction has ended');
    const { rows } = await this.client.query<Row>(
      this.timed({ ...asSent(statement, this.manner), values: [...values] }),
    );
    return rows;
  }

  /**
   * The statement after which there is none: where nothing has to be added to the transaction, COMMIT travels with it, and
   * `commit` finds it done. When the statement fails, PostgreSQL takes that COMMIT for a ROLLBACK.
   */
  async last<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.ending === 'when asked') return this.query(statement, values);
    sendTogether(this.client, nextTick);
    const answered = this.query<Row>(statement, values);
    // The failure of the statement tells more than that of its COMMIT.
    this.commit().catch(() => undefined);
    const rows = await answered;
    await this.commit();
    return rows;
  }

  /** From now on only `commit` and `rollback` end the transaction; `abandon` no longer does. */
  hold(): void {
    this.state = 'held';
  }

  /** The net under a transaction that nobody took over. */
  async abandon(): Promise<void> {
    if (this.state === 'open') await this.rollback();
  }

  commit(): Promise<void> {
    this.committed ??= this.sendCommit();
    return this.committed;
  }

  private async sendCommit(): Promise<void> {
    if (this.state === 'ended') throw new Error('The transaction has ended');
    this.state = 'ended';
    let command: string;
    try {
      ({ command } = await this.client.query(this.timed({ text: 'COMMIT' })));
    } catch (error) {
      this.client.release(error as Error);
      throw error;
    }
    this.client.release();
    // After a failed statement PostgreSQL answers COMMIT with ROLLBACK, without an error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back at its commit');
  }

  /** Past the deadline the connection is destroyed, and PostgreSQL rolls back what was not committed. */
  private timed<Query extends object>(query: Query): Query & { query_timeout: number } {
    return { ...query, query_timeout: Math.max(1, Math.ceil(this.deadline - performance.now())) };
  }

  async rollback(): Promise<void> {
    if (this.state === 'ended') return;
    this.state = 'ended';
    try {
      await this.client.query(this.timed({ text: 'ROLLBACK' }));
      this.client.release();
    } catch (error) {
      // A connection in an unknown state must not serve anybody else.
      this.client.release(error as Error);
    }
  }
}
