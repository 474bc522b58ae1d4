import type { Client } from 'pg';
import { AUTHOR, ERASED_AUTHOR, ERASED_CREATOR, HAS_FORMER_VALUES, REDACTED_RECORD } from './redaction.js';

/**
 * Applies all recorded erasures to a month that is being restored, in the same transaction: its file may contain data that was erased
 * after it was written. Returns the number of erased entries.
 */
export async function applyErasures(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM erasures LIMIT 1');
  if (rows[0] === undefined) return 0;
  await client.query(`SELECT set_config('waybill.erasure', $1, true)`, [rows[0].id]);
  const values = await client.query(
    `UPDATE ${table} h SET record = ${REDACTED_RECORD}, erased = true
     WHERE ${HAS_FORMER_VALUES} AND EXISTS (
       SELECT FROM erasures e WHERE e.record_id IN (h.root_id, h.record_id) AND h.position <= e.until_position
     )`,
  );
  const { rows: authors } = await client.query<{ author: string; until: string }>(
    `SELECT author, max(e.until_position)::text AS until
     FROM (SELECT DISTINCT ${AUTHOR} AS author FROM ${table} h) authors
     JOIN erasures e ON e.subject_digest = sha256(e.subject_salt || convert_to(author, 'UTF8')) GROUP BY author`,
  );
  let count = values.rowCount ?? 0;
  for (const { author, until } of authors) {
    const isErased = `${AUTHOR} = $1 AND h.position <= $2`;
    await client.query(
      `UPDATE ${table} h SET ${ERASED_CREATOR}
       WHERE h.record ->> 'created_by' <> 'erased' AND h.root_id IN (
         SELECT h.root_id FROM ${table} h WHERE h.record_kind = 'import' AND h.type = 'created' AND ${isErased}
       )`,
      [author, until],
    );
    const { rowCount } = await client.query(`UPDATE ${table} h SET ${ERASED_AUTHOR} WHERE ${isErased}`, [
      author,
      until,
    ]);
    count += rowCount ?? 0;
  }
  return count;
}
