import type { Client } from 'pg';

interface Definition {
  readonly name: string;
  readonly definition: string;
}

/** Drops the indexes during `work` and recreates them afterwards, which is much faster than updating them row by row. */
export async function withoutIndexes(sql: Client, work: () => Promise<void>): Promise<void> {
  // On a partitioned table PostgreSQL writes ONLY, which would skip the partitions.
  const { rows } = await sql.query<Definition>(`
    SELECT indexrelid::regclass AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = 'public'::regnamespace AND NOT indisunique AND NOT relispartition`);
  for (const { name } of rows) await sql.query(`DROP INDEX ${name}`);
  await work();
  for (const { definition } of rows) await sql.query(definition);
}
