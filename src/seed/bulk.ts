import type { Client } from 'pg';

interface Definition {
  readonly drop: string;
  readonly create: string;
}

/**
 * Does the work with indexes and foreign keys taken away, and puts them back: to make them once for all rows takes a fraction of the
 * time that it takes row by row. Belongs into a transaction, which brings them back when the work fails. Nobody else can use the
 * tables meanwhile, so this is only done while they are empty.
 */
export async function withoutUpkeep(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const upkeep = (await areEmpty(client, tables)) ? await upkeepOf(client, tables) : [];
  for (const { drop } of upkeep) await client.query(drop);
  await work();
  for (const { create } of upkeep.toReversed()) await client.query(create);
}

async function areEmpty(client: Client, tables: readonly string[]): Promise<boolean> {
  const filled = tables.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ');
  const { rows } = await client.query<{ filled: boolean }>(`SELECT ${filled} AS filled`);
  return rows[0]?.filled === false;
}

/** Foreign keys stand first, so that they are dropped first and made last. What is unique stays, for it also checks. */
async function upkeepOf(client: Client, tables: readonly string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
       FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::regclass[])
      UNION ALL
     SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
       FROM pg_index WHERE NOT indisunique AND indrelid = ANY ($1::regclass[])`,
    [tables],
  );
  return rows;
}
