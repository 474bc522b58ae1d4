import type { Statement } from '../database/statement.js';

const COLUMNS = `
  h.position::text, h.record_kind AS kind, h.record_id AS "recordID", h.type, encode(h.e_tag, 'hex') AS "eTag",
  h.changed_by AS "changedBy", coalesce(h.subject, h.changed_by) AS subject, iso_ms(h.changed_at) AS "changedAt",
  h.request_id AS "requestID", h.record`;

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

/** The newest of the versions $3 that the record $2 of kind $1 had before its version $4. */
export const VERSION_AMONG: Statement = {
  name: 'history_version_among',
  text: `
    SELECT h.root_id AS "rootID", h.position::text, newest.position::text AS "newestPosition", h.record
    FROM history h, history newest
    WHERE h.record_id = $2 AND h.record_kind = $1 AND h.e_tag = ANY ($3::bytea[])
      AND newest.record_id = $2 AND newest.e_tag = $4 AND h.position < newest.position
    ORDER BY h.position DESC LIMIT 1`,
};

/** How many changes are looked through for the last one of each field. */
const CHANGES_SEARCHED = 1000;

/** For each of the columns $5 of the record $2, the last change of it between the positions $3 and $4. */
export const LAST_CHANGES: Statement = {
  name: 'history_last_changes',
  text: `
    SELECT DISTINCT ON (field.name) field.name AS "column", "changedBy", "changedAt"
    FROM (
      SELECT h.position, h.changed_by AS "changedBy", iso_ms(h.changed_at) AS "changedAt", h.record,
        lead(h.record) OVER (ORDER BY h.position DESC) AS before
      FROM (
        SELECT * FROM history
        WHERE root_id = $1 AND record_id = $2 AND position BETWEEN $3::bigint AND $4::bigint
        ORDER BY position DESC LIMIT ${CHANGES_SEARCHED + 1}
      ) h
    ) entry
    JOIN unnest($5::text[]) AS field (name) ON entry.record -> field.name IS DISTINCT FROM entry.before -> field.name
    WHERE entry.before IS NOT NULL
    ORDER BY field.name, entry.position DESC`,
};
