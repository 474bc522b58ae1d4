import type { Client } from 'pg';
import { Import } from '../../src/model/import.entity.js';
import { ERASED_ENTRY, type ErasedEntry } from './markers.js';
import { ERASED, TABLES_WITH_CREATOR, tableOf } from './redaction.js';

const KINDS = [...TABLES_WITH_CREATOR.keys()].map((kind) => `'${kind}'`).join(', ');

/**
 * Whether the creator in an entry `h` of a record is to be erased. The entry of the creation decides; if its month is archived, the name
 * does. `isErased` is the condition for the entry `c` of the creation, and `isNamed` for a name.
 */
export function hasErasedCreator(isErased: string, isNamed: (name: string) => string): string {
  return `(h.record_kind IN (${KINDS}) AND h.record ->> 'created_by' <> '${ERASED}'
    AND ${ofCreation('h.record_id', isErased, isNamed(`h.record ->> 'created_by'`))})`;
}

/**
 * Erases the creators in all entries of these records, in whatever month, and in the records. Locks each record first, so that no entry
 * with the name can follow. Returns the entries.
 */
export async function eraseCreators(client: Client, ids: readonly string[]): Promise<ErasedEntry[]> {
  if (ids.length === 0) return [];
  for (const table of TABLES_WITH_CREATOR.values()) {
    // People name files after themselves.
    const fileName = table === tableOf(Import) ? ', file_name = NULL' : '';
    await client.query(
      `UPDATE ${table} SET created_by = '${ERASED}'${fileName} WHERE id = ANY ($1::uuid[]) AND created_by <> '${ERASED}'`,
      [ids],
    );
  }
  const { rows } = await client.query<ErasedEntry>(
    `UPDATE history h SET record = jsonb_set(h.record - 'file_name', '{created_by}', '"${ERASED}"'), erased = true
     WHERE h.root_id = ANY ($1::uuid[]) AND h.record_kind IN (${KINDS}) AND h.record ->> 'created_by' <> '${ERASED}'
     RETURNING ${ERASED_ENTRY}`,
    [ids],
  );
  return rows;
}

/** The records whose creator is to be erased although none of their entries is left. */
export async function recordsOfCreator(
  client: Client,
  isErased: string,
  isNamed: (name: string) => string,
): Promise<string[]> {
  const ids: string[] = [];
  for (const table of TABLES_WITH_CREATOR.values()) {
    const { rows } = await client.query<{ id: string }>(
      `SELECT r.id FROM ${table} r WHERE r.created_by <> '${ERASED}' AND ${ofCreation('r.id', isErased, isNamed('r.created_by'))}`,
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

function ofCreation(id: string, isErased: string, isNamed: string): string {
  return `coalesce((
    SELECT c.changed_by = '${ERASED}' OR (${isErased}) FROM history c WHERE c.root_id = ${id} AND c.record_id = ${id} AND c.type = 'created' LIMIT 1
  ), ${isNamed})`;
}
