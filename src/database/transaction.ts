import { nextTick } from 'node:process';
import { escapeLiteral, type PoolClient } from 'pg';
import { sendTogether, socketOf } from './send-together.js';
import { send, type Answer, type Manner, type Statement } from './statement.js';

/** When a transaction commits: together with its last statement, or not before it is asked to because something is to be added. */
export type Ending = 'with the last statement' | 'when asked';

/** Who changes something, in which request; history keeps it with each change. */
export interface Author {
  readonly requestID: string;
  readonly subject: string;
}

/** One transaction on one connection, which goes back to the pool exactly once, whatever happens. */
export class Transaction {
  private ended = false;
  private committed: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly client: PoolClient,
    deadline: number,
    private readonly manner: Manner,
    private readonly ending: Ending,
  ) {
    // One for all statements. Without its connection PostgreSQL rolls back what was not committed.
    this.timer = setTimeout(() => socketOf(client).destroy(), deadline - performance.now());
  }

  /** BEGIN is not waited for: it travels together with the first statement, and when it fails so does that one. */
  static begin(
    client: PoolClient,
    { requestID, subject }: Author,
    /** On the clock of performance.now(); past it the connection is destroyed. */
    deadline: number,
    manner: Manner,
    ending: Ending,
  ): Transaction {
    sendTogether(client, nextTick);
    const author = escapeLiteral(`${requestID} ${subject}`);
    const settings = Object.entries(manner.settings).map(([name, value]) => `; SET LOCAL ${name} = ${value}`);
    const transaction = new Transaction(client, deadline, manner, ending);
    transaction.send(`BEGIN; SET LOCAL waybill.author = ${author}${settings.join('')}`).catch(() => undefined);
    return transaction;
  }

  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    if (this.ended) throw new Error('The transaction has ended');
    const { rows } = await send<Row>(this.client, statement, values, this.manner);
    return rows;
  }

  /**
   * The statement after which there is none: where nothing has to be added to the transaction, COMMIT travels with it, and
   * `commit` finds it done. When the statement fails, PostgreSQL takes that COMMIT for a ROLLBACK.
   */
  async last<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    if (this.ending === 'when asked') return this.query(statement, values);
    sendTogether(this.client, nextTick);
    const answered = this.query<Row>(statement, values);
    // The failure of the statement tells more than that of its COMMIT.
    this.commit().catch(() => undefined);
    const rows = await answered;
    await this.commit();
    return rows;
  }

  commit(): Promise<void> {
    this.committed ??= this.sendCommit();
    return this.committed;
  }

  private async sendCommit(): Promise<void> {
    if (this.ended) throw new Error('The transaction has ended');
    this.ended = true;
    let command: string;
    try {
      ({ command } = await this.send('COMMIT'));
    } catch (error) {
      this.release(error as Error);
      throw error;
    }
    this.release();
    // After a failed statement PostgreSQL answers COMMIT with ROLLBACK, without an error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back at its commit');
  }

  async rollback(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    try {
      await this.send('ROLLBACK');
      this.release();
    } catch (error) {
      // A connection in an unknown state must not serve anybody else.
      this.release(error as Error);
    }
  }

  private send(text: string): Promise<Answer<object>> {
    return send(this.client, { text }, [], this.manner);
  }

  private release(failure?: Error): void {
    clearTimeout(this.timer);
    this.client.release(failure);
  }
}
