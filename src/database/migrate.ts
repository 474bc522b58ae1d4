import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { MigrationExecutor, type DataSource, type Migration, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../migrations/concurrent-index.js';
import { INDEXES_BEFOREHAND } from '../../migrations/indexes-beforehand.js';

/** Any number, the same in every replica. */
const MIGRATION_LOCK = 7_291_604;
const LOCK_PAUSE_MS = 200;

/** Requests queue behind a migration that waits for a table, so it gives up soon and lets them pass before it tries again. */
const TABLE_LOCK_TIMEOUT_MS = 200;
const TABLE_LOCK_PAUSE_MS = 500;
const TABLE_LOCK_WITHIN_MS = 600_000;

/** SQLSTATEs of a lock that was not to be had: in time, or at all, because its holder waits for the migration. */
const LOCK_FAILURES = ['55P03', '40P01'];

/** Brings the schema up to date while other replicas serve requests, and returns the names of the migrations that it ran. */
export async function migrate(
  dataSource: DataSource,
  databaseUrl: string,
  /** Whether connections belong to a transaction pooler, which passes them on with their settings. */
  isPooled = false,
): Promise<string[]> {
  const holder = await takeMigrationLock(databaseUrl);
  const runner = dataSource.createQueryRunner();
  try {
    const executor = new MigrationExecutor(dataSource, runner);
    const pending = await executor.getPendingMigrations();
    for (const migration of pending) {
      const run = () => executor.executeMigration(migration);
      if (migration.instance?.transaction === false) await withoutTimeouts(runner, isPooled, run);
      else {
        await withoutTimeouts(runner, isPooled, () => indexBeforehand(runner, migration));
        await retryLocks(() => inTransaction(runner, run));
      }
    }
    return pending.map(({ name }) => name);
  } finally {
    await runner.release();
    await holder.end();
  }
}

/**
 * Replicas that start together wait for each other on a lock that belongs to a transaction, so it is freed when its holder dies and
 * works through a transaction pooler. They ask for it again and again: CREATE INDEX CONCURRENTLY waits for every running statement
 * of others, so it would wait for ever for one that waits for this lock.
 */
async function takeMigrationLock(databaseUrl: string): Promise<Client> {
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  for (;;) {
    await holder.query('BEGIN');
    await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // Without a parameter, so that it is sent as a simple query: else its snapshot would stay open as long as the lock, and
    // CREATE INDEX CONCURRENTLY waits for those, too.
    const { rows } = await holder.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS taken`,
    );
    if (rows[0]?.taken === true) return holder;
    await holder.query('ROLLBACK');
    await sleep(LOCK_PAUSE_MS);
  }
}

/** Empty tables have nothing to wait for. */
async function indexBeforehand(runner: QueryRunner, { name }: Migration): Promise<void> {
  for (const index of (await INDEXES_BEFOREHAND[name]?.(runner)) ?? []) {
    const [{ filled }] = (await runner.query(`SELECT EXISTS (SELECT FROM ${index.table}) AS filled`)) as [
      { filled: boolean },
    ];
    if (filled) await createIndexConcurrently(runner, index);
  }
}

/**
 * To index a large table takes longer than any statement of a request may, and waits for the requests that run. PostgreSQL is told to
 * look now and then whether its client is still there: an index that nobody waits for any more would keep the next attempt waiting.
 */
async function withoutTimeouts(runner: QueryRunner, isPooled: boolean, work: () => Promise<unknown>): Promise<void> {
  if (isPooled) {
    await work();
    return;
  }
  const settings = { statement_timeout: '0', lock_timeout: '0', client_connection_check_interval: `'2s'` };
  for (const [name, value] of Object.entries(settings)) await runner.query(`SET ${name} = ${value}`);
  await work();
  for (const name of Object.keys(settings)) await runner.query(`RESET ${name}`);
}

async function inTransaction(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  await runner.startTransaction();
  try {
    await runner.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
    await keepWritersOut(runner);
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

/**
 * Takes the locks that a migration may need in the order in which requests take theirs, so that the two never wait for each other. A weaker
 * lock would let requests lock rows that they could not change any more. Readers go on. What the migration does after that takes a moment.
 */
async function keepWritersOut(runner: QueryRunner): Promise<void> {
  // Entities are listed with parents before their children, and a change of a record ends with its entry in history.
  const tables = runner.dataSource.entityMetadatas.map(({ tableName }) => tableName);
  for (const table of [...tables, 'history']) {
    const [{ exists }] = (await runner.query(`SELECT to_regclass('${table}') IS NOT NULL AS exists`)) as [
      { exists: boolean },
    ];
    if (exists) await runner.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  }
}

async function retryLocks(work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + TABLE_LOCK_WITHIN_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!LOCK_FAILURES.includes(code) || performance.now() > deadline) throw error;
      await sleep(TABLE_LOCK_PAUSE_MS * (0.5 + Math.random()));
    }
  }
}
