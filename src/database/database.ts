import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { Problem } from '../problem/problem.js';
import { SharedReads } from './shared-reads.js';
import { send, type Manner, type Statement } from './statement.js';
import { Transaction, type Author, type Ending } from './transaction.js';

export interface DatabaseLimits {
  readonly poolSize: number;
  readonly acquireTimeoutMs: number;
  /** How long one request may take with the database. */
  readonly deadlineMs: number;
}

/** How much the latest connection weighs in the mean time that one is held: enough to feel a slowdown after a few. */
const LATEST_WEIGHT = 0.3;

/** The way to PostgreSQL: TypeORM's pool, used with prepared statements and without hydration. */
export class Database {
  private readonly pool: Pool;
  private readonly sharedReads: SharedReads;
  private readonly takenAt = new Map<PoolClient, number>();
  private meanHoldMs = 0;

  constructor(
    readonly dataSource: DataSource,
    readonly url: string,
    private readonly limits: DatabaseLimits,
    private readonly manner: Manner = { prepared: true, settings: {} },
  ) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
    this.sharedReads = new SharedReads(this.pool, (client) => this.takenAt.set(client, performance.now()));
    this.pool.on('acquire', (client) => {
      // A connection that is lost while it serves fails its next statement, and says so once more as an event that would end
      // the process if nobody listened. Not on 'connect': TypeORM's first connection is older than this object.
      client.off('error', ignore).on('error', ignore);
      this.takenAt.set(client, performance.now());
    });
    this.pool.on('release', (_, client) => {
      this.meanHoldMs += (this.heldFor(client) - this.meanHoldMs) * LATEST_WEIGHT;
      this.takenAt.delete(client);
    });
  }

  /** Reads outside of a transaction. */
  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    this.refuseOverload();
    const client = await this.pool.connect();
    let failure: Error | undefined;
    try {
      return (await this.send<Row>(client, statement, values)).rows;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** Reads one record by its key, so quickly that others can wait for it. */
  async queryOne<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row | undefined> {
    this.refuseOverload();
    const { rows } = await this.sharedReads.with((client) => this.send<Row>(client, statement, values));
    return rows[0];
  }

  private send<Row extends object>(client: PoolClient, statement: Statement, values: readonly unknown[]) {
    return send<Row>(client, statement, values, this.manner, this.limits.deadlineMs);
  }

  /** Runs a statement of its own and tells how many rows it touched. */
  async count({ text }: Statement): Promise<number> {
    return (await this.pool.query(text)).rowCount ?? 0;
  }

  async begin(author: Author, ending: Ending): Promise<Transaction> {
    this.refuseOverload();
    const deadline = performance.now() + this.limits.deadlineMs;
    return Transaction.begin(await this.pool.connect(), author, deadline, this.manner, ending);
  }

  get poolState(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting };
  }

  /** A request that would wait in vain is better refused at once: its client can try another replica. */
  private refuseOverload(): void {
    const { waitingCount } = this.pool;
    if (waitingCount === 0) return;
    const { poolSize, acquireTimeoutMs } = this.limits;
    if ((waitingCount * this.expectedHoldMs()) / poolSize <= acquireTimeoutMs) return;
    throw new Problem('UNAVAILABLE', 'The service has more to do than it can. Try again in a moment.', {
      headers: { 'Retry-After': '1' },
    });
  }

  /** As long as connections were held of late, or as those in use are held already: slowness must not first be over to be seen. */
  private expectedHoldMs(): number {
    const held = [...this.takenAt.keys()].map((client) => this.heldFor(client));
    return Math.max(this.meanHoldMs, held.reduce((sum, each) => sum + each, 0) / Math.max(1, held.length));
  }

  private heldFor(client: PoolClient): number {
    const now = performance.now();
    return now - (this.takenAt.get(client) ?? now);
  }
}

const ignore = () => undefined;
