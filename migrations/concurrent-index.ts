import type { QueryRunner } from 'typeorm';

export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  /** The indexed columns, in parentheses, and any further clauses. */
  readonly key: string;
}

/**
 * Creates an index while its table is read and written. PostgreSQL does not allow that inside a transaction, so a migration that calls
 * this has `transaction = false` and does nothing else. If it is interrupted, PostgreSQL leaves an invalid index behind; the next attempt
 * drops it and starts again.
 */
export async function createIndexConcurrently(
  db: Pick<QueryRunner, 'query'>,
  { name, table, key }: ConcurrentIndex,
): Promise<void> {
  const [found] = (await db.query(
    `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('${name}')`,
  )) as [{ valid: boolean }?];
  if (found?.valid === true) return;
  if (found !== undefined) await db.query(`DROP INDEX CONCURRENTLY ${name}`);
  await db.query(`CREATE INDEX CONCURRENTLY ${name} ON ${table} ${key}`);
}
