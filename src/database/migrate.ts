import { Client } from 'pg';
import type { DataSource } from 'typeorm';

/** Any number, the same in every replica. */
const MIGRATION_LOCK = 7_291_604;

/**
 * Brings the schema up to date. Replicas that start together wait for each other on a lock that belongs to a transaction,
 * so it is freed when its holder dies and works through a transaction pooler.
 */
export async function migrate(dataSource: DataSource, databaseUrl: string): Promise<string[]> {
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(
      'SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
    );
    await holder.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map((migration) => migration.name);
  } finally {
    await holder.end();
  }
}
