import type { Statement } from '../database/statement.js';

const STORED = `line integer, outcome text, "recordID" uuid, "eTag" text, sent json, body json, base json, problem json, current json`;

const SHOWN = `line, outcome, record_id AS "recordID", e_tag AS "eTag", sent, body, base, problem, current, erased`;

/** Adds the rows $2 to the import $1. */
export const INSERT_ROWS: Statement = {
  name: 'import_rows_insert',
  text: `
    INSERT INTO import_rows (import_id, line, outcome, record_id, e_tag, sent, body, base, problem, current)
    SELECT $1::uuid, r.* FROM json_to_recordset($2::json) AS r (${STORED})`,
};

/** Stores the outcomes of the rows $2 of the import $1. Keeps the sent values of refused rows only. */
export const FINISH_ROWS: Statement = {
  name: 'import_rows_finish',
  text: `
    UPDATE import_rows SET
      outcome = r.outcome, record_id = r."recordID", problem = r.problem, current = r.current,
      sent = CASE r.outcome WHEN 'refused' THEN import_rows.sent END
    FROM json_to_recordset($2::json) AS r (line integer, outcome text, "recordID" uuid, problem json, current json)
    WHERE import_id = $1 AND import_rows.line = r.line`,
};

/** The rows of the import $1 after line $2 with one of the outcomes $3, at most $4. */
export const ROWS_AFTER: Statement = {
  name: 'import_rows_after',
  text: `
    SELECT ${SHOWN} FROM import_rows
    WHERE import_id = $1 AND line > $2::bigint AND outcome = ANY ($3::text[]) ORDER BY line LIMIT $4`,
};

/** The header of the import $1, if its file has one. */
export const HEADER: Statement = {
  name: 'import_rows_header',
  text: `SELECT sent FROM import_rows WHERE import_id = $1 AND outcome = 'header' ORDER BY line LIMIT 1`,
};

/** Deletes the rows that were stored for the import $1, unless it exists. */
export const DELETE_ROWS: Statement = {
  name: 'import_rows_delete',
  text: 'DELETE FROM import_rows WHERE import_id = $1 AND NOT EXISTS (SELECT FROM imports WHERE id = $1)',
};

/**
 * The ids of deleted imports and aborted uploads that still have rows: rows without an import, older than a day. An id begins with its
 * creation time. Each step of the recursion finds the next id in the index.
 */
export const ROWS_LEFT_BEHIND: Statement = {
  name: 'import_rows_left_behind',
  text: `
    WITH RECURSIVE ids AS (
      (SELECT import_id FROM import_rows ORDER BY import_id LIMIT 1)
      UNION ALL
      SELECT (SELECT r.import_id FROM import_rows r WHERE r.import_id > ids.import_id ORDER BY r.import_id LIMIT 1)
      FROM ids WHERE ids.import_id IS NOT NULL
    )
    SELECT import_id AS id FROM ids
    WHERE import_id IS NOT NULL AND NOT EXISTS (SELECT FROM imports WHERE id = import_id)
      AND left(replace(import_id::text, '-', ''), 12) < lpad(to_hex((extract(epoch FROM now() - interval '1 day') * 1000)::bigint), 12, '0')`,
};

export const EXPIRED: Statement = {
  name: 'imports_expired',
  text: 'SELECT id FROM imports WHERE expires_at < now()',
};

/** Imports that have made no progress for a minute, with the user who applied them, from history. */
export const STALLED: Statement = {
  name: 'imports_stalled',
  text: `
    SELECT i.id, asked.subject, asked.name, asked.request_id AS "requestID"
    FROM imports i
    CROSS JOIN LATERAL (
      SELECT coalesce(h.subject, h.changed_by) AS subject, CASE WHEN h.subject IS NOT NULL THEN h.changed_by END AS name,
        coalesce(h.request_id, 'none') AS request_id
      FROM history h
      WHERE h.root_id = i.id AND h.record_kind = 'import' AND h.record ->> 'state' = 'applying'
      ORDER BY h.position LIMIT 1
    ) asked
    WHERE i.state = 'applying' AND i.updated_at < now() - interval '1 minute'`,
};
