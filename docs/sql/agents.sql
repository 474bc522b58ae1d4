-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- agents_ed71a5bc02c9ecdd
--   GET /v1/agents/{id}
--   a write with If-Match that does not match, to explain the 412
SELECT r.id, r.shipment_id, r.agent_type::text, r.first_name::text, r.last_name::text, r.email::text, r.phone::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC') FROM agents r WHERE r.id = $1;

-- agents_d89ddef0c234ddc5
--   GET /v1/shipments/{id}/agents
SELECT r.id, r.shipment_id, r.agent_type::text, r.first_name::text, r.last_name::text, r.email::text, r.phone::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC') FROM agents r WHERE r.shipment_id = $1
  ORDER BY r.id DESC LIMIT 51;

-- agents_b797a1654aa9605f
--   GET /v1/shipments/{id}/agents?cursor={cursor}
SELECT r.id, r.shipment_id, r.agent_type::text, r.first_name::text, r.last_name::text, r.email::text, r.phone::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC') FROM agents r
  WHERE r.shipment_id = $1 AND (r.id) < ($2) ORDER BY r.id DESC LIMIT 51;

-- agents_07936c4c3264517a
--   a record is created
INSERT INTO agents AS r (id, shipment_id, agent_type, first_name, last_name, email, phone) VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING r.id, r.shipment_id, r.agent_type::text, r.first_name::text, r.last_name::text, r.email::text, r.phone::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC');

-- agents_704de3c7f870d3b9
--   a write with If-Match: the lock, if the version is this one
SELECT r.id, r.shipment_id, r.agent_type::text, r.first_name::text, r.last_name::text, r.email::text, r.phone::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC') FROM agents r
  WHERE r.id = $1 AND etag_of(r.updated_at) = ANY ($2::text[]) FOR NO KEY UPDATE;

-- agents_101231703aa6162a
--   a write with If-Match: *
SELECT r.id, r.shipment_id, r.agent_type::text, r.first_name::text, r.last_name::text, r.email::text, r.phone::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC') FROM agents r WHERE r.id = $1 FOR NO KEY UPDATE;

-- agents_71e028ee9d649e09
--   PATCH or PUT of phone
UPDATE agents AS r SET phone = $3
WHERE r.id = $1 AND r.updated_at = $2
RETURNING r.id, r.shipment_id, r.agent_type::text, r.first_name::text, r.last_name::text, r.email::text, r.phone::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC');

-- agents_9435aa175f87eada
--   DELETE
DELETE FROM agents WHERE id = $1 AND updated_at = $2 RETURNING id;

-- agents_9a6e2f09892b94d4
--   a write whose COMMIT was not answered
SELECT r.id, r.shipment_id, r.agent_type::text, r.first_name::text, r.last_name::text, r.email::text, r.phone::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM history h, jsonb_populate_record(NULL::agents, h.record) r
WHERE h.record_id = $1 AND h.transaction_id = $2::xid8 AND h.request_id = $3;

-- agents_8bd32eace48ae6ee
--   a list of deletions, for the last values
SELECT r.id, r.shipment_id, r.agent_type::text, r.first_name::text, r.last_name::text, r.email::text, r.phone::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS row (record, number), jsonb_populate_record(NULL::agents, row.record) r
  ORDER BY row.number;
