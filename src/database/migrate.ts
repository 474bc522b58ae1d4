import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { StartFailure } from '../config/start-failure.js';
import { retry, type RetryRules } from '../problem/retry.js';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';

/** An arbitrary key, the same in every replica. */
const MIGRATION_LOCK = 7_291_604;
const LOCK_PAUSE_MS = 200;

/** Requests queue behind a migration that waits for a table lock, so it gives up soon and retries. */
const TABLE_LOCK_TIMEOUT_MS = 200;
const TABLE_LOCK_PAUSE_MS = 500;
const TABLE_LOCK_WITHIN_MS = 600_000;

const LOCK_FAILURES = ['55P03', '40P01'];

/** Migrates the schema while other replicas serve requests, and returns the names of the migrations it ran. */
export async function migrate(
  dataSource: DataSource,
  databaseUrl: string,
  /** Whether a transaction pooler reuses connections along with their settings. */
  isPooled = false,
): Promise<string[]> {
  const holder = await takeMigrationLock(databaseUrl);
  const runner = dataSource.createQueryRunner();
  try {
    const executor = new MigrationExecutor(dataSource, runner);
    const pending = await executor.getPendingMigrations();
    if (pending.length > 0) await requireKnown(executor, dataSource);
    for (const migration of pending) {
      const run = () => executor.executeMigration(migration);
      if (migration.instance?.transaction === false) await withoutTimeouts(runner, isPooled, run);
      else await retry(() => inTransaction(runner, run), lockRetries());
    }
    return pending.map(({ name }) => name);
  } finally {
    await runner.release();
    await holder.end();
  }
}

/** Rejects a database that other migrations have made. A newer version has run all migrations of this one, so none is pending. */
async function requireKnown(executor: MigrationExecutor, { migrations }: DataSource): Promise<void> {
  const known = new Set(migrations.map(({ name, constructor }) => name ?? constructor.name));
  const unknown = (await executor.getExecutedMigrations()).find(({ name }) => !known.has(name));
  if (unknown === undefined) return;
  throw new StartFailure(
    `Another version of Waybill made the database in DATABASE_URL, with the migration ${unknown.name}. A database made before 0.1.0 cannot be upgraded: use a new, empty database.`,
  );
}

/**
 * Serializes replicas that start together. A transaction-level lock is released when its holder dies and works through a
 * transaction pooler. Replicas poll for it: CREATE INDEX CONCURRENTLY waits for every running statement, so it would deadlock with
 * a statement that waits for this lock.
 */
async function takeMigrationLock(databaseUrl: string): Promise<Client> {
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  for (;;) {
    await holder.query('BEGIN');
    await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // Without parameters, pg sends a simple query, which holds no snapshot. CREATE INDEX CONCURRENTLY waits for snapshots.
    const { rows } = await holder.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS taken`,
    );
    if (rows[0]?.taken === true) return holder;
    await holder.query('ROLLBACK');
    await sleep(LOCK_PAUSE_MS);
  }
}

/**
 * Creating an index may take longer than the statement timeout. PostgreSQL checks regularly whether its client is still connected,
 * because an abandoned CREATE INDEX would block the next attempt.
 */
async function withoutTimeouts(runner: QueryRunner, isPooled: boolean, work: () => Promise<unknown>): Promise<void> {
  const all = { statement_timeout: '0', lock_timeout: '0', client_connection_check_interval: `'2s'` };
  const settings: Record<string, string> = isPooled ? {} : all;
  for (const [name, value] of Object.entries(settings)) await runner.query(`SET ${name} = ${value}`);
  await work();
  for (const name of Object.keys(settings)) await runner.query(`RESET ${name}`);
}

function inTransaction(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  return runner.manager.transaction(async () => {
    await runner.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
    await keepWritersOut(runner);
    await work();
  });
}

/**
 * Locks tables against writers in the same order as requests, so that a migration and a request never deadlock. With a weaker
 * lock, requests could lock rows that they cannot update. Reads continue.
 */
async function keepWritersOut(runner: QueryRunner): Promise<void> {
  // Entities list parents before children, and every write inserts its history entry last.
  const tables = runner.dataSource.entityMetadatas.map(({ tableName }) => tableName);
  for (const table of [...tables, 'history']) {
    if (await runner.hasTable(table)) await runner.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  }
}

function lockRetries(): RetryRules {
  const deadline = performance.now() + TABLE_LOCK_WITHIN_MS;
  return {
    while: (error) => LOCK_FAILURES.includes((error as { code?: string }).code ?? '') && performance.now() <= deadline,
    pause: () => TABLE_LOCK_PAUSE_MS * (0.5 + Math.random()),
  };
}
