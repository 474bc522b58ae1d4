import type { QueryRunner } from 'typeorm';

export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  /** What is indexed, in parentheses, and what may follow them. */
  readonly key: string;
}

/**
 * Makes an index while its table is read and written. PostgreSQL does not do that inside a transaction, so a migration that calls
 * this has `transaction = false` and does nothing else. When it is broken off, PostgreSQL leaves an index that it keeps up to date
 * but never uses; the next attempt drops that one and begins again.
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
