-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- moves_89b0bda07cf00df7
--   GET /v1/moves/{id}
--   a write with If-Match that does not match, to explain the 412
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE r.id = $1;

-- moves_8ff00ff6df6c3f8a
--   GET /v1/moves/{moveCode}
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE r.move_code = $1;

-- moves_1f9d54d0429fd9be
--   GET /v1/moves/{id}?expand=shipments
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json(ARRAY(SELECT ARRAY[m.id::text, m.shipment_code::text::text, m.move_id::text,
  m.shipment_type::text::text, m.status::text::text, m.rejection_reason::text::text, to_json(m.pickup_date)::text,
  to_json(m.delivery_date)::text, to_json(m.estimated_weight)::text, to_json(m.actual_weight)::text, m.customer_remarks::text::text,
  m.pickup_address_id::text, m.pickup_address_street_address1::text::text, m.pickup_address_street_address2::text::text,
  m.pickup_address_street_address3::text::text, m.pickup_address_city::text::text, m.pickup_address_state::text::text,
  m.pickup_address_postal_code::text::text, m.pickup_address_country::text::text, m.destination_address_id::text,
  m.destination_address_street_address1::text::text, m.destination_address_street_address2::text::text,
  m.destination_address_street_address3::text::text, m.destination_address_city::text::text, m.destination_address_state::text::text,
  m.destination_address_postal_code::text::text, m.destination_address_country::text::text, to_json(m.created_at AT TIME ZONE 'UTC')::text,
  to_json(m.updated_at AT TIME ZONE 'UTC')::text] FROM shipments m WHERE m.move_id = r.id ORDER BY m.id DESC LIMIT 201)) FROM moves r
  WHERE r.id = $1;

-- moves_9d4e8a45ae7e607c
--   GET /v1/moves/{id}?version={eTag}
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), h.record ? 'erased' FROM history h, jsonb_populate_record(NULL::moves, h.record) r
  WHERE h.record_id = $1 AND h.e_tag = decode($2, 'hex') AND h.record_kind = 'move';

-- moves_bab6b1ebc8568607
--   GET /v1/moves
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE true ORDER BY r.id DESC LIMIT 51;

-- moves_dcb39c2ef6e94427
--   GET /v1/moves?cursor={cursor}
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE (r.id) < ($1) ORDER BY r.id DESC LIMIT 51;

-- moves_7dce920f63db62db
--   GET /v1/moves?sort=createdAt
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE true ORDER BY r.id LIMIT 51;

-- moves_1875a36f596836cf
--   GET /v1/moves?sort=updatedAt
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE true ORDER BY r.updated_at, r.id LIMIT 51;

-- moves_9ad15c120c997034
--   GET /v1/moves?sort=-updatedAt
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE true ORDER BY r.updated_at DESC, r.id DESC LIMIT 51;

-- moves_50e6ae597f4b18da
--   GET /v1/moves?sort=updatedAt&cursor={cursor}
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE (r.updated_at, r.id) > ($1, $2) ORDER BY r.updated_at, r.id LIMIT 51;

-- moves_c39f9f51973e34eb
--   GET /v1/moves?sort=-updatedAt&cursor={cursor}
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE (r.updated_at, r.id) < ($1, $2) ORDER BY r.updated_at DESC, r.id DESC LIMIT 51;

-- moves_d7eb643bddd59e6a
--   GET /v1/moves?orderID={value}
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE r.order_id = $1 ORDER BY r.id DESC LIMIT 51;

-- moves_ce7aa6484c910e70
--   GET /v1/moves?sort=updatedAt&updatedSince={time}
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), (SELECT iso_ms(list_mark())) FROM (SELECT) one LEFT JOIN (SELECT r.* FROM moves r
  WHERE r.updated_at >= $1 AND (r.updated_at, r.id) < ('infinity', '00000000-0000-0000-0000-000000000000') ORDER BY r.updated_at,
  r.id LIMIT 51) r ON true ORDER BY r.updated_at, r.id;

-- moves_30ce4a2f5773f58a
--   GET /v1/moves?q={words}
WITH query AS MATERIALIZED (SELECT search_query_with_codes($1) AS words),
  backlog AS MATERIALIZED (SELECT * FROM search_backlog()),
  changed AS MATERIALIZED (SELECT id, move_id, words FROM backlog WHERE id IS NOT NULL),
  recent AS MATERIALIZED (
    SELECT r.* FROM ((SELECT r.* FROM (SELECT r.* FROM moves r WHERE true ORDER BY r.id DESC LIMIT 1000) r
      WHERE (r.id IN (SELECT s.move_id AS id FROM changed s WHERE s.words @@ (SELECT words FROM query))
  OR (SELECT true FROM (SELECT r.id UNION ALL SELECT child.id FROM shipments child WHERE child.move_id = r.id) own (id),
LATERAL (SELECT * FROM search WHERE search.id = own.id OFFSET 0) s WHERE true AND coalesce(s.words @@ (SELECT words
  FROM query), false) AND s.id NOT IN (SELECT id FROM changed) LIMIT 1)) ORDER BY r.id DESC LIMIT 51)) r ORDER BY r.id DESC LIMIT 51
  ),
  unread AS MATERIALIZED (
    SELECT r.id FROM ((SELECT r.* FROM moves r WHERE true ORDER BY r.id DESC OFFSET 1000 LIMIT 1)) r ORDER BY r.id DESC LIMIT 1
  ),
  state AS MATERIALIZED (
    SELECT (SELECT count(*) FROM recent ) < 51 AND EXISTS (SELECT FROM unread) AS is_open
  ),
  found AS MATERIALIZED (
    (SELECT s.move_id AS id FROM search s WHERE s.words @@ (SELECT words FROM query) AND s.id NOT IN (SELECT id
      FROM changed) AND (SELECT is_open FROM state) LIMIT 20001) UNION ALL SELECT s.move_id AS id FROM changed s
      WHERE s.words @@ (SELECT words FROM query)
  ),
  chosen AS MATERIALIZED (SELECT is_open, (SELECT count(*) FROM found) > 20000 AS is_common FROM state),
  walked_to AS MATERIALIZED (
    SELECT r.id FROM (SELECT r.* FROM moves r WHERE true ORDER BY r.id DESC OFFSET 29999 LIMIT 1) r WHERE (SELECT is_common FROM chosen)
  ),
  page AS MATERIALIZED (
    SELECT r.* FROM (
      SELECT r.* FROM recent r WHERE NOT (SELECT is_open FROM state)
      UNION ALL
      (SELECT r.* FROM (SELECT DISTINCT id FROM found ORDER BY id DESC) f,
         LATERAL (SELECT r.* FROM moves r WHERE r.id = f.id OFFSET 0) r
       WHERE (SELECT is_open AND NOT is_common FROM chosen) AND true ORDER BY f.id DESC LIMIT 51)
      UNION ALL
      (SELECT r.* FROM (SELECT r.* FROM moves r WHERE true ORDER BY r.id DESC LIMIT 30000) r
       WHERE (SELECT is_common FROM chosen) AND (r.id IN (SELECT s.move_id AS id FROM changed s WHERE s.words @@ (SELECT words FROM query))
  OR (SELECT true FROM (SELECT r.id UNION ALL SELECT child.id FROM shipments child WHERE child.move_id = r.id) own (id),
LATERAL (SELECT * FROM search WHERE search.id = own.id OFFSET 0) s WHERE true AND coalesce(s.words @@ (SELECT words
  FROM query), false) AND s.id NOT IN (SELECT id FROM changed) LIMIT 1))
       ORDER BY r.id DESC LIMIT 51)
    ) r ORDER BY r.id DESC LIMIT 51
  )
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), (SELECT id FROM walked_to), (SELECT max(behind)::text FROM backlog)
  FROM (SELECT) one LEFT JOIN page r ON true ORDER BY r.id DESC;

-- moves_4804b37dc5bf0318
--   GET /v1/moves?count=true
SELECT count(*) FILTER (WHERE true), count(*) <= 10000
FROM (SELECT r.* FROM ((SELECT r.* FROM moves r WHERE true ORDER BY r.id DESC LIMIT 10001)) r LIMIT 10001) r;

-- moves_15bdca0ff807f0df
--   GET /v1/moves?orderID={value}&count=true
SELECT count(*) FILTER (WHERE true), count(*) <= 10000
FROM (SELECT r.* FROM ((SELECT r.* FROM moves r WHERE r.order_id = $1 ORDER BY r.id DESC LIMIT 10001)) r LIMIT 10001) r;

-- moves_b89c2ad11ca4ed6d
--   GET /v1/moves?q={words}&count=true
WITH query AS MATERIALIZED (SELECT search_query_with_codes($1) AS words),
  backlog AS MATERIALIZED (SELECT * FROM search_backlog()),
  changed AS MATERIALIZED (SELECT id, move_id, words FROM backlog WHERE id IS NOT NULL),
walked AS MATERIALIZED (SELECT r.* FROM ((SELECT r.* FROM moves r WHERE true ORDER BY r.id DESC LIMIT 1001)) r LIMIT 1001),
walk AS MATERIALIZED (SELECT count(*) > 1000 AS is_long FROM walked),
found AS MATERIALIZED (
  (SELECT s.move_id AS id FROM search s WHERE s.words @@ (SELECT words FROM query) AND s.id NOT IN (SELECT id
    FROM changed) AND (SELECT is_long FROM walk) LIMIT 20001) UNION ALL SELECT s.move_id AS id FROM changed s WHERE s.words @@ (SELECT words
    FROM query)
)
SELECT
  CASE WHEN is_long
    THEN (SELECT count(*) FROM (SELECT DISTINCT id FROM found) f,
      LATERAL (SELECT r.* FROM moves r WHERE r.id = f.id OFFSET 0) r WHERE true)
    ELSE (SELECT count(*) FROM walked r WHERE (r.id IN (SELECT s.move_id AS id FROM changed s WHERE s.words @@ (SELECT words FROM query))
  OR (SELECT true FROM (SELECT r.id UNION ALL SELECT child.id FROM shipments child WHERE child.move_id = r.id) own (id),
LATERAL (SELECT * FROM search WHERE search.id = own.id OFFSET 0) s WHERE true AND coalesce(s.words @@ (SELECT words
  FROM query), false) AND s.id NOT IN (SELECT id FROM changed) LIMIT 1))) END,
  NOT is_long OR (SELECT count(*) FROM found) <= 20000
FROM walk;

-- moves_1dd2babc9c84c058
--   a record is created
INSERT INTO moves AS r (id, move_code, order_id, remarks) VALUES ($1, $2, $3, $4)
RETURNING r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC');

-- moves_ad7a0ce3266026a1
--   a write with If-Match: the lock, if the version is this one
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE r.id = $1 AND etag_of(r.updated_at) = ANY ($2::text[]) FOR NO KEY UPDATE;

-- moves_bbc43c498d394945
--   a write with If-Match: *
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE r.id = $1 FOR NO KEY UPDATE;

-- moves_d03c4e43f5461e01
--   PATCH or PUT of remarks
UPDATE moves AS r SET remarks = $3
WHERE r.id = $1 AND r.updated_at = $2
RETURNING r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC');

-- moves_18f5676083a9f2a0
--   DELETE
DELETE FROM moves WHERE id = $1 AND updated_at = $2 RETURNING id;

-- moves_201f41a4c636a649
--   a write whose COMMIT was not answered
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM history h, jsonb_populate_record(NULL::moves, h.record) r
WHERE h.record_id = $1 AND h.transaction_id = $2::xid8 AND h.request_id = $3;

-- moves_74d9ba226d308a71
--   a request that names the record by its moveCode
SELECT r.id FROM moves r WHERE r.move_code = $1 ;

-- moves_3dd79b93e30914c8
--   a record that belongs to it is created or restored
SELECT r.id FROM moves r WHERE r.id = $1 FOR KEY SHARE;

-- moves_737762f7a41395d3
--   a list of deletions, for the last values
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS row (record, number), jsonb_populate_record(NULL::moves, row.record) r
  ORDER BY row.number;

-- moves_48af8ca88e9cf19e
--   a bulk request or an import that creates shipments: the locks
SELECT r.id, r.move_code::text AS name FROM moves r WHERE r.id = ANY ($1::uuid[]) OR r.move_code::text = ANY ($2::text[])
  ORDER BY r.id FOR NO KEY UPDATE;

-- moves_1aa736c2aa525ac3
--   an import is examined: the moves of new shipments
SELECT r.id, r.move_code::text AS name FROM moves r WHERE r.id = ANY ($1::uuid[]) OR r.move_code::text = ANY ($2::text[]) ;

-- moves_file
--   a file of the list, read by a cursor. PostgreSQL does not know its name: it is not prepared.
SELECT r.id, r.move_code::text, r.order_id::text, r.remarks::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM moves r WHERE true ORDER BY r.id DESC;
