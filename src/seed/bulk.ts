import type { Client } from 'pg';

interface Definition {
  readonly drop: string;
  readonly create: string;
}

/**
 * Does the work with indexes, foreign keys and history taken away, and makes them afterwards: once for all rows takes a
 * fraction of the time that it takes row by row. Belongs into a transaction, which brings everything back when the work
 * fails. Nobody else can use the tables meanwhile, so this is only done while they are empty.
 */
export async function withoutUpkeep(
  client: Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const filled = [...tables, 'history'];
  if (!(await areEmpty(client, filled))) return work();
  const upkeep = await upkeepOf(client, filled);
  for (const { drop } of upkeep) await client.query(drop);
  await work();
  for (const table of tables) await client.query(historyOf(table));
  for (const { create } of upkeep.toReversed()) await client.query(create);
}

async function areEmpty(client: Client, tables: readonly string[]): Promise<boolean> {
  const filled = tables.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ');
  const { rows } = await client.query<{ filled: boolean }>(`SELECT ${filled} AS filled`);
  return rows[0]?.filled === false;
}

/**
 * Foreign keys stand before indexes, so that they are dropped first and made last. What is unique stays, for it also checks;
 * so do the triggers that are not for history. An index of a table in parts is described as one of the whole ONLY, and is
 * wanted on its parts.
 */
async function upkeepOf(client: Client, tables: readonly string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS drop,
            format('ALTER TABLE %s ENABLE TRIGGER %I', tgrelid::regclass, tgname) AS create
       FROM pg_trigger WHERE tgname LIKE '%\\_history' AND tgrelid = ANY ($1::regclass[])
      UNION ALL
     SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::regclass[])
      UNION ALL
     SELECT format('DROP INDEX %s', indexrelid::regclass), replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
       FROM pg_index WHERE NOT indisunique AND indrelid = ANY ($1::regclass[])`,
    [tables],
  );
  return rows;
}

/** What the triggers would have kept. A history is shown by the record it belongs to: that of an agent, by its shipment. */
function historyOf(table: string): string {
  const root = table === 'agents' || table === 'services' ? 'shipment_id' : 'id';
  return `
    INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, request_id, changed_at)
    SELECT ${root}, '${table.slice(0, -1)}', id, 'created', decode(etag_of(updated_at), 'hex'),
      jsonb_strip_nulls(to_jsonb(r)), 'seed', 'seed', updated_at
    FROM ${table} r ORDER BY updated_at`;
}
