-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- events_number
--   Numbers the visible history entries; see the migration that creates the function.
SELECT number_events() AS numbered;

-- events_after
--   At most $2 of the events after number $1 that match the filter $3 to $6, with their entries of history. The row also has the positions of the
--   event $1 and of the last examined event. Numbers are consecutive, so a range of numbers bounds the examined events.
    WITH page AS MATERIALIZED (
      SELECT e.* FROM events e
      WHERE e.number > $1::bigint AND e.number <= $1::bigint + 5000 AND 
        ($3::text[] IS NULL OR e.kind = ANY ($3::text[]))
        AND ($4::text[] IS NULL OR e.type = ANY ($4::text[]))
        AND ($5::uuid IS NULL OR e.record_id = $5::uuid OR e.root_id = $5::uuid)
        AND ($6::uuid IS NULL OR e.move_id = $6::uuid)
      ORDER BY e.number LIMIT $2
    )
    SELECT
      (SELECT e.number || '.' || encode(e.seal, 'hex') FROM events e WHERE e.number = $1::bigint) AS at,
      (SELECT e.number || '.' || encode(e.seal, 'hex') FROM events e WHERE e.number <= $1::bigint + 5000
        ORDER BY e.number DESC LIMIT 1) AS last,
      (SELECT string_agg(concat(e.number, E'	', encode(e.seal, 'hex'), E'	', e.kind, E'	', e.type, E'	', e.record_id, E'	', e.root_id, E'	', e.move_id, E'	',
        to_json(e.moment AT TIME ZONE 'UTC'), E'	', e.position, E'	', e.before_position), E'
') FROM page e) AS events,
      (
        SELECT string_agg(concat(h.position, E'	', h.record_id, E'	', h.type, E'	', encode(h.e_tag, 'hex'), E'	',
          to_json(h.changed_by), E'	', to_json(h.request_id), E'	', CASE WHEN h.erased THEN 'true' END, E'	', h.record), E'
') FROM history h
        WHERE h.position + 0 = ANY (ARRAY(SELECT position FROM page UNION ALL SELECT before_position FROM page))
          AND h.changed_at >= (SELECT min(least(moment, before_moment)) FROM page)
          AND h.changed_at <= (SELECT max(greatest(moment, before_moment)) FROM page)
      ) AS entries;

-- events_numbered
--   The events with the numbers $1, in any order, in the same form.
    WITH page AS MATERIALIZED (SELECT * FROM events WHERE number = ANY ($1::bigint[]))
    SELECT 
      (SELECT string_agg(concat(e.number, E'	', encode(e.seal, 'hex'), E'	', e.kind, E'	', e.type, E'	', e.record_id, E'	', e.root_id, E'	', e.move_id, E'	',
        to_json(e.moment AT TIME ZONE 'UTC'), E'	', e.position, E'	', e.before_position), E'
') FROM page e) AS events,
      (
        SELECT string_agg(concat(h.position, E'	', h.record_id, E'	', h.type, E'	', encode(h.e_tag, 'hex'), E'	',
          to_json(h.changed_by), E'	', to_json(h.request_id), E'	', CASE WHEN h.erased THEN 'true' END, E'	', h.record), E'
') FROM history h
        WHERE h.position + 0 = ANY (ARRAY(SELECT position FROM page UNION ALL SELECT before_position FROM page))
          AND h.changed_at >= (SELECT min(least(moment, before_moment)) FROM page)
          AND h.changed_at <= (SELECT max(greatest(moment, before_moment)) FROM page)
      ) AS entries;

-- events_newest
SELECT e.number || '.' || encode(e.seal, 'hex') AS place FROM events e ORDER BY e.number DESC LIMIT 1;

-- events_before_oldest
--   The event before the oldest one after which nothing is missing. Months are archived as a whole, so the last event of each month shows
--   whether the month is present. Everything before a missing month counts as missing.
WITH RECURSIVE last_of_month AS (
  (SELECT date_trunc('month', moment AT TIME ZONE 'UTC') AS month, number FROM events
    ORDER BY date_trunc('month', moment AT TIME ZONE 'UTC') DESC, number DESC LIMIT 1)
  UNION ALL
  SELECT earlier.month, earlier.number
  FROM last_of_month later, LATERAL (
    SELECT date_trunc('month', moment AT TIME ZONE 'UTC') AS month, number FROM events
    WHERE date_trunc('month', moment AT TIME ZONE 'UTC') < later.month
      ORDER BY date_trunc('month', moment AT TIME ZONE 'UTC') DESC, number DESC LIMIT 1
  ) earlier
)
SELECT e.number || '.' || encode(e.seal, 'hex') AS place FROM events e
WHERE e.number = coalesce((
  SELECT max(gone.number) FROM last_of_month JOIN events gone USING (number)
  WHERE gone.number > 0 AND NOT EXISTS (SELECT FROM history h
    WHERE h.root_id = gone.root_id AND h.position = gone.position AND h.changed_at = gone.moment)
), 0);

-- events_before_first_kept
--   The event before the oldest one that is kept. Until a month has been archived, that is the one before the first event. After that, the first
--   event of each month shows whether the month is present. Where it is missing, the month may have got entries after it was archived: the first
--   of those counts.
WITH RECURSIVE first_of_month AS (
  (SELECT date_trunc('month', moment AT TIME ZONE 'UTC') AS month, number, root_id, position, moment FROM events WHERE number > 0
    ORDER BY date_trunc('month', moment AT TIME ZONE 'UTC'), number LIMIT 1)
  UNION ALL
  SELECT later.*
  FROM first_of_month earlier, LATERAL (
    SELECT date_trunc('month', moment AT TIME ZONE 'UTC') AS month, number, root_id, position, moment FROM events
    WHERE date_trunc('month', moment AT TIME ZONE 'UTC') > earlier.month AND number > 0
      ORDER BY date_trunc('month', moment AT TIME ZONE 'UTC'), number LIMIT 1
  ) later
)
SELECT e.number || '.' || encode(e.seal, 'hex') AS place FROM events e
WHERE e.number = coalesce((SELECT 0 FROM events one WHERE one.number = 1 AND EXISTS (SELECT FROM history h
  WHERE h.root_id = one.root_id AND h.position = one.position AND h.changed_at = one.moment)), (
  SELECT min(CASE
    WHEN EXISTS (SELECT FROM history h WHERE h.root_id = f.root_id AND h.position = f.position AND h.changed_at = f.moment) THEN f.number
    ELSE (
      SELECT later.number FROM events later WHERE later.position = (
        SELECT h.position FROM history h
        WHERE h.changed_at >= f.month AT TIME ZONE 'UTC' AND h.changed_at < (f.month + interval '1 month') AT TIME ZONE 'UTC'
        ORDER BY h.position + 0 LIMIT 1
      )
    )
  END) - 1 FROM first_of_month f
), (SELECT max(number) FROM events));

-- events_numbering
--   The newest number, the number of known gaps, and the ages of the oldest unnumbered entry and of the oldest event that search lacks; and how many of the newest entries numbering will never find.
SELECT newest.number::text AS head, coalesce(jsonb_array_length(newest.gaps), 0) AS gaps,
  coalesce(extract(epoch FROM clock_timestamp() - waiting.changed_at), 0)::float8 AS "unnumberedSeconds",
  coalesce(extract(epoch FROM clock_timestamp() - unindexed.moment), 0)::float8 AS "unindexedSeconds",
  newest.number - search_progress.number AS "unindexedEvents",
  lost.count AS lost
FROM (SELECT number, gaps FROM events ORDER BY number DESC LIMIT 1) newest
LEFT JOIN LATERAL (
  (
    SELECT h.changed_at FROM history h
    WHERE h.position + 0 > (SELECT max(position) FROM events) ORDER BY h.position + 0 LIMIT 1
  )
  UNION ALL
  SELECT h.changed_at FROM jsonb_to_recordset(newest.gaps) AS gap (missing int8range)
  JOIN history h ON h.position + 0 >= lower(missing) AND h.position + 0 < upper(missing)
  ORDER BY changed_at LIMIT 1
) waiting ON true
CROSS JOIN search_progress
LEFT JOIN events unindexed ON unindexed.number = search_progress.number + 1
CROSS JOIN LATERAL (
  SELECT count(*)::int FROM (
    SELECT least(drawn, (SELECT max(position) FROM events)) AS position FROM history_positions() LIMIT 1
  ) last
  JOIN history h ON h.position + 0 > last.position - 1000 AND h.position + 0 <= last.position
  WHERE NOT EXISTS (SELECT FROM events e WHERE e.position = h.position AND e.record_id = h.record_id)
    AND NOT EXISTS (SELECT FROM jsonb_to_recordset(newest.gaps) AS gap (missing int8range) WHERE missing @> h.position)
) lost;

-- search_index_words
SELECT index_words() AS indexed;
