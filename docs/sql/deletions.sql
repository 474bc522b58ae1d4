-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- deleted_by_code
SELECT record_id AS id FROM deletions WHERE code = $1 AND record_kind = $2;

-- deleted_among_ids
SELECT record_id AS id FROM deletions WHERE record_id = ANY ($1) AND record_kind = $2 AND record IS NOT NULL;

-- deleted_among_codes
SELECT record_id AS id, code FROM deletions WHERE code = ANY ($1) AND record_kind = $2;

-- lock_deletions
SELECT pg_advisory_xact_lock(hashtextextended('deletions of ' || root.id, 0)) FROM unnest($1::uuid[]) AS root (id);

-- undelete
INSERT INTO undeletions (record_kind, record_id, deleted_at) VALUES ($1, $2, $3);

-- deleted_move_by_code
--   The id of a deleted move by its code.
SELECT record_id AS id FROM deletions WHERE code = $1 AND record_kind = 'move';

-- deleted_moves
--   undelete, and requests for a deleted record
SELECT named.id, iso_ms(d.deleted_at) AS "deletedAt", etag_of(d.deleted_at) AS "deletionETag", d.record_id IS NOT NULL AND d.record IS NULL AS "isErased",
  NULL AS "parentID", current.e_tag AS "currentETag",
  EXISTS (SELECT FROM events e WHERE e.record_id = named.id AND e.kind = 'move')
    OR EXISTS (SELECT FROM history h WHERE h.record_id = named.id AND h.record_kind = 'move') AS existed,
  restored.changed_by AS "restoredBy", iso_ms(restored.changed_at) AS "restoredAt"
FROM unnest($1::uuid[]) AS named (id)
LEFT JOIN LATERAL (
  SELECT * FROM deletions WHERE record_id = named.id AND record_kind = 'move' ORDER BY position DESC LIMIT 1
) d ON true
LEFT JOIN LATERAL (
  SELECT etag_of(r.updated_at) AS e_tag, r.updated_at, r.id AS root_id FROM moves r WHERE r.id = named.id
) current ON true
LEFT JOIN LATERAL (
  SELECT changed_by, changed_at FROM (
    (
      SELECT record_id, type, changed_by, changed_at, position FROM history h
      WHERE h.root_id = current.root_id ORDER BY h.position DESC LIMIT 1000
    )
    UNION ALL
    -- The entry of the current version: those of restored children come after that of their parent, however many they are.
    SELECT record_id, type, changed_by, changed_at, position FROM history h
    WHERE h.record_id = named.id AND h.e_tag = decode(current.e_tag, 'hex') AND h.changed_at = current.updated_at
  ) h
  WHERE h.record_id = named.id AND h.type = 'restored' ORDER BY h.position DESC LIMIT 1
) restored ON true;

-- deleted_shipments
--   undelete, and requests for a deleted record
SELECT named.id, iso_ms(d.deleted_at) AS "deletedAt", etag_of(d.deleted_at) AS "deletionETag", d.record_id IS NOT NULL AND d.record IS NULL AS "isErased",
  d.record ->> 'move_id' AS "parentID", current.e_tag AS "currentETag",
  EXISTS (SELECT FROM events e WHERE e.record_id = named.id AND e.kind = 'shipment')
    OR EXISTS (SELECT FROM history h WHERE h.record_id = named.id AND h.record_kind = 'shipment') AS existed,
  restored.changed_by AS "restoredBy", iso_ms(restored.changed_at) AS "restoredAt"
FROM unnest($1::uuid[]) AS named (id)
LEFT JOIN LATERAL (
  SELECT * FROM deletions WHERE record_id = named.id AND record_kind = 'shipment' ORDER BY position DESC LIMIT 1
) d ON true
LEFT JOIN LATERAL (
  SELECT etag_of(r.updated_at) AS e_tag, r.updated_at, r.id AS root_id FROM shipments r WHERE r.id = named.id
) current ON true
LEFT JOIN LATERAL (
  SELECT changed_by, changed_at FROM (
    (
      SELECT record_id, type, changed_by, changed_at, position FROM history h
      WHERE h.root_id = current.root_id ORDER BY h.position DESC LIMIT 1000
    )
    UNION ALL
    -- The entry of the current version: those of restored children come after that of their parent, however many they are.
    SELECT record_id, type, changed_by, changed_at, position FROM history h
    WHERE h.record_id = named.id AND h.e_tag = decode(current.e_tag, 'hex') AND h.changed_at = current.updated_at
  ) h
  WHERE h.record_id = named.id AND h.type = 'restored' ORDER BY h.position DESC LIMIT 1
) restored ON true;

-- deleted_agents
--   undelete, and requests for a deleted record
SELECT named.id, iso_ms(d.deleted_at) AS "deletedAt", etag_of(d.deleted_at) AS "deletionETag", d.record_id IS NOT NULL AND d.record IS NULL AS "isErased",
  d.record ->> 'shipment_id' AS "parentID", current.e_tag AS "currentETag",
  EXISTS (SELECT FROM events e WHERE e.record_id = named.id AND e.kind = 'agent')
    OR EXISTS (SELECT FROM history h WHERE h.record_id = named.id AND h.record_kind = 'agent') AS existed,
  restored.changed_by AS "restoredBy", iso_ms(restored.changed_at) AS "restoredAt"
FROM unnest($1::uuid[]) AS named (id)
LEFT JOIN LATERAL (
  SELECT * FROM deletions WHERE record_id = named.id AND record_kind = 'agent' ORDER BY position DESC LIMIT 1
) d ON true
LEFT JOIN LATERAL (
  SELECT etag_of(r.updated_at) AS e_tag, r.updated_at, r.shipment_id AS root_id FROM agents r WHERE r.id = named.id
) current ON true
LEFT JOIN LATERAL (
  SELECT changed_by, changed_at FROM (
    (
      SELECT record_id, type, changed_by, changed_at, position FROM history h
      WHERE h.root_id = current.root_id ORDER BY h.position DESC LIMIT 1000
    )
    UNION ALL
    -- The entry of the current version: those of restored children come after that of their parent, however many they are.
    SELECT record_id, type, changed_by, changed_at, position FROM history h
    WHERE h.record_id = named.id AND h.e_tag = decode(current.e_tag, 'hex') AND h.changed_at = current.updated_at
  ) h
  WHERE h.record_id = named.id AND h.type = 'restored' ORDER BY h.position DESC LIMIT 1
) restored ON true;

-- deleted_services
--   undelete, and requests for a deleted record
SELECT named.id, iso_ms(d.deleted_at) AS "deletedAt", etag_of(d.deleted_at) AS "deletionETag", d.record_id IS NOT NULL AND d.record IS NULL AS "isErased",
  d.record ->> 'shipment_id' AS "parentID", current.e_tag AS "currentETag",
  EXISTS (SELECT FROM events e WHERE e.record_id = named.id AND e.kind = 'service')
    OR EXISTS (SELECT FROM history h WHERE h.record_id = named.id AND h.record_kind = 'service') AS existed,
  restored.changed_by AS "restoredBy", iso_ms(restored.changed_at) AS "restoredAt"
FROM unnest($1::uuid[]) AS named (id)
LEFT JOIN LATERAL (
  SELECT * FROM deletions WHERE record_id = named.id AND record_kind = 'service' ORDER BY position DESC LIMIT 1
) d ON true
LEFT JOIN LATERAL (
  SELECT etag_of(r.updated_at) AS e_tag, r.updated_at, r.shipment_id AS root_id FROM services r WHERE r.id = named.id
) current ON true
LEFT JOIN LATERAL (
  SELECT changed_by, changed_at FROM (
    (
      SELECT record_id, type, changed_by, changed_at, position FROM history h
      WHERE h.root_id = current.root_id ORDER BY h.position DESC LIMIT 1000
    )
    UNION ALL
    -- The entry of the current version: those of restored children come after that of their parent, however many they are.
    SELECT record_id, type, changed_by, changed_at, position FROM history h
    WHERE h.record_id = named.id AND h.e_tag = decode(current.e_tag, 'hex') AND h.changed_at = current.updated_at
  ) h
  WHERE h.record_id = named.id AND h.type = 'restored' ORDER BY h.position DESC LIMIT 1
) restored ON true;

-- deletions_page
--   GET /v1/deletions. PostgreSQL does not know its name: it is not prepared.
SELECT page.*, edge.examined_to AS "examinedTo"
FROM (
  SELECT NULL AS examined_to
) edge
LEFT JOIN LATERAL (
  SELECT d.record_kind AS resource, d.record_id AS "resourceID", CASE WHEN d.record_kind <> 'move' THEN d.root_id END AS "shipmentID",
    d.move_id AS "moveID", d.is_cascade AS "isCascade", d.deleted_by AS "deletedBy", iso_ms(d.deleted_at) AS "deletedAt",
    d.request_id AS "requestID", etag_of(d.deleted_at) AS "deletionETag", d.erased, d.record AS stored, d.position::text
  FROM (SELECT d.* FROM deletions d WHERE true ORDER BY d.deleted_at DESC, d.position DESC LIMIT 51) d
  WHERE true ORDER BY d.deleted_at DESC, d.position DESC LIMIT 51
) page ON true;
