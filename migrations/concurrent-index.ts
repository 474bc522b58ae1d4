import type { QueryRunner } from 'typeorm';

/**
 * Creates an index while its table is read and written. PostgreSQL does not allow that inside a transaction, so a migration that calls
 * this has `transaction = false` and does nothing else. If it is interrupted, PostgreSQL leaves an invalid index behind; the next attempt
 * drops it and starts again. `target` is the table with the indexed columns in parentheses, and any further clauses.
 */
export async function createIndexConcurrently(db: QueryRunner, name: string, target: string): Promise<void> {
  const [found] = (await db.query(
    `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('${name}')`,
  )) as [{ valid: boolean }?];
  if (found?.valid === true) return;
  if (found !== undefined) await db.query(`DROP INDEX CONCURRENTLY ${name}`);
  await db.query(`CREATE INDEX CONCURRENTLY ${name} ON ${target}`);
}
