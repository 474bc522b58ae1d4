import type { Client } from 'pg';

interface Definition {
  readonly drop: string;
  readonly create: string;
}

/**
 * Does the work with the triggers of history switched off, because the work writes history itself, with authors and moments of
 * its own. Other writers to these tables wait until the transaction ends. Empty tables also go without indexes and
 * foreign keys: to make them once for all rows takes a fraction of the time. A failed transaction brings everything back.
 */
export async function withoutTriggersAndIndexes(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const filled = [...tables, 'history'];
  const dropped = await triggersOf(client, filled);
  if (await areEmpty(client, filled)) dropped.push(...(await indexesOf(client, filled)));
  for (const { drop } of dropped) await client.query(drop);
  await work();
  for (const { create } of dropped.toReversed()) await client.query(create);
}

async function areEmpty(client: Client, tables: readonly string[]): Promise<boolean> {
  const filled = tables.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ');
  const { rows } = await client.query<{ filled: boolean }>(`SELECT ${filled} AS filled`);
  return rows[0]?.filled === false;
}

async function triggersOf(client: Client, tables: readonly string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS drop,
            format('ALTER TABLE %s ENABLE TRIGGER %I', tgrelid::regclass, tgname) AS create
       FROM pg_trigger WHERE tgname LIKE '%\\_history' AND tgrelid = ANY ($1::regclass[])`,
    [tables],
  );
  return rows;
}

/**
 * Foreign keys come before indexes, so that they are dropped first and made last. Unique indexes stay, because they also check.
 * PostgreSQL describes the index of a partitioned table as ON ONLY that table; it is wanted on the partitions too.
 */
async function indexesOf(client: Client, tables: readonly string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
       FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::regclass[])
      UNION ALL
     SELECT format('DROP INDEX %s', indexrelid::regclass), replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
       FROM pg_index WHERE NOT indisunique AND indrelid = ANY ($1::regclass[])`,
    [tables],
  );
  return rows;
}
