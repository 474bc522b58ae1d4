import type { OnApplicationShutdown } from '@nestjs/common';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { FIND_OUTCOME_WITHIN_MS } from '../config/timeouts.js';
import { isCanceled } from '../problem/database-problem.js';
import { unavailable } from '../problem/problem.js';
import { retry } from '../problem/retry.js';
import { sessionTimeouts } from './data-source.js';
import { sendBatch } from './internals/batch.js';
import { poolOf } from './internals/typeorm-data-source.js';
import { PoolLatency } from './pool-latency.js';
import { PrimaryConnections, primaryOnly } from './primary-connections.js';
import { SharedReads } from './shared-reads.js';
import { namedStatement, type BoundStatement, type Statement, type StatementOptions } from './statement.js';
import { Transaction, type Author } from './transaction.js';

const TRANSACTION_STATUS = namedStatement('transaction_status')`SELECT pg_xact_status($1::xid8) AS status`;

/**
 * Writes an empty record to the write-ahead log. Once it commits, all earlier commits are on disk and on the synchronous standbys.
 * Readable rows are not always durable: after a crash, PostgreSQL shows commits that no standby has received.
 */
export const WAIT_UNTIL_DURABLE = namedStatement('wait_until_durable')`
  SELECT pg_logical_emit_message(true, 'waybill', '')`;

const INVALID_PARAMETER_VALUE = '22023';

/** Access to PostgreSQL: TypeORM's connection pool, used with prepared statements and without hydration. */
export class Database implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly connections: PrimaryConnections;
  private readonly sharedReads: SharedReads;
  private readonly latency = new PoolLatency();
  private readonly options: StatementOptions;
  private readonly separatePools: Pool[] = [];
  private readonly timeouts = new WeakSet<Error>();

  constructor(
    readonly dataSource: DataSource,
    readonly url: string,
    private readonly config: Config,
  ) {
    this.options = {
      prepared: config.PREPARED_STATEMENTS === 'on',
      keepsDescriptions: config.DATABASE_POOLER === 'none',
      settings: config.DATABASE_POOLER === 'none' ? {} : sessionTimeouts(config),
    };
    this.pool = poolOf(dataSource);
    this.connections = new PrimaryConnections(this.pool);
    this.sharedReads = new SharedReads(this.pool, this.connections, (client) => this.latency.begin(client));
    this.pool.on('acquire', (client) => {
      // A lost connection fails its next statement and also emits 'error', which without a listener would end the process.
      // Not on 'connect', because TypeORM opens its first connection before this constructor runs.
      client.off('error', ignore).on('error', ignore);
      this.latency.begin(client);
    });
    this.pool.on('release', (_, client) => this.latency.end(client));
  }

  /** Reads outside of a transaction. */
  async query<Row extends object>(
    statement: Statement,
    values: readonly unknown[] = [],
    timeoutMs = this.config.REQUEST_DEADLINE_MS,
  ): Promise<readonly Row[]> {
    this.rejectOverload();
    const client = await this.connections.connect();
    let failure: Error | undefined;
    try {
      return await this.read<Row>(client, { statement, values }, timeoutMs);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** Reads one record by its key on a shared connection. */
  async queryOne<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row | undefined> {
    this.rejectOverload();
    const timeoutMs = this.config.REQUEST_DEADLINE_MS;
    const [row] = await this.sharedReads.with((client) => this.read<Row>(client, { statement, values }, timeoutMs));
    return row;
  }

  /** Each read has a Sync of its own, so that its failure affects no other read on the connection. */
  private async read<Row>(client: PoolClient, statement: BoundStatement, timeoutMs: number): Promise<readonly Row[]> {
    const startedAt = performance.now();
    const { executed, failure } = await sendBatch<Row>(client, [statement], this.options, timeoutMs);
    if (failure === undefined) return executed[0]?.rows ?? [];
    const isOver = performance.now() - startedAt >= this.config.STATEMENT_TIMEOUT_MS;
    if (isOver && isCanceled(failure)) this.timeouts.add(failure);
    throw failure;
  }

  /**
   * Whether a read failed because it ran for STATEMENT_TIMEOUT_MS, not counting the wait for a connection. PostgreSQL uses the same SQLSTATE
   * for a statement that somebody cancels, and translates its message.
   */
  hasTimedOut(failure: unknown): boolean {
    return this.timeouts.has(failure as Error);
  }

  /** Runs one statement outside of a transaction and returns the number of affected rows. */
  async count({ text }: Statement): Promise<number> {
    return (await this.pool.query(text)).rowCount ?? 0;
  }

  /** Takes a connection. The transaction begins with its first statements. */
  async begin(author: Author): Promise<Transaction> {
    this.rejectOverload();
    const deadline = this.deadline();
    return new Transaction(await this.connections.connect(), author, deadline, this.options);
  }

  /** The deadline of a request that starts now, on the clock of performance.now(). */
  deadline(): number {
    return performance.now() + this.config.REQUEST_DEADLINE_MS;
  }

  /**
   * The outcome of a transaction whose COMMIT got no response: the rows of `trace`, which reads what the transaction wrote, or
   * 'aborted'; undefined if PostgreSQL is unavailable for too long. The transaction id alone is not enough, because PostgreSQL
   * reuses the ids of transactions lost in a crash. Neither are the rows: until they are durable on the standbys, they may be lost.
   */
  outcomeOf<Row extends object>(
    transactionID: string,
    trace: BoundStatement,
  ): Promise<readonly Row[] | 'aborted' | undefined> {
    return this.findOut(async (remainingMs) => {
      const status = await this.statusOf(transactionID, remainingMs);
      if (status === 'aborted') return 'aborted';
      // PostgreSQL continues a transaction until it notices the lost connection.
      if (status !== 'committed') return undefined;
      const rows = await this.query<Row>(trace.statement, trace.values, remainingMs);
      if (rows.length === 0) return 'aborted';
      await this.query(WAIT_UNTIL_DURABLE, [], remainingMs);
      return rows;
    });
  }

  private async statusOf(transactionID: string, timeoutMs: number): Promise<string | null | undefined> {
    try {
      const [row] = await this.query<{ status: string | null }>(TRANSACTION_STATUS, [transactionID], timeoutMs);
      return row?.status;
    } catch (error) {
      // PostgreSQL has not issued this id: it crashed before the transaction reached its log.
      if ((error as { code?: string }).code === INVALID_PARAMETER_VALUE) return 'aborted';
      throw error;
    }
  }

  /** Retries a read, even while the database is unavailable, until it returns something; undefined on timeout. */
  private findOut<Found>(read: (remainingMs: number) => Promise<Found | undefined>): Promise<Found | undefined> {
    const deadline = performance.now() + FIND_OUTCOME_WITHIN_MS;
    const attempt = async () => {
      const found = await read(Math.max(1, deadline - performance.now()));
      if (found === undefined) throw new Error('The outcome is not known yet');
      return found;
    };
    const rules = {
      while: () => performance.now() < deadline,
      pause: (failures: number) => Math.min(5 * 2 ** failures, 500),
    };
    return retry(attempt, rules).catch(() => undefined);
  }

  /** A pool beside that of requests, so that neither waits for the other. It closes with the database. */
  separatePool(name: string, options: PoolConfig, timeoutMs = this.config.POOL_ACQUIRE_TIMEOUT_MS): Pool {
    const pool = new Pool({
      connectionString: this.url,
      connectionTimeoutMillis: timeoutMs,
      application_name: name,
      keepAlive: true,
      ...primaryOnly(timeoutMs),
      ...options,
    });
    pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
    this.separatePools.push(pool);
    return pool;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.dataSource.destroy(), ...this.separatePools.map((pool) => pool.end())]);
  }

  get poolState(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting };
  }

  /** Load shedding: rejects a request that would time out waiting for a connection, so that its client can try another replica. */
  private rejectOverload(): void {
    const { waitingCount } = this.pool;
    if (waitingCount === 0) return;
    const { POOL_SIZE, POOL_ACQUIRE_TIMEOUT_MS } = this.config;
    if ((waitingCount * this.latency.expectedMs()) / POOL_SIZE <= POOL_ACQUIRE_TIMEOUT_MS) return;
    throw unavailable('The service is overloaded. Try again in a moment.');
  }
}

const ignore = () => undefined;
