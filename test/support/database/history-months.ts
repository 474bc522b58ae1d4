import type { Client } from 'pg';

/** Drops all prepared months, as if no service had run in time. */
export async function forgetMonths(sql: Client): Promise<void> {
  const { rows } = await sql.query<{ name: string }>(`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'history'::regclass AND inhrelid <> 'history_default'::regclass`);
  expect(rows).not.toHaveLength(0);
  await sql.query(`DROP TABLE ${rows.map(({ name }) => name).join(', ')}`);
}

/** Creates the partition of a record's latest entry. */
export async function prepareMonthOf(sql: Client, id: string): Promise<void> {
  const latest = 'SELECT max(changed_at) AS moment FROM history WHERE record_id = $1';
  const { rows } = await sql.query<{ moment: Date }>(latest, [id]);
  await sql.query('SELECT prepare_history($1, $1)', [rows[0]?.moment]);
}
