-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- shipments_9c45bca762a2f8a8
--   GET /v1/shipments/{id}
--   a write with If-Match that does not match, to explain the 412
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE r.id = $1;

-- shipments_e8abc80d55bda7ea
--   GET /v1/shipments/{shipmentCode}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE r.shipment_code = $1;

-- shipments_0426cabea09d4462
--   GET /v1/shipments/{id}?expand=agents
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json(ARRAY(SELECT ARRAY[m.id::text, m.shipment_id::text, m.agent_type::text::text,
  m.first_name::text::text, m.last_name::text::text, m.email::text::text, m.phone::text::text,
  to_json(m.created_at AT TIME ZONE 'UTC')::text, to_json(m.updated_at AT TIME ZONE 'UTC')::text] FROM agents m WHERE m.shipment_id = r.id
  ORDER BY m.id DESC LIMIT 201)) FROM shipments r WHERE r.id = $1;

-- shipments_866b1d0d29918e0c
--   GET /v1/shipments/{id}?expand=services
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json(ARRAY(SELECT ARRAY[m.id::text, m.shipment_id::text, m.code::text::text,
  m.description::text::text, to_json(m.created_at AT TIME ZONE 'UTC')::text, to_json(m.updated_at AT TIME ZONE 'UTC')::text] FROM services m
  WHERE m.shipment_id = r.id ORDER BY m.id DESC LIMIT 201)) FROM shipments r WHERE r.id = $1;

-- shipments_e5866f3d1f600fa6
--   GET /v1/shipments/{id}?expand=move
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json((SELECT ARRAY[m.id::text, m.move_code::text::text, m.order_id::text::text,
  m.remarks::text::text, to_json(m.created_at AT TIME ZONE 'UTC')::text, to_json(m.updated_at AT TIME ZONE 'UTC')::text] FROM moves m
  WHERE m.id = r.move_id)) FROM shipments r WHERE r.id = $1;

-- shipments_4df8266a9baea111
--   GET /v1/shipments/{id}?version={eTag}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), h.record ? 'erased' FROM history h, jsonb_populate_record(NULL::shipments, h.record) r
  WHERE h.record_id = $1 AND h.e_tag = decode($2, 'hex') AND h.record_kind = 'shipment';

-- shipments_0b9ae7d6b70e5078
--   GET /v1/shipments
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE true ORDER BY r.id DESC LIMIT 51;

-- shipments_c0cdd9edcf9441d5
--   GET /v1/shipments?cursor={cursor}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE (r.id) < ($1) ORDER BY r.id DESC LIMIT 51;

-- shipments_a8d4962aeefabc71
--   GET /v1/shipments?sort=createdAt
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE true ORDER BY r.id LIMIT 51;

-- shipments_c97edeb92d8e0dfd
--   GET /v1/shipments?sort=updatedAt
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE true ORDER BY r.updated_at, r.id LIMIT 51;

-- shipments_b22b5eeb4ff79a05
--   GET /v1/shipments?sort=-updatedAt
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE true ORDER BY r.updated_at DESC, r.id DESC LIMIT 51;

-- shipments_0c26d0414d1771dc
--   GET /v1/shipments?sort=pickupDate
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$1])
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$2]) ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.*
  FROM shipments r WHERE r.status = ANY(ARRAY[$3]) ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$4]) ORDER BY r.status, coalesce(r.pickup_date, 'infinity'),
  r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$5])
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$6]) ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.*
  FROM shipments r WHERE r.status = ANY(ARRAY[$7]) ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$8]) ORDER BY r.status, coalesce(r.pickup_date, 'infinity'),
  r.id LIMIT 51)) r ORDER BY coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51;

-- shipments_4b3f308ee617c048
--   GET /v1/shipments?sort=-pickupDate
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$1])
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$2]) ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$3]) ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC,
  r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$4])
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$5]) ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$6]) ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC,
  r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$7])
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$8]) ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51)) r
  ORDER BY coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51;

-- shipments_f1dfa379a73bd8fc
--   GET /v1/shipments?sort=deliveryDate
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$1])
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$2]) ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.*
  FROM shipments r WHERE r.status = ANY(ARRAY[$3]) ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$4]) ORDER BY r.status, coalesce(r.delivery_date, 'infinity'),
  r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$5])
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$6]) ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.*
  FROM shipments r WHERE r.status = ANY(ARRAY[$7]) ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$8]) ORDER BY r.status, coalesce(r.delivery_date, 'infinity'),
  r.id LIMIT 51)) r ORDER BY coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51;

-- shipments_d16845f40d771131
--   GET /v1/shipments?sort=-deliveryDate
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$1])
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$2]) ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$3]) ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC,
  r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$4])
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$5]) ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$6]) ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC,
  r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$7])
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$8]) ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51)) r
  ORDER BY coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51;

-- shipments_130b2b47f0b23ae6
--   GET /v1/shipments?sort=updatedAt&cursor={cursor}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE (r.updated_at, r.id) > ($1, $2) ORDER BY r.updated_at, r.id LIMIT 51;

-- shipments_923aba30a3c1f35f
--   GET /v1/shipments?sort=-updatedAt&cursor={cursor}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE (r.updated_at, r.id) < ($1, $2) ORDER BY r.updated_at DESC,
  r.id DESC LIMIT 51;

-- shipments_d4f6b93780d450ad
--   GET /v1/shipments?sort=pickupDate&cursor={cursor}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$1]) AND (coalesce(r.pickup_date, 'infinity'), r.id) > ($2, $3)
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$4]) AND (coalesce(r.pickup_date, 'infinity'), r.id) > ($5, $6)
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$7]) AND (coalesce(r.pickup_date, 'infinity'), r.id) > ($8, $9)
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$10]) AND (coalesce(r.pickup_date, 'infinity'), r.id) > ($11, $12)
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$13]) AND (coalesce(r.pickup_date, 'infinity'), r.id) > ($14, $15)
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$16]) AND (coalesce(r.pickup_date, 'infinity'), r.id) > ($17, $18)
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$19]) AND (coalesce(r.pickup_date, 'infinity'), r.id) > ($20, $21)
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$22]) AND (coalesce(r.pickup_date, 'infinity'), r.id) > ($23, $24)
  ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)) r ORDER BY coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51;

-- shipments_409f81037bfcc14e
--   GET /v1/shipments?sort=-pickupDate&cursor={cursor}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$1]) AND (coalesce(r.pickup_date, 'infinity'), r.id) < ($2, $3)
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$4]) AND (coalesce(r.pickup_date, 'infinity'), r.id) < ($5, $6)
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$7]) AND (coalesce(r.pickup_date, 'infinity'), r.id) < ($8, $9)
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$10]) AND (coalesce(r.pickup_date, 'infinity'), r.id) < ($11, $12)
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$13]) AND (coalesce(r.pickup_date, 'infinity'), r.id) < ($14, $15)
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$16]) AND (coalesce(r.pickup_date, 'infinity'), r.id) < ($17, $18)
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$19]) AND (coalesce(r.pickup_date, 'infinity'), r.id) < ($20, $21)
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$22]) AND (coalesce(r.pickup_date, 'infinity'), r.id) < ($23, $24)
  ORDER BY r.status DESC, coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51)) r
  ORDER BY coalesce(r.pickup_date, 'infinity') DESC, r.id DESC LIMIT 51;

-- shipments_13cf7a5b2a65e263
--   GET /v1/shipments?sort=deliveryDate&cursor={cursor}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$1]) AND (coalesce(r.delivery_date, 'infinity'), r.id) > ($2, $3)
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$4]) AND (coalesce(r.delivery_date, 'infinity'), r.id) > ($5, $6)
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$7]) AND (coalesce(r.delivery_date, 'infinity'), r.id) > ($8, $9)
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$10]) AND (coalesce(r.delivery_date, 'infinity'), r.id) > ($11, $12)
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$13]) AND (coalesce(r.delivery_date, 'infinity'), r.id) > ($14, $15)
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$16]) AND (coalesce(r.delivery_date, 'infinity'), r.id) > ($17, $18)
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$19]) AND (coalesce(r.delivery_date, 'infinity'), r.id) > ($20, $21)
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$22]) AND (coalesce(r.delivery_date, 'infinity'), r.id) > ($23, $24)
  ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)) r ORDER BY coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51;

-- shipments_e251ef5b6d799b3a
--   GET /v1/shipments?sort=-deliveryDate&cursor={cursor}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$1]) AND (coalesce(r.delivery_date, 'infinity'), r.id) < ($2, $3)
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$4]) AND (coalesce(r.delivery_date, 'infinity'), r.id) < ($5, $6)
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$7]) AND (coalesce(r.delivery_date, 'infinity'), r.id) < ($8, $9)
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$10]) AND (coalesce(r.delivery_date, 'infinity'), r.id) < ($11, $12)
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$13]) AND (coalesce(r.delivery_date, 'infinity'), r.id) < ($14, $15)
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$16]) AND (coalesce(r.delivery_date, 'infinity'), r.id) < ($17, $18)
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$19]) AND (coalesce(r.delivery_date, 'infinity'), r.id) < ($20, $21)
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$22]) AND (coalesce(r.delivery_date, 'infinity'), r.id) < ($23, $24)
  ORDER BY r.status DESC, coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51)) r
  ORDER BY coalesce(r.delivery_date, 'infinity') DESC, r.id DESC LIMIT 51;

-- shipments_7e02e795aa23762f
--   GET /v1/shipments?moveID={value}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE r.move_id = $1 ORDER BY r.id DESC LIMIT 51;

-- shipments_5fe3726ac973eaed
--   GET /v1/shipments?status={value}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE r.status = ANY(ARRAY[$1]) ORDER BY r.status DESC, r.id DESC LIMIT 51;

-- shipments_85e9a2e9814fb99c
--   GET /v1/shipments?shipmentType={value}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE r.shipment_type = ANY(ARRAY[$1]) ORDER BY r.shipment_type DESC,
  r.id DESC LIMIT 51;

-- shipments_53d43e82e09c58f0
--   GET /v1/shipments?status={value},{other}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$1]) ORDER BY r.status DESC,
  r.id DESC LIMIT 51) UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$2]) ORDER BY r.status DESC, r.id DESC LIMIT 51)) r
  ORDER BY r.id DESC LIMIT 51;

-- shipments_e2f6a6c2bd24fcf9
--   GET /v1/shipments?pickupDateFrom={day}&pickupDateTo={day}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$1]) AND coalesce(r.pickup_date, 'infinity') >= $2 AND (coalesce(r.pickup_date, 'infinity'),
  r.id) <= ($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$4]) AND coalesce(r.pickup_date, 'infinity') >= $5 AND (coalesce(r.pickup_date, 'infinity'),
  r.id) <= ($6, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$7]) AND coalesce(r.pickup_date, 'infinity') >= $8 AND (coalesce(r.pickup_date, 'infinity'),
  r.id) <= ($9, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$10]) AND coalesce(r.pickup_date, 'infinity') >= $11 AND (coalesce(r.pickup_date, 'infinity'),
  r.id) <= ($12, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$13]) AND coalesce(r.pickup_date, 'infinity') >= $14 AND (coalesce(r.pickup_date, 'infinity'),
  r.id) <= ($15, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$16]) AND coalesce(r.pickup_date, 'infinity') >= $17 AND (coalesce(r.pickup_date, 'infinity'),
  r.id) <= ($18, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$19]) AND coalesce(r.pickup_date, 'infinity') >= $20 AND (coalesce(r.pickup_date, 'infinity'),
  r.id) <= ($21, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$22]) AND coalesce(r.pickup_date, 'infinity') >= $23 AND (coalesce(r.pickup_date, 'infinity'),
  r.id) <= ($24, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51)) r
  ORDER BY coalesce(r.pickup_date, 'infinity'), r.id LIMIT 51;

-- shipments_4ac087894798fa38
--   GET /v1/shipments?deliveryDateFrom={day}&deliveryDateTo={day}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM ((SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$1]) AND coalesce(r.delivery_date, 'infinity') >= $2 AND (coalesce(r.delivery_date, 'infinity'),
  r.id) <= ($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$4]) AND coalesce(r.delivery_date, 'infinity') >= $5 AND (coalesce(r.delivery_date, 'infinity'),
  r.id) <= ($6, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$7]) AND coalesce(r.delivery_date, 'infinity') >= $8 AND (coalesce(r.delivery_date, 'infinity'),
  r.id) <= ($9, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$10]) AND coalesce(r.delivery_date, 'infinity') >= $11 AND (coalesce(r.delivery_date, 'infinity'),
  r.id) <= ($12, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$13]) AND coalesce(r.delivery_date, 'infinity') >= $14 AND (coalesce(r.delivery_date, 'infinity'),
  r.id) <= ($15, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$16]) AND coalesce(r.delivery_date, 'infinity') >= $17 AND (coalesce(r.delivery_date, 'infinity'),
  r.id) <= ($18, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$19]) AND coalesce(r.delivery_date, 'infinity') >= $20 AND (coalesce(r.delivery_date, 'infinity'),
  r.id) <= ($21, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)
  UNION ALL (SELECT r.* FROM shipments r
  WHERE r.status = ANY(ARRAY[$22]) AND coalesce(r.delivery_date, 'infinity') >= $23 AND (coalesce(r.delivery_date, 'infinity'),
  r.id) <= ($24, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY r.status, coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51)) r
  ORDER BY coalesce(r.delivery_date, 'infinity'), r.id LIMIT 51;

-- shipments_383b34e5345fd4a0
--   GET /v1/shipments?sort=updatedAt&updatedSince={time}
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), (SELECT iso_ms(list_mark())) FROM (SELECT) one LEFT JOIN (SELECT r.* FROM shipments r
  WHERE r.updated_at >= $1 AND (r.updated_at, r.id) < ('infinity', '00000000-0000-0000-0000-000000000000') ORDER BY r.updated_at,
  r.id LIMIT 51) r ON true ORDER BY r.updated_at, r.id;

-- shipments_93ba0fe7a9b50083
--   GET /v1/shipments?q={words}
WITH query AS MATERIALIZED (SELECT search_query_with_codes($1) AS words),
  backlog AS MATERIALIZED (SELECT * FROM search_backlog()),
  changed AS MATERIALIZED (SELECT id, move_id, words FROM backlog WHERE id IS NOT NULL),
  recent AS MATERIALIZED (
    SELECT r.* FROM ((SELECT r.* FROM (SELECT r.* FROM shipments r WHERE true ORDER BY r.id DESC LIMIT 1000) r
      WHERE (r.id IN (SELECT s.id AS id FROM changed s WHERE s.words @@ (SELECT words FROM query))
  OR (SELECT true FROM search s WHERE s.id = r.id AND coalesce(s.words @@ (SELECT words FROM query), false) AND s.id NOT IN (SELECT id
    FROM changed) LIMIT 1)) ORDER BY r.id DESC LIMIT 51)) r ORDER BY r.id DESC LIMIT 51
  ),
  unread AS MATERIALIZED (
    SELECT r.id FROM ((SELECT r.* FROM shipments r WHERE true ORDER BY r.id DESC OFFSET 1000 LIMIT 1)) r ORDER BY r.id DESC LIMIT 1
  ),
  state AS MATERIALIZED (
    SELECT (SELECT count(*) FROM recent ) < 51 AND EXISTS (SELECT FROM unread) AS is_open
  ),
  found AS MATERIALIZED (
    (SELECT s.id AS id FROM search s WHERE s.words @@ (SELECT words FROM query) AND s.id NOT IN (SELECT id FROM changed) AND (SELECT is_open
      FROM state) LIMIT 20001) UNION ALL SELECT s.id AS id FROM changed s WHERE s.words @@ (SELECT words FROM query)
  ),
  chosen AS MATERIALIZED (SELECT is_open, (SELECT count(*) FROM found) > 20000 AS is_common FROM state),
  walked_to AS MATERIALIZED (
    SELECT r.id FROM (SELECT r.* FROM shipments r WHERE true ORDER BY r.id DESC OFFSET 29999 LIMIT 1) r WHERE (SELECT is_common FROM chosen)
  ),
  page AS MATERIALIZED (
    SELECT r.* FROM (
      SELECT r.* FROM recent r WHERE NOT (SELECT is_open FROM state)
      UNION ALL
      (SELECT r.* FROM (SELECT DISTINCT id FROM found ORDER BY id DESC) f,
         LATERAL (SELECT r.* FROM shipments r WHERE r.id = f.id OFFSET 0) r
       WHERE (SELECT is_open AND NOT is_common FROM chosen) AND true ORDER BY f.id DESC LIMIT 51)
      UNION ALL
      (SELECT r.* FROM (SELECT r.* FROM shipments r WHERE true ORDER BY r.id DESC LIMIT 30000) r
       WHERE (SELECT is_common FROM chosen) AND (r.id IN (SELECT s.id AS id FROM changed s WHERE s.words @@ (SELECT words FROM query))
  OR (SELECT true FROM search s WHERE s.id = r.id AND coalesce(s.words @@ (SELECT words FROM query), false) AND s.id NOT IN (SELECT id
    FROM changed) LIMIT 1))
       ORDER BY r.id DESC LIMIT 51)
    ) r ORDER BY r.id DESC LIMIT 51
  )
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), (SELECT id FROM walked_to), (SELECT max(behind)::text FROM backlog)
  FROM (SELECT) one LEFT JOIN page r ON true ORDER BY r.id DESC;

-- shipments_3a2dc845e488105a
--   GET /v1/shipments?count=true
SELECT count(*) FILTER (WHERE true), count(*) <= 10000
FROM (SELECT r.* FROM ((SELECT r.* FROM shipments r WHERE true ORDER BY r.id DESC LIMIT 10001)) r LIMIT 10001) r;

-- shipments_b1127be812d5a93c
--   GET /v1/shipments?moveID={value}&count=true
SELECT count(*) FILTER (WHERE true), count(*) <= 10000
FROM (SELECT r.* FROM ((SELECT r.* FROM shipments r WHERE r.move_id = $1 ORDER BY r.id DESC LIMIT 10001)) r LIMIT 10001) r;

-- shipments_2a5818e1f33d36da
--   GET /v1/shipments?status={value}&count=true
SELECT count(*) FILTER (WHERE true), count(*) <= 10000
FROM (SELECT r.* FROM ((SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$1]) ORDER BY r.status DESC,
  r.id DESC LIMIT 10001)) r LIMIT 10001) r;

-- shipments_4389e8a7474367ce
--   GET /v1/shipments?shipmentType={value}&count=true
SELECT count(*) FILTER (WHERE true), count(*) <= 10000
FROM (SELECT r.* FROM ((SELECT r.* FROM shipments r WHERE r.shipment_type = ANY(ARRAY[$1]) ORDER BY r.shipment_type DESC,
  r.id DESC LIMIT 10001)) r LIMIT 10001) r;

-- shipments_dbd04d7d5931a316
--   GET /v1/shipments?status={value},{other}&count=true
SELECT count(*) FILTER (WHERE true), count(*) <= 10000
FROM (SELECT r.* FROM ((SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$1]) ORDER BY r.status DESC, r.id DESC LIMIT 10001)
  UNION ALL (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY[$2]) ORDER BY r.status DESC, r.id DESC LIMIT 10001)) r LIMIT 10001) r;

-- shipments_e6230482e8a42ef5
--   GET /v1/shipments?q={words}&count=true
WITH query AS MATERIALIZED (SELECT search_query_with_codes($1) AS words),
  backlog AS MATERIALIZED (SELECT * FROM search_backlog()),
  changed AS MATERIALIZED (SELECT id, move_id, words FROM backlog WHERE id IS NOT NULL),
walked AS MATERIALIZED (SELECT r.* FROM ((SELECT r.* FROM shipments r WHERE true ORDER BY r.id DESC LIMIT 1001)) r LIMIT 1001),
walk AS MATERIALIZED (SELECT count(*) > 1000 AS is_long FROM walked),
found AS MATERIALIZED (
  (SELECT s.id AS id FROM search s WHERE s.words @@ (SELECT words FROM query) AND s.id NOT IN (SELECT id FROM changed) AND (SELECT is_long
    FROM walk) LIMIT 20001) UNION ALL SELECT s.id AS id FROM changed s WHERE s.words @@ (SELECT words FROM query)
)
SELECT
  CASE WHEN is_long
    THEN (SELECT count(*) FROM (SELECT DISTINCT id FROM found) f,
      LATERAL (SELECT r.* FROM shipments r WHERE r.id = f.id OFFSET 0) r WHERE true)
    ELSE (SELECT count(*) FROM walked r WHERE (r.id IN (SELECT s.id AS id FROM changed s WHERE s.words @@ (SELECT words FROM query))
  OR (SELECT true FROM search s WHERE s.id = r.id AND coalesce(s.words @@ (SELECT words FROM query), false) AND s.id NOT IN (SELECT id
    FROM changed) LIMIT 1))) END,
  NOT is_long OR (SELECT count(*) FROM found) <= 20000
FROM walk;

-- shipments_279b01a8311321bc
--   a record is created
INSERT INTO shipments AS r (id, shipment_code, move_id, shipment_type, status, rejection_reason, pickup_date, delivery_date, estimated_weight, actual_weight, customer_remarks, pickup_address_id, pickup_address_street_address1, pickup_address_street_address2, pickup_address_street_address3, pickup_address_city, pickup_address_state, pickup_address_postal_code, pickup_address_country, destination_address_id, destination_address_street_address1, destination_address_street_address2, destination_address_street_address3, destination_address_city, destination_address_state, destination_address_postal_code, destination_address_country) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27)
RETURNING r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC');

-- shipments_b379185c743df3f4
--   a write with If-Match: the lock, if the version is this one
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE r.id = $1 AND etag_of(r.updated_at) = ANY ($2::text[]) FOR NO KEY UPDATE;

-- shipments_b49b9c2fb867367c
--   a write with If-Match: *
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE r.id = $1 FOR NO KEY UPDATE;

-- shipments_fb4d769ade22eac0
--   PATCH or PUT of destinationAddress.country
UPDATE shipments AS r SET destination_address_country = $3
WHERE r.id = $1 AND r.updated_at = $2
RETURNING r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC');

-- shipments_6cc8584c497218a3
--   DELETE
DELETE FROM shipments WHERE id = $1 AND updated_at = $2 RETURNING id;

-- shipments_5a068a8382236465
--   a write whose COMMIT was not answered
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM history h, jsonb_populate_record(NULL::shipments, h.record) r
WHERE h.record_id = $1 AND h.transaction_id = $2::xid8 AND h.request_id = $3;

-- shipments_9a5d99304b97a4f2
--   a request that names the record by its shipmentCode
SELECT r.id FROM shipments r WHERE r.shipment_code = $1 ;

-- shipments_31fd57393ba01945
--   a record that belongs to it is created or restored
SELECT r.id FROM shipments r WHERE r.id = $1 FOR KEY SHARE;

-- shipments_9109d51425f09cb1
--   a list of deletions, for the last values
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC')
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS row (record, number), jsonb_populate_record(NULL::shipments, row.record) r
  ORDER BY row.number;

-- shipments_529e192859826430
--   a bulk request or an import that names shipments by their code
SELECT r.id, r.shipment_code::text AS name FROM shipments r WHERE r.id = ANY ($1::uuid[]) OR r.shipment_code::text = ANY ($2::text[]) ;

-- shipments_7d3c37f1a0568feb
--   an import is examined: the current versions
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE r.id = ANY ($1::uuid[]);

-- shipments_902218401f30969e
--   an import is examined: the versions of the file
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC')
FROM unnest($1::uuid[], $2::text[]) AS named (id, e_tag)
CROSS JOIN LATERAL (
  SELECT h.record FROM history h
  WHERE h.record_id = named.id AND h.e_tag = decode(named.e_tag, 'hex') AND h.record_kind = 'shipment'
    AND NOT h.record ? 'erased'
  LIMIT 1
) h
CROSS JOIN LATERAL jsonb_populate_record(NULL::shipments, h.record) r;

-- shipments_cb0486418e10d15f
--   a bulk request or an import: the locks
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE r.id = ANY ($1::uuid[]) ORDER BY r.id FOR NO KEY UPDATE;

-- shipments_a93e1f0f40e921e0
--   a bulk request or an import that changes destinationAddress.country of several records
UPDATE shipments AS r SET destination_address_country = new_row.destination_address_country
FROM unnest($1::uuid[], $2::timestamptz[], $3::varchar[]) AS new_row (id, updated_at, destination_address_country)
WHERE r.id = new_row.id AND r.updated_at = new_row.updated_at
RETURNING r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC');

-- shipments_file
--   a file of the list, read by a cursor. PostgreSQL does not know its name: it is not prepared.
SELECT r.id, r.shipment_code::text, r.move_id, r.shipment_type::text, r.status::text, r.rejection_reason::text, to_json(r.pickup_date),
  to_json(r.delivery_date), to_json(r.estimated_weight), to_json(r.actual_weight), r.customer_remarks::text, r.pickup_address_id,
  r.pickup_address_street_address1::text, r.pickup_address_street_address2::text, r.pickup_address_street_address3::text,
  r.pickup_address_city::text, r.pickup_address_state::text, r.pickup_address_postal_code::text, r.pickup_address_country::text,
  r.destination_address_id, r.destination_address_street_address1::text, r.destination_address_street_address2::text,
  r.destination_address_street_address3::text, r.destination_address_city::text, r.destination_address_state::text,
  r.destination_address_postal_code::text, r.destination_address_country::text, to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM shipments r WHERE true ORDER BY r.id DESC;
