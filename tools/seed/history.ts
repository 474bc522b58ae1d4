import type { Client } from 'pg';
import { VERSION_COLUMNS, type TableCopy } from './copy.js';

/** Writes the entries that the triggers would have written, had each version been stored at its own moment: in order of time. */
export async function writeHistory(client: Client, tables: readonly TableCopy[]): Promise<void> {
  await client.query(`
    INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, request_id, changed_at)
    SELECT * FROM (${tables.map(entriesOf).join(' UNION ALL ')}) entries
    ORDER BY changed_at, record_id
  `);
}

/** The history of a shipment also shows its agents and services. */
function entriesOf({ name, versions }: TableCopy): string {
  const root = name === 'agents' || name === 'services' ? 'shipment_id' : 'id';
  return `
    SELECT ${root} AS root_id, '${name.slice(0, -1)}' AS record_kind, id AS record_id, version_type AS type,
      decode(etag_of(updated_at), 'hex') AS e_tag,
      jsonb_strip_nulls(to_jsonb(version) - '{${VERSION_COLUMNS.join(',')}}'::text[]) AS record,
      changed_by, request_id, updated_at AS changed_at
    FROM ${versions} version`;
}
