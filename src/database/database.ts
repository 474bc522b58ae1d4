import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { Problem } from '../problem/problem.js';
import { Transaction, type Author, type Statement } from './transaction.js';

export interface DatabaseLimits {
  readonly poolSize: number;
  readonly acquireTimeoutMs: number;
  /** How long one request may take with the database. */
  readonly deadlineMs: number;
}

/** How much the latest connection weighs in the mean time that one is held. */
const LATEST_WEIGHT = 0.1;

/** The way to PostgreSQL: TypeORM's pool, used with prepared statements and without hydration. */
export class Database {
  private readonly pool: Pool;
  private readonly takenAt = new WeakMap<PoolClient, number>();
  private meanHoldMs = 0;

  constructor(
    readonly dataSource: DataSource,
    readonly url: string,
    private readonly limits: DatabaseLimits,
  ) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
    this.pool.on('acquire', (client) => this.takenAt.set(client, performance.now()));
    this.pool.on('release', (_, client) => {
      const held = performance.now() - (this.takenAt.get(client) ?? performance.now());
      this.meanHoldMs += (held - this.meanHoldMs) * LATEST_WEIGHT;
    });
  }

  /** Reads outside of a transaction. */
  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    this.refuseOverload();
    const query = { ...statement, values: [...values], query_timeout: this.limits.deadlineMs };
    const { rows } = await this.pool.query<Row>(query);
    return rows;
  }

  /** Runs a statement of its own and tells how many rows it touched. */
  async count(statement: Statement): Promise<number> {
    return (await this.pool.query(statement)).rowCount ?? 0;
  }

  async begin(author: Author): Promise<Transaction> {
    this.refuseOverload();
    const deadline = performance.now() + this.limits.deadlineMs;
    return Transaction.begin(await this.pool.connect(), author, deadline);
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
    if ((waitingCount * this.meanHoldMs) / poolSize <= acquireTimeoutMs) return;
    throw new Problem('UNAVAILABLE', 'The service has more to do than it can. Try again in a moment.', {
      headers: { 'Retry-After': '1' },
    });
  }
}
