import type { Client } from 'pg';
import { ERASED_ENTRY, type ErasedEntry } from './markers.js';

/** The imports with rows of a record. */
const importsOf = (recordID: string) => `SELECT import_id FROM import_rows WHERE record_id = ${recordID}`;

/** Whether entry `h` has the file name of an import, which is the record or has rows of it. */
export const hasFileName = (recordID: string) =>
  `(h.root_id = ANY (ARRAY(SELECT ${recordID}::uuid UNION ${importsOf(recordID)})) AND h.record ? 'file_name')`;

/**
 * Erases the file names of an import, or of the imports with rows of a record: people name files after people. Locks the imports first, so that
 * no entry with the name can follow. Returns the entries.
 */
export async function eraseFileNames(client: Client, recordID: string): Promise<ErasedEntry[]> {
  const { rows: imports } = await client.query<{ id: string }>(
    `SELECT id FROM imports WHERE file_name IS NOT NULL AND (id = $1 OR id IN (${importsOf('$1')})) ORDER BY id FOR NO KEY UPDATE`,
    [recordID],
  );
  const ids = imports.map(({ id }) => id);
  await client.query('UPDATE imports SET file_name = NULL WHERE id = ANY ($1::uuid[])', [ids]);
  const { rows } = await client.query<ErasedEntry>(
    `UPDATE history h SET record = h.record - 'file_name', erased = true
     WHERE h.root_id = ANY ($1::uuid[]) AND h.record ? 'file_name' RETURNING ${ERASED_ENTRY}`,
    // The entries of the record itself are erased with all their values.
    [ids.filter((id) => id !== recordID)],
  );
  return rows;
}

/** Erases the file names in stored responses of imports whose file name is erased. */
export async function eraseFileNamesInResponses(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE idempotency_keys SET body = regexp_replace(body, '"fileName":"([^"\\\\]|\\\\.)*"', '"fileName":null')
     WHERE position('"fileName":"' IN body) > 0
       AND EXISTS (SELECT FROM imports i WHERE i.file_name IS NULL AND position('"id":"' || i.id || '"' IN body) > 0)`,
  );
  return rowCount ?? 0;
}
