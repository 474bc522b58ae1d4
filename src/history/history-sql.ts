import type { Statement } from '../database/statement.js';

const COLUMNS = `
  h.position::text, h.record_kind AS kind, h.record_id AS "recordID", h.type, encode(h.e_tag, 'hex') AS "eTag",
  h.changed_by AS "changedBy", iso_ms(h.changed_at) AS "changedAt", h.request_id AS "requestID", h.record`;

/** The entries under a root with, for each, the same record as it was before; $1 root, $2 kinds, $3 limit. */
function entries(condition: string): string {
  return `
    SELECT ${COLUMNS}, before.record AS before
    FROM history h
    LEFT JOIN LATERAL (
      SELECT p.record FROM history p
      WHERE p.root_id = h.root_id AND p.record_id = h.record_id AND p.position < h.position
      ORDER BY p.position DESC LIMIT 1
    ) before ON h.type <> 'created'
    WHERE h.root_id = $1 AND h.record_kind = ANY($2) ${condition}
    ORDER BY h.position DESC LIMIT $3`;
}

export const ENTRIES: Statement = { name: 'history_entries', text: entries('') };

export const ENTRIES_BEFORE: Statement = { name: 'history_entries_before', text: entries('AND h.position < $4') };

export const VERSION_AMONG: Statement = {
  name: 'history_version_among',
  text: `
    SELECT root_id AS "rootID", position::text, record FROM history
    WHERE record_id = $1 AND e_tag = ANY ($2::bytea[])
    ORDER BY position DESC LIMIT 1`,
};

/** The changes of a record after a position, newest first, a bounded number at a time. */
export const ENTRIES_SINCE: Statement = {
  name: 'history_entries_since',
  text: `
    SELECT ${COLUMNS} FROM history h
    WHERE h.root_id = $1 AND h.record_id = $2 AND h.position > $3 AND h.position < coalesce($4::bigint, 9223372036854775807)
    ORDER BY h.position DESC LIMIT 100`,
};
