-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- services_8c45f3a0a1755128
--   GET /v1/services/{id}
--   a write with If-Match that does not match, to explain the 412
SELECT r.id, r.shipment_id, r.code::text, r.description::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM services r WHERE r.id = $1;

-- services_e136f12241b87895
--   GET /v1/shipments/{id}/services
SELECT r.id, r.shipment_id, r.code::text, r.description::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM services r WHERE r.shipment_id = $1 ORDER BY r.id DESC LIMIT 51;

-- services_25c9fb466ca6efc4
--   GET /v1/shipments/{id}/services?cursor={cursor}
SELECT r.id, r.shipment_id, r.code::text, r.description::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM services r WHERE r.shipment_id = $1 AND (r.id) < ($2) ORDER BY r.id DESC LIMIT 51;

-- services_cf0f2f49e192203d
--   a record is created
INSERT INTO services AS r (id, shipment_id, code, description) VALUES ($1, $2, $3, $4)
RETURNING r.id, r.shipment_id, r.code::text, r.description::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC');

-- services_b89e98684835a34a
--   a write with If-Match: the lock, if the version is this one
SELECT r.id, r.shipment_id, r.code::text, r.description::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM services r WHERE r.id = $1 AND etag_of(r.updated_at) = ANY ($2::text[]) FOR NO KEY UPDATE;

-- services_5ffeff9c922df4ea
--   a write with If-Match: *
SELECT r.id, r.shipment_id, r.code::text, r.description::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM services r WHERE r.id = $1 FOR NO KEY UPDATE;

-- services_af23aca1010b3c34
--   PATCH or PUT of description
UPDATE services AS r SET description = $3
WHERE r.id = $1 AND r.updated_at = $2
RETURNING r.id, r.shipment_id, r.code::text, r.description::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC');

-- services_116988fe88527a8f
--   DELETE
DELETE FROM services WHERE id = $1 AND updated_at = $2 RETURNING id;

-- services_ee3598f6295b542e
--   a write whose COMMIT was not answered
SELECT r.id, r.shipment_id, r.code::text, r.description::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM history h, jsonb_populate_record(NULL::services, h.record) r
WHERE h.record_id = $1 AND h.transaction_id = $2::xid8 AND h.request_id = $3;

-- services_716ce3acf71a12f4
--   a list of deletions, for the last values
SELECT r.id, r.shipment_id, r.code::text, r.description::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS row (record, number), jsonb_populate_record(NULL::services, row.record) r
  ORDER BY row.number;
