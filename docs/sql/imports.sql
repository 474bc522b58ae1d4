-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- imports_cf34dfa97e418adf
--   GET /v1/imports/{id}
--   a write with If-Match that does not match, to explain the 412
SELECT r.id, r.format::text, r.file_name::text, r.state::text, r.created_by::text, to_json(r.rows), to_json(r.to_create),
  to_json(r.to_change), to_json(r.created), to_json(r.changed), to_json(r.unchanged), to_json(r.refused),
  to_json(r.expires_at AT TIME ZONE 'UTC'), to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM imports r WHERE r.id = $1;

-- imports_827cd34c66952090
--   GET /v1/imports
SELECT r.id, r.format::text, r.file_name::text, r.state::text, r.created_by::text, to_json(r.rows), to_json(r.to_create),
  to_json(r.to_change), to_json(r.created), to_json(r.changed), to_json(r.unchanged), to_json(r.refused),
  to_json(r.expires_at AT TIME ZONE 'UTC'), to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM imports r WHERE true ORDER BY r.id DESC LIMIT 51;

-- imports_5c4aca0e1565ba56
--   GET /v1/imports?cursor={cursor}
SELECT r.id, r.format::text, r.file_name::text, r.state::text, r.created_by::text, to_json(r.rows), to_json(r.to_create),
  to_json(r.to_change), to_json(r.created), to_json(r.changed), to_json(r.unchanged), to_json(r.refused),
  to_json(r.expires_at AT TIME ZONE 'UTC'), to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM imports r WHERE (r.id) < ($1) ORDER BY r.id DESC LIMIT 51;

-- imports_c0416dc57f3a45ab
--   a record is created
INSERT INTO imports AS r (id, format, file_name, state, created_by, rows, to_create, to_change, created, changed, unchanged, refused, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
RETURNING r.id, r.format::text, r.file_name::text, r.state::text, r.created_by::text, to_json(r.rows), to_json(r.to_create),
  to_json(r.to_change), to_json(r.created), to_json(r.changed), to_json(r.unchanged), to_json(r.refused),
  to_json(r.expires_at AT TIME ZONE 'UTC'), to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC');

-- imports_9e4f02905f2ad6e2
--   a write with If-Match: the lock, if the version is this one
SELECT r.id, r.format::text, r.file_name::text, r.state::text, r.created_by::text, to_json(r.rows), to_json(r.to_create),
  to_json(r.to_change), to_json(r.created), to_json(r.changed), to_json(r.unchanged), to_json(r.refused),
  to_json(r.expires_at AT TIME ZONE 'UTC'), to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM imports r WHERE r.id = $1 AND etag_of(r.updated_at) = ANY ($2::text[]) FOR NO KEY UPDATE;

-- imports_dc69a0a921770fc8
--   a write with If-Match: *
SELECT r.id, r.format::text, r.file_name::text, r.state::text, r.created_by::text, to_json(r.rows), to_json(r.to_create),
  to_json(r.to_change), to_json(r.created), to_json(r.changed), to_json(r.unchanged), to_json(r.refused),
  to_json(r.expires_at AT TIME ZONE 'UTC'), to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM imports r WHERE r.id = $1 FOR NO KEY UPDATE;

-- imports_61a0589268e65832
--   PATCH or PUT of expiresAt
UPDATE imports AS r SET expires_at = $3
WHERE r.id = $1 AND r.updated_at = $2
RETURNING r.id, r.format::text, r.file_name::text, r.state::text, r.created_by::text, to_json(r.rows), to_json(r.to_create),
  to_json(r.to_change), to_json(r.created), to_json(r.changed), to_json(r.unchanged), to_json(r.refused),
  to_json(r.expires_at AT TIME ZONE 'UTC'), to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC');

-- imports_c60e39e040ac6852
--   DELETE
DELETE FROM imports WHERE id = $1 AND updated_at = $2 RETURNING id;

-- imports_459b7f3672de0138
--   a write whose COMMIT was not answered
SELECT r.id, r.format::text, r.file_name::text, r.state::text, r.created_by::text, to_json(r.rows), to_json(r.to_create),
  to_json(r.to_change), to_json(r.created), to_json(r.changed), to_json(r.unchanged), to_json(r.refused),
  to_json(r.expires_at AT TIME ZONE 'UTC'), to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM history h, jsonb_populate_record(NULL::imports, h.record) r
WHERE h.record_id = $1 AND h.transaction_id = $2::xid8 AND h.request_id = $3;

-- imports_1bd359ce80eba116
--   a read of a record that the service may have deleted
SELECT FROM history WHERE root_id = $1 AND record_id = $1 AND record_kind = 'import' LIMIT 1;

-- import_rows_insert
INSERT INTO import_rows (import_id, line, outcome, record_id, e_tag, sent, body, base, problem, current)
SELECT $1::uuid, r.* FROM json_to_recordset($2::json) AS r (
  line integer, outcome text, "recordID" uuid, "eTag" text, sent json, body json, base json, problem json, current json
);

-- import_rows_finish
--   Keeps the sent values of refused rows only.
UPDATE import_rows SET
  outcome = r.outcome, record_id = r."recordID", problem = r.problem, current = r.current,
  sent = CASE r.outcome WHEN 'refused' THEN import_rows.sent END
FROM json_to_recordset($2::json) AS r (line integer, outcome text, "recordID" uuid, problem json, current json)
WHERE import_id = $1 AND import_rows.line = r.line;

-- import_rows_after
SELECT
  line, outcome, record_id AS "recordID", e_tag AS "eTag", sent, body, base, problem, current, erased,
  (SELECT s.shipment_code FROM shipments s WHERE s.id = record_id) AS "shipmentCode"
FROM import_rows
WHERE import_id = $1 AND line > $2::bigint AND outcome = ANY ($3::text[]) ORDER BY line LIMIT $4;

-- import_rows_header
SELECT sent FROM import_rows WHERE import_id = $1 AND outcome = 'header' ORDER BY line LIMIT 1;

-- import_rows_delete
--   Deletes the next rows after the line $2 and returns the last of them, unless the import exists.
WITH step AS MATERIALIZED (
  SELECT max(line) AS last FROM (
    SELECT line FROM import_rows
    WHERE import_id = $1 AND line > $2 AND NOT EXISTS (SELECT FROM imports WHERE id = $1) ORDER BY line LIMIT 1000
  ) next
), deleted AS (
  DELETE FROM import_rows WHERE import_id = $1 AND line > $2 AND line <= (SELECT last FROM step)
)
SELECT last FROM step;

-- imports_stalled
--   Imports that have made no progress for a minute, with the user who applied them, from history. If that month was archived, no user is
--   named.
SELECT i.id, coalesce(asked."requestID", 'none') AS "requestID", coalesce(asked.caller, '{"subject": "imports"}') AS caller
FROM imports i
LEFT JOIN LATERAL (
  SELECT h.request_id AS "requestID",
    CASE WHEN h.subject IS NULL THEN json_build_object('subject', h.changed_by)
      ELSE json_build_object('subject', h.subject, 'name', h.changed_by) END AS caller
  FROM history h
  WHERE h.root_id = i.id AND h.record_kind = 'import' AND h.record ->> 'state' = 'applying'
  ORDER BY h.position LIMIT 1
) asked ON true
WHERE i.state = 'applying' AND i.updated_at < now() - interval '1 minute';

-- imports_expired
SELECT id FROM imports WHERE state <> 'applying' AND expires_at < now();

-- import_rows_left_behind
--   The ids of deleted imports and aborted uploads that still have rows: rows without an import, older than a day. An id begins with its
--   creation time. Each step of the recursion finds the next id in the index.
WITH RECURSIVE ids AS (
  (SELECT import_id FROM import_rows ORDER BY import_id LIMIT 1)
  UNION ALL
  SELECT (SELECT r.import_id FROM import_rows r WHERE r.import_id > ids.import_id ORDER BY r.import_id LIMIT 1)
  FROM ids WHERE ids.import_id IS NOT NULL
)
SELECT import_id AS id FROM ids
WHERE import_id IS NOT NULL AND NOT EXISTS (SELECT FROM imports WHERE id = import_id)
  AND left(replace(import_id::text, '-', ''), 12) < lpad(to_hex((extract(epoch FROM now() - interval '1 day') * 1000)::bigint), 12, '0');
