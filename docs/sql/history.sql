-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- history_positions
--   The last position of history that was drawn, and the highest one in use; see the migration that creates the function.
SELECT drawn, highest FROM history_positions();

-- history_entries
--   The history entries of a root before a position, newest first: $1 root, $2 kinds, $3 limit, $4 position. `before` is the row that the change
--   replaced, and `hasBefore` says whether history has the entry of it.
SELECT h.position::text, h.type, h.record_kind AS resource, h.record_id AS "resourceID",
  encode(h.e_tag, 'hex') AS "eTag", h.changed_by AS "changedBy", coalesce(h.subject, h.changed_by) AS subject,
  iso_ms(h.changed_at) AS "changedAt", h.request_id AS "requestID", h.erased,
  h.record::text AS row, before.record::text AS before, before.position IS NOT NULL AS "hasBefore"
FROM history h
LEFT JOIN LATERAL (
  SELECT p.position, p.record FROM history p
  WHERE p.root_id = h.root_id AND p.record_id = h.record_id AND p.position < h.position AND p.type <> 'erased'
  ORDER BY p.position DESC LIMIT 1
) before ON h.type NOT IN ('created', 'restored') AND 
coalesce(
  (SELECT e.before_position IS NOT DISTINCT FROM before.position FROM events e WHERE e.position = h.position AND e.record_id = h.record_id),
  (
    SELECT e.position <= before.position FROM events e
    WHERE e.record_id = h.record_id AND e.type <> e.kind || '.erased' ORDER BY e.number + 0 DESC LIMIT 1
  ),
  true
)
WHERE h.root_id = $1 AND h.record_kind = ANY($2) AND h.position < $4
ORDER BY h.position DESC LIMIT $3;

-- history_last_change
--   Of the record $2 of kind $1: the version $3 of the time $4, and who replaced it by the version $5 of the time $6, the next one. With the times,
--   PostgreSQL looks into two months only.
SELECT base.record, newest.changed_by AS "changedBy", iso_ms(newest.changed_at) AS "changedAt"
FROM history base, history newest
WHERE base.record_kind = $1 AND base.record_id = $2 AND base.e_tag = $3 AND base.changed_at = $4
  AND newest.record_kind = $1 AND newest.record_id = $2 AND newest.e_tag = $5 AND newest.changed_at = $6;

-- history_changes_since
SELECT base.number, base.record, (
  SELECT json_object_agg(last.name, json_build_object('changedBy', last.changed_by, 'changedAt', iso_ms(last.changed_at)))
  FROM (
    SELECT DISTINCT ON (field.name) field.name, entry.changed_by, entry.changed_at
    FROM (
      SELECT h.*, bool_and(before ->> 'erased' IS DISTINCT FROM 'true' AND 
coalesce(
  (SELECT e.before_position IS NOT DISTINCT FROM h.before_position FROM events e
    WHERE e.position = h.position AND e.record_id = h.record_id),
  (
    SELECT e.position <= h.before_position FROM events e
    WHERE e.record_id = h.record_id AND e.type <> e.kind || '.erased' ORDER BY e.number + 0 DESC LIMIT 1
  ),
  true
))
        OVER (ORDER BY position DESC) AS is_last
      FROM (
        SELECT h.*, lead(record) OVER newer AS before, lead(position) OVER newer AS before_position
        FROM (
          SELECT record_id, position, record, changed_by, changed_at FROM history
          WHERE root_id = base.root_id AND record_id = base.record_id
            AND position BETWEEN base.position AND base.newest_position AND type <> 'erased'
          ORDER BY position DESC LIMIT 1001
        ) h
        WINDOW newer AS (ORDER BY position DESC)
      ) h
    ) entry
    JOIN unnest($6::text[]) AS field (name) ON base.record -> field.name IS DISTINCT FROM base.newest -> field.name
      AND entry.record -> field.name IS DISTINCT FROM entry.before -> field.name
    -- A deletion and a restoration change no values.
    WHERE entry.before IS NOT NULL AND is_last AND entry.record IS NOT NULL
    ORDER BY field.name, entry.position DESC
  ) last
) AS attributions
FROM (
  SELECT DISTINCT ON (named.number) named.number, named.record_id, h.root_id, h.position, h.record,
    newest.position AS newest_position, newest.record AS newest
  FROM unnest($2::uuid[], $3::bytea[], $4::bytea[], $5::int[], $7::timestamptz[])
    AS named (record_id, e_tag, newest_e_tag, number, newest_at)
  CROSS JOIN LATERAL (
    SELECT root_id, position, record FROM history
    WHERE record_id = named.record_id AND record_kind = $1 AND e_tag = named.e_tag AND changed_at < named.newest_at
    LIMIT 1
  ) h
  -- Its entry may be archived, too. Then nobody is known to have made the changes.
  LEFT JOIN LATERAL (
    SELECT position, record FROM history
    WHERE record_id = named.record_id AND record_kind = $1 AND e_tag = named.newest_e_tag
    LIMIT 1
  ) newest ON true
  ORDER BY named.number, h.position DESC
) base;

-- history_changes_since_each
SELECT base.number, base.record, (
  SELECT json_object_agg(last.name, json_build_object('changedBy', last.changed_by, 'changedAt', iso_ms(last.changed_at)))
  FROM (
    SELECT DISTINCT ON (field.name) field.name, entry.changed_by, entry.changed_at
    FROM (
      SELECT h.*, bool_and(before ->> 'erased' IS DISTINCT FROM 'true' AND 
coalesce(
  (SELECT e.before_position IS NOT DISTINCT FROM h.before_position FROM events e
    WHERE e.position = h.position AND e.record_id = h.record_id),
  (
    SELECT e.position <= h.before_position FROM events e
    WHERE e.record_id = h.record_id AND e.type <> e.kind || '.erased' ORDER BY e.number + 0 DESC LIMIT 1
  ),
  true
))
        OVER (ORDER BY position DESC) AS is_last
      FROM (
        SELECT h.*, lead(record) OVER newer AS before, lead(position) OVER newer AS before_position
        FROM (
          SELECT record_id, position, record, changed_by, changed_at FROM history
          WHERE root_id = base.root_id AND record_id = base.record_id
            AND position BETWEEN base.position AND base.newest_position AND type <> 'erased'
          ORDER BY position DESC LIMIT 101
        ) h
        WINDOW newer AS (ORDER BY position DESC)
      ) h
    ) entry
    JOIN unnest($6::text[]) AS field (name) ON base.record -> field.name IS DISTINCT FROM base.newest -> field.name
      AND entry.record -> field.name IS DISTINCT FROM entry.before -> field.name
    -- A deletion and a restoration change no values.
    WHERE entry.before IS NOT NULL AND is_last AND entry.record IS NOT NULL
    ORDER BY field.name, entry.position DESC
  ) last
) AS attributions
FROM (
  SELECT DISTINCT ON (named.number) named.number, named.record_id, h.root_id, h.position, h.record,
    newest.position AS newest_position, newest.record AS newest
  FROM unnest($2::uuid[], $3::bytea[], $4::bytea[], $5::int[], $7::timestamptz[])
    AS named (record_id, e_tag, newest_e_tag, number, newest_at)
  CROSS JOIN LATERAL (
    SELECT root_id, position, record FROM history
    WHERE record_id = named.record_id AND record_kind = $1 AND e_tag = named.e_tag AND changed_at < named.newest_at
    LIMIT 1
  ) h
  -- Its entry may be archived, too. Then nobody is known to have made the changes.
  LEFT JOIN LATERAL (
    SELECT position, record FROM history
    WHERE record_id = named.record_id AND record_kind = $1 AND e_tag = named.newest_e_tag
    LIMIT 1
  ) newest ON true
  ORDER BY named.number, h.position DESC
) base;

-- history_prepare_months
--   Creates the history partitions of the coming months, so that whole months can be archived.
SELECT prepare_months_ahead();
