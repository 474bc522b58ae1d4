-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- events_number
--   Numbers the visible history entries; see the migration that creates the function.
SELECT number_events() AS numbered;

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
  WHERE gone.number > 0 AND NOT EXISTS (
    SELECT FROM history h WHERE h.root_id = gone.root_id AND h.position = gone.position AND h.changed_at = gone.moment
  )
), 0);

-- events_before_first_kept
--   The event before the oldest one that is kept. The first event of each month shows whether the month is present. Where it is missing, the month
--   may have got entries after it was archived: the first of those counts.
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
WHERE e.number = coalesce((
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

-- events_after
SELECT
  (SELECT e.number || '.' || encode(e.seal, 'hex') FROM events e WHERE e.number = $1::bigint) AS at,
  (SELECT e.number || '.' || encode(e.seal, 'hex') FROM events e WHERE e.number <= $1::bigint + 5000
    ORDER BY e.number DESC LIMIT 1) AS last,
  string_agg(e.number || E'\t' || encode(e.seal, 'hex') || E'\t' || e.kind || E'\t' || e.type || E'\t' || e.record_id || E'\t' || e.root_id || E'\t' || coalesce(e.move_id::text, '') || E'\t' || iso_ms(e.moment) || E'\t' || coalesce(encode(h.e_tag, 'hex'), '') || E'\t' || CASE WHEN h.type <> 'erased' AND (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN coalesce(to_json(encode(before.e_tag, 'hex'))::text, 'null') ELSE '' END || E'\t' || coalesce(to_json(h.changed_by)::text, '') || E'\t' || coalesce(to_json(h.request_id)::text, '') || E'\t' || CASE WHEN h.erased THEN 'true' ELSE '' END || E'\t' || coalesce(CASE e.kind WHEN 'move' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'move_code' IS DISTINCT
    FROM h.record ->> 'move_code' THEN '{"field":"moveCode","from":' || coalesce((before.record -> 'move_code')::text, 'null') || ',"to":' || coalesce((h.record -> 'move_code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'order_id' IS DISTINCT
    FROM h.record ->> 'order_id' THEN '{"field":"orderID","from":' || coalesce((before.record -> 'order_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'order_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'remarks' IS DISTINCT
    FROM h.record ->> 'remarks' THEN '{"field":"remarks","from":' || coalesce((before.record -> 'remarks')::text, 'null') || ',"to":' || coalesce((h.record -> 'remarks')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
    FROM unnest('{move_code,order_id,remarks}'::text[], '{moveCode,orderID,remarks}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'shipment' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'shipment_code' IS DISTINCT
    FROM h.record ->> 'shipment_code' THEN '{"field":"shipmentCode","from":' || coalesce((before.record -> 'shipment_code')::text, 'null') || ',"to":' || coalesce((h.record -> 'shipment_code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'move_id' IS DISTINCT
    FROM h.record ->> 'move_id' THEN '{"field":"moveID","from":' || coalesce((before.record -> 'move_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'move_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'shipment_type' IS DISTINCT
    FROM h.record ->> 'shipment_type' THEN '{"field":"shipmentType","from":' || coalesce((before.record -> 'shipment_type')::text, 'null') || ',"to":' || coalesce((h.record -> 'shipment_type')::text, 'null') || '}' END, CASE WHEN before.record ->> 'status' IS DISTINCT
    FROM h.record ->> 'status' THEN '{"field":"status","from":' || coalesce((before.record -> 'status')::text, 'null') || ',"to":' || coalesce((h.record -> 'status')::text, 'null') || '}' END, CASE WHEN before.record ->> 'rejection_reason' IS DISTINCT
    FROM h.record ->> 'rejection_reason' THEN '{"field":"rejectionReason","from":' || coalesce((before.record -> 'rejection_reason')::text, 'null') || ',"to":' || coalesce((h.record -> 'rejection_reason')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_date' IS DISTINCT
    FROM h.record ->> 'pickup_date' THEN '{"field":"pickupDate","from":' || coalesce((before.record -> 'pickup_date')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_date')::text, 'null') || '}' END, CASE WHEN before.record ->> 'delivery_date' IS DISTINCT
    FROM h.record ->> 'delivery_date' THEN '{"field":"deliveryDate","from":' || coalesce((before.record -> 'delivery_date')::text, 'null') || ',"to":' || coalesce((h.record -> 'delivery_date')::text, 'null') || '}' END, CASE WHEN before.record ->> 'estimated_weight' IS DISTINCT
    FROM h.record ->> 'estimated_weight' THEN '{"field":"estimatedWeight","from":' || coalesce((before.record -> 'estimated_weight')::text, 'null') || ',"to":' || coalesce((h.record -> 'estimated_weight')::text, 'null') || '}' END, CASE WHEN before.record ->> 'actual_weight' IS DISTINCT
    FROM h.record ->> 'actual_weight' THEN '{"field":"actualWeight","from":' || coalesce((before.record -> 'actual_weight')::text, 'null') || ',"to":' || coalesce((h.record -> 'actual_weight')::text, 'null') || '}' END, CASE WHEN before.record ->> 'customer_remarks' IS DISTINCT
    FROM h.record ->> 'customer_remarks' THEN '{"field":"customerRemarks","from":' || coalesce((before.record -> 'customer_remarks')::text, 'null') || ',"to":' || coalesce((h.record -> 'customer_remarks')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_street_address1' IS DISTINCT
    FROM h.record ->> 'pickup_address_street_address1' THEN '{"field":"pickupAddress/streetAddress1","from":' || coalesce((before.record -> 'pickup_address_street_address1')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_street_address1')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_street_address2' IS DISTINCT
    FROM h.record ->> 'pickup_address_street_address2' THEN '{"field":"pickupAddress/streetAddress2","from":' || coalesce((before.record -> 'pickup_address_street_address2')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_street_address2')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_street_address3' IS DISTINCT
    FROM h.record ->> 'pickup_address_street_address3' THEN '{"field":"pickupAddress/streetAddress3","from":' || coalesce((before.record -> 'pickup_address_street_address3')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_street_address3')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_city' IS DISTINCT
    FROM h.record ->> 'pickup_address_city' THEN '{"field":"pickupAddress/city","from":' || coalesce((before.record -> 'pickup_address_city')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_city')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_state' IS DISTINCT
    FROM h.record ->> 'pickup_address_state' THEN '{"field":"pickupAddress/state","from":' || coalesce((before.record -> 'pickup_address_state')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_state')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_postal_code' IS DISTINCT
    FROM h.record ->> 'pickup_address_postal_code' THEN '{"field":"pickupAddress/postalCode","from":' || coalesce((before.record -> 'pickup_address_postal_code')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_postal_code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_country' IS DISTINCT
    FROM h.record ->> 'pickup_address_country' THEN '{"field":"pickupAddress/country","from":' || coalesce((before.record -> 'pickup_address_country')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_country')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_street_address1' IS DISTINCT
    FROM h.record ->> 'destination_address_street_address1' THEN '{"field":"destinationAddress/streetAddress1","from":' || coalesce((before.record -> 'destination_address_street_address1')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_street_address1')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_street_address2' IS DISTINCT
    FROM h.record ->> 'destination_address_street_address2' THEN '{"field":"destinationAddress/streetAddress2","from":' || coalesce((before.record -> 'destination_address_street_address2')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_street_address2')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_street_address3' IS DISTINCT
    FROM h.record ->> 'destination_address_street_address3' THEN '{"field":"destinationAddress/streetAddress3","from":' || coalesce((before.record -> 'destination_address_street_address3')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_street_address3')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_city' IS DISTINCT
    FROM h.record ->> 'destination_address_city' THEN '{"field":"destinationAddress/city","from":' || coalesce((before.record -> 'destination_address_city')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_city')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_state' IS DISTINCT
    FROM h.record ->> 'destination_address_state' THEN '{"field":"destinationAddress/state","from":' || coalesce((before.record -> 'destination_address_state')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_state')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_postal_code' IS DISTINCT
    FROM h.record ->> 'destination_address_postal_code' THEN '{"field":"destinationAddress/postalCode","from":' || coalesce((before.record -> 'destination_address_postal_code')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_postal_code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_country' IS DISTINCT
    FROM h.record ->> 'destination_address_country' THEN '{"field":"destinationAddress/country","from":' || coalesce((before.record -> 'destination_address_country')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_country')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
   
      FROM unnest('{shipment_code,move_id,shipment_type,status,rejection_reason,pickup_date,delivery_date,estimated_weight,actual_weight,customer_remarks,pickup_address_street_address1,pickup_address_street_address2,pickup_address_street_address3,pickup_address_city,pickup_address_state,pickup_address_postal_code,pickup_address_country,destination_address_street_address1,destination_address_street_address2,destination_address_street_address3,destination_address_city,destination_address_state,destination_address_postal_code,destination_address_country}'::text[], '{shipmentCode,moveID,shipmentType,status,rejectionReason,pickupDate,deliveryDate,estimatedWeight,actualWeight,customerRemarks,pickupAddress/streetAddress1,pickupAddress/streetAddress2,pickupAddress/streetAddress3,pickupAddress/city,pickupAddress/state,pickupAddress/postalCode,pickupAddress/country,destinationAddress/streetAddress1,destinationAddress/streetAddress2,destinationAddress/streetAddress3,destinationAddress/city,destinationAddress/state,destinationAddress/postalCode,destinationAddress/country}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'agent' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'shipment_id' IS DISTINCT
    FROM h.record ->> 'shipment_id' THEN '{"field":"shipmentID","from":' || coalesce((before.record -> 'shipment_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'shipment_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'agent_type' IS DISTINCT
    FROM h.record ->> 'agent_type' THEN '{"field":"agentType","from":' || coalesce((before.record -> 'agent_type')::text, 'null') || ',"to":' || coalesce((h.record -> 'agent_type')::text, 'null') || '}' END, CASE WHEN before.record ->> 'first_name' IS DISTINCT
    FROM h.record ->> 'first_name' THEN '{"field":"firstName","from":' || coalesce((before.record -> 'first_name')::text, 'null') || ',"to":' || coalesce((h.record -> 'first_name')::text, 'null') || '}' END, CASE WHEN before.record ->> 'last_name' IS DISTINCT
    FROM h.record ->> 'last_name' THEN '{"field":"lastName","from":' || coalesce((before.record -> 'last_name')::text, 'null') || ',"to":' || coalesce((h.record -> 'last_name')::text, 'null') || '}' END, CASE WHEN before.record ->> 'email' IS DISTINCT
    FROM h.record ->> 'email' THEN '{"field":"email","from":' || coalesce((before.record -> 'email')::text, 'null') || ',"to":' || coalesce((h.record -> 'email')::text, 'null') || '}' END, CASE WHEN before.record ->> 'phone' IS DISTINCT
    FROM h.record ->> 'phone' THEN '{"field":"phone","from":' || coalesce((before.record -> 'phone')::text, 'null') || ',"to":' || coalesce((h.record -> 'phone')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
   
      FROM unnest('{shipment_id,agent_type,first_name,last_name,email,phone}'::text[], '{shipmentID,agentType,firstName,lastName,email,phone}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'service' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'shipment_id' IS DISTINCT
    FROM h.record ->> 'shipment_id' THEN '{"field":"shipmentID","from":' || coalesce((before.record -> 'shipment_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'shipment_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'code' IS DISTINCT
    FROM h.record ->> 'code' THEN '{"field":"code","from":' || coalesce((before.record -> 'code')::text, 'null') || ',"to":' || coalesce((h.record -> 'code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'description' IS DISTINCT
    FROM h.record ->> 'description' THEN '{"field":"description","from":' || coalesce((before.record -> 'description')::text, 'null') || ',"to":' || coalesce((h.record -> 'description')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
    FROM unnest('{shipment_id,code,description}'::text[], '{shipmentID,code,description}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'import' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'format' IS DISTINCT
    FROM h.record ->> 'format' THEN '{"field":"format","from":' || coalesce((before.record -> 'format')::text, 'null') || ',"to":' || coalesce((h.record -> 'format')::text, 'null') || '}' END, CASE WHEN before.record ->> 'file_name' IS DISTINCT
    FROM h.record ->> 'file_name' THEN '{"field":"fileName","from":' || coalesce((before.record -> 'file_name')::text, 'null') || ',"to":' || coalesce((h.record -> 'file_name')::text, 'null') || '}' END, CASE WHEN before.record ->> 'state' IS DISTINCT
    FROM h.record ->> 'state' THEN '{"field":"state","from":' || coalesce((before.record -> 'state')::text, 'null') || ',"to":' || coalesce((h.record -> 'state')::text, 'null') || '}' END, CASE WHEN before.record ->> 'created_by' IS DISTINCT
    FROM h.record ->> 'created_by' THEN '{"field":"createdBy","from":' || coalesce((before.record -> 'created_by')::text, 'null') || ',"to":' || coalesce((h.record -> 'created_by')::text, 'null') || '}' END, CASE WHEN before.record ->> 'rows' IS DISTINCT
    FROM h.record ->> 'rows' THEN '{"field":"rows","from":' || coalesce((before.record -> 'rows')::text, 'null') || ',"to":' || coalesce((h.record -> 'rows')::text, 'null') || '}' END, CASE WHEN before.record ->> 'to_create' IS DISTINCT
    FROM h.record ->> 'to_create' THEN '{"field":"toCreate","from":' || coalesce((before.record -> 'to_create')::text, 'null') || ',"to":' || coalesce((h.record -> 'to_create')::text, 'null') || '}' END, CASE WHEN before.record ->> 'to_change' IS DISTINCT
    FROM h.record ->> 'to_change' THEN '{"field":"toChange","from":' || coalesce((before.record -> 'to_change')::text, 'null') || ',"to":' || coalesce((h.record -> 'to_change')::text, 'null') || '}' END, CASE WHEN before.record ->> 'created' IS DISTINCT
    FROM h.record ->> 'created' THEN '{"field":"created","from":' || coalesce((before.record -> 'created')::text, 'null') || ',"to":' || coalesce((h.record -> 'created')::text, 'null') || '}' END, CASE WHEN before.record ->> 'changed' IS DISTINCT
    FROM h.record ->> 'changed' THEN '{"field":"changed","from":' || coalesce((before.record -> 'changed')::text, 'null') || ',"to":' || coalesce((h.record -> 'changed')::text, 'null') || '}' END, CASE WHEN before.record ->> 'unchanged' IS DISTINCT
    FROM h.record ->> 'unchanged' THEN '{"field":"unchanged","from":' || coalesce((before.record -> 'unchanged')::text, 'null') || ',"to":' || coalesce((h.record -> 'unchanged')::text, 'null') || '}' END, CASE WHEN before.record ->> 'refused' IS DISTINCT
    FROM h.record ->> 'refused' THEN '{"field":"refused","from":' || coalesce((before.record -> 'refused')::text, 'null') || ',"to":' || coalesce((h.record -> 'refused')::text, 'null') || '}' END, CASE WHEN before.record ->> 'expires_at' IS DISTINCT
    FROM h.record ->> 'expires_at' THEN '{"field":"expiresAt","from":' || coalesce((before.record -> 'expires_at')::text, 'null') || ',"to":' || coalesce((h.record -> 'expires_at')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
   
      FROM unnest('{format,file_name,state,created_by,rows,to_create,to_change,created,changed,unchanged,refused,expires_at}'::text[], '{format,fileName,state,createdBy,rows,toCreate,toChange,created,changed,unchanged,refused,expiresAt}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'webhook' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'url' IS DISTINCT
    FROM h.record ->> 'url' THEN '{"field":"url","from":' || coalesce((before.record -> 'url')::text, 'null') || ',"to":' || coalesce((h.record -> 'url')::text, 'null') || '}' END, CASE WHEN before.record ->> 'types' IS DISTINCT
    FROM h.record ->> 'types' THEN '{"field":"types","from":' || coalesce((before.record -> 'types')::text, 'null') || ',"to":' || coalesce((h.record -> 'types')::text, 'null') || '}' END, CASE WHEN before.record ->> 'resource_id' IS DISTINCT
    FROM h.record ->> 'resource_id' THEN '{"field":"resourceID","from":' || coalesce((before.record -> 'resource_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'resource_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'move_id' IS DISTINCT
    FROM h.record ->> 'move_id' THEN '{"field":"moveID","from":' || coalesce((before.record -> 'move_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'move_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'payload' IS DISTINCT
    FROM h.record ->> 'payload' THEN '{"field":"payload","from":' || coalesce((before.record -> 'payload')::text, 'null') || ',"to":' || coalesce((h.record -> 'payload')::text, 'null') || '}' END, CASE WHEN before.record ->> 'description' IS DISTINCT
    FROM h.record ->> 'description' THEN '{"field":"description","from":' || coalesce((before.record -> 'description')::text, 'null') || ',"to":' || coalesce((h.record -> 'description')::text, 'null') || '}' END, CASE WHEN before.record ->> 'enabled' IS DISTINCT
    FROM h.record ->> 'enabled' THEN '{"field":"enabled","from":' || coalesce((before.record -> 'enabled')::text, 'null') || ',"to":' || coalesce((h.record -> 'enabled')::text, 'null') || '}' END, CASE WHEN before.record ->> 'disabled_reason' IS DISTINCT
    FROM h.record ->> 'disabled_reason' THEN '{"field":"disabledReason","from":' || coalesce((before.record -> 'disabled_reason')::text, 'null') || ',"to":' || coalesce((h.record -> 'disabled_reason')::text, 'null') || '}' END, CASE WHEN before.record ->> 'disabled_at' IS DISTINCT
    FROM h.record ->> 'disabled_at' THEN '{"field":"disabledAt","from":' || coalesce((before.record -> 'disabled_at')::text, 'null') || ',"to":' || coalesce((h.record -> 'disabled_at')::text, 'null') || '}' END, CASE WHEN before.record ->> 'scopes' IS DISTINCT
    FROM h.record ->> 'scopes' THEN '{"field":"scopes","from":' || coalesce((before.record -> 'scopes')::text, 'null') || ',"to":' || coalesce((h.record -> 'scopes')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
   
      FROM unnest('{url,types,resource_id,move_id,payload,description,enabled,disabled_reason,disabled_at,scopes}'::text[], '{url,types,resourceID,moveID,payload,description,enabled,disabledReason,disabledAt,scopes}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'key' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'name' IS DISTINCT
    FROM h.record ->> 'name' THEN '{"field":"name","from":' || coalesce((before.record -> 'name')::text, 'null') || ',"to":' || coalesce((h.record -> 'name')::text, 'null') || '}' END, CASE WHEN before.record ->> 'scopes' IS DISTINCT
    FROM h.record ->> 'scopes' THEN '{"field":"scopes","from":' || coalesce((before.record -> 'scopes')::text, 'null') || ',"to":' || coalesce((h.record -> 'scopes')::text, 'null') || '}' END, CASE WHEN before.record ->> 'expires_at' IS DISTINCT
    FROM h.record ->> 'expires_at' THEN '{"field":"expiresAt","from":' || coalesce((before.record -> 'expires_at')::text, 'null') || ',"to":' || coalesce((h.record -> 'expires_at')::text, 'null') || '}' END, CASE WHEN before.record ->> 'created_by' IS DISTINCT
    FROM h.record ->> 'created_by' THEN '{"field":"createdBy","from":' || coalesce((before.record -> 'created_by')::text, 'null') || ',"to":' || coalesce((h.record -> 'created_by')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
    FROM unnest('{name,scopes,expires_at,created_by}'::text[], '{name,scopes,expiresAt,createdBy}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END END, ''), E'\n') AS lines
FROM (
  SELECT e.* FROM events e
  WHERE e.number > $1::bigint AND e.number <= $1::bigint + 5000 AND 
    ($3::text[] IS NULL OR e.kind = ANY ($3::text[]))
    AND ($4::text[] IS NULL OR e.type = ANY ($4::text[]))
    AND ($5::uuid IS NULL OR e.record_id = $5::uuid OR e.root_id = $5::uuid)
    AND ($6::uuid IS NULL OR e.move_id = $6::uuid)
  ORDER BY e.number LIMIT $2
) e
LEFT JOIN LATERAL (
  SELECT type, e_tag, changed_by, request_id, erased, record FROM history
  WHERE root_id = e.root_id AND position = e.position AND changed_at = e.moment LIMIT 1
) h ON true
LEFT JOIN LATERAL (
  SELECT position, e_tag, record FROM history
  WHERE root_id = e.root_id AND position = e.before_position AND changed_at = e.before_moment LIMIT 1
) before ON true;

-- events_numbered
SELECT string_agg(e.number || E'\t' || encode(e.seal, 'hex') || E'\t' || e.kind || E'\t' || e.type || E'\t' || e.record_id || E'\t' || e.root_id || E'\t' || coalesce(e.move_id::text, '') || E'\t' || iso_ms(e.moment) || E'\t' || coalesce(encode(h.e_tag, 'hex'), '') || E'\t' || CASE WHEN h.type <> 'erased' AND (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
  FROM 'true') THEN coalesce(to_json(encode(before.e_tag, 'hex'))::text, 'null') ELSE '' END || E'\t' || coalesce(to_json(h.changed_by)::text, '') || E'\t' || coalesce(to_json(h.request_id)::text, '') || E'\t' || CASE WHEN h.erased THEN 'true' ELSE '' END || E'\t' || coalesce(CASE e.kind WHEN 'move' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'move_code' IS DISTINCT
    FROM h.record ->> 'move_code' THEN '{"field":"moveCode","from":' || coalesce((before.record -> 'move_code')::text, 'null') || ',"to":' || coalesce((h.record -> 'move_code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'order_id' IS DISTINCT
    FROM h.record ->> 'order_id' THEN '{"field":"orderID","from":' || coalesce((before.record -> 'order_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'order_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'remarks' IS DISTINCT
    FROM h.record ->> 'remarks' THEN '{"field":"remarks","from":' || coalesce((before.record -> 'remarks')::text, 'null') || ',"to":' || coalesce((h.record -> 'remarks')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
    FROM unnest('{move_code,order_id,remarks}'::text[], '{moveCode,orderID,remarks}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'shipment' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'shipment_code' IS DISTINCT
    FROM h.record ->> 'shipment_code' THEN '{"field":"shipmentCode","from":' || coalesce((before.record -> 'shipment_code')::text, 'null') || ',"to":' || coalesce((h.record -> 'shipment_code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'move_id' IS DISTINCT
    FROM h.record ->> 'move_id' THEN '{"field":"moveID","from":' || coalesce((before.record -> 'move_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'move_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'shipment_type' IS DISTINCT
    FROM h.record ->> 'shipment_type' THEN '{"field":"shipmentType","from":' || coalesce((before.record -> 'shipment_type')::text, 'null') || ',"to":' || coalesce((h.record -> 'shipment_type')::text, 'null') || '}' END, CASE WHEN before.record ->> 'status' IS DISTINCT
    FROM h.record ->> 'status' THEN '{"field":"status","from":' || coalesce((before.record -> 'status')::text, 'null') || ',"to":' || coalesce((h.record -> 'status')::text, 'null') || '}' END, CASE WHEN before.record ->> 'rejection_reason' IS DISTINCT
    FROM h.record ->> 'rejection_reason' THEN '{"field":"rejectionReason","from":' || coalesce((before.record -> 'rejection_reason')::text, 'null') || ',"to":' || coalesce((h.record -> 'rejection_reason')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_date' IS DISTINCT
    FROM h.record ->> 'pickup_date' THEN '{"field":"pickupDate","from":' || coalesce((before.record -> 'pickup_date')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_date')::text, 'null') || '}' END, CASE WHEN before.record ->> 'delivery_date' IS DISTINCT
    FROM h.record ->> 'delivery_date' THEN '{"field":"deliveryDate","from":' || coalesce((before.record -> 'delivery_date')::text, 'null') || ',"to":' || coalesce((h.record -> 'delivery_date')::text, 'null') || '}' END, CASE WHEN before.record ->> 'estimated_weight' IS DISTINCT
    FROM h.record ->> 'estimated_weight' THEN '{"field":"estimatedWeight","from":' || coalesce((before.record -> 'estimated_weight')::text, 'null') || ',"to":' || coalesce((h.record -> 'estimated_weight')::text, 'null') || '}' END, CASE WHEN before.record ->> 'actual_weight' IS DISTINCT
    FROM h.record ->> 'actual_weight' THEN '{"field":"actualWeight","from":' || coalesce((before.record -> 'actual_weight')::text, 'null') || ',"to":' || coalesce((h.record -> 'actual_weight')::text, 'null') || '}' END, CASE WHEN before.record ->> 'customer_remarks' IS DISTINCT
    FROM h.record ->> 'customer_remarks' THEN '{"field":"customerRemarks","from":' || coalesce((before.record -> 'customer_remarks')::text, 'null') || ',"to":' || coalesce((h.record -> 'customer_remarks')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_street_address1' IS DISTINCT
    FROM h.record ->> 'pickup_address_street_address1' THEN '{"field":"pickupAddress/streetAddress1","from":' || coalesce((before.record -> 'pickup_address_street_address1')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_street_address1')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_street_address2' IS DISTINCT
    FROM h.record ->> 'pickup_address_street_address2' THEN '{"field":"pickupAddress/streetAddress2","from":' || coalesce((before.record -> 'pickup_address_street_address2')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_street_address2')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_street_address3' IS DISTINCT
    FROM h.record ->> 'pickup_address_street_address3' THEN '{"field":"pickupAddress/streetAddress3","from":' || coalesce((before.record -> 'pickup_address_street_address3')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_street_address3')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_city' IS DISTINCT
    FROM h.record ->> 'pickup_address_city' THEN '{"field":"pickupAddress/city","from":' || coalesce((before.record -> 'pickup_address_city')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_city')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_state' IS DISTINCT
    FROM h.record ->> 'pickup_address_state' THEN '{"field":"pickupAddress/state","from":' || coalesce((before.record -> 'pickup_address_state')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_state')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_postal_code' IS DISTINCT
    FROM h.record ->> 'pickup_address_postal_code' THEN '{"field":"pickupAddress/postalCode","from":' || coalesce((before.record -> 'pickup_address_postal_code')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_postal_code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'pickup_address_country' IS DISTINCT
    FROM h.record ->> 'pickup_address_country' THEN '{"field":"pickupAddress/country","from":' || coalesce((before.record -> 'pickup_address_country')::text, 'null') || ',"to":' || coalesce((h.record -> 'pickup_address_country')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_street_address1' IS DISTINCT
    FROM h.record ->> 'destination_address_street_address1' THEN '{"field":"destinationAddress/streetAddress1","from":' || coalesce((before.record -> 'destination_address_street_address1')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_street_address1')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_street_address2' IS DISTINCT
    FROM h.record ->> 'destination_address_street_address2' THEN '{"field":"destinationAddress/streetAddress2","from":' || coalesce((before.record -> 'destination_address_street_address2')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_street_address2')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_street_address3' IS DISTINCT
    FROM h.record ->> 'destination_address_street_address3' THEN '{"field":"destinationAddress/streetAddress3","from":' || coalesce((before.record -> 'destination_address_street_address3')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_street_address3')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_city' IS DISTINCT
    FROM h.record ->> 'destination_address_city' THEN '{"field":"destinationAddress/city","from":' || coalesce((before.record -> 'destination_address_city')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_city')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_state' IS DISTINCT
    FROM h.record ->> 'destination_address_state' THEN '{"field":"destinationAddress/state","from":' || coalesce((before.record -> 'destination_address_state')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_state')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_postal_code' IS DISTINCT
    FROM h.record ->> 'destination_address_postal_code' THEN '{"field":"destinationAddress/postalCode","from":' || coalesce((before.record -> 'destination_address_postal_code')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_postal_code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'destination_address_country' IS DISTINCT
    FROM h.record ->> 'destination_address_country' THEN '{"field":"destinationAddress/country","from":' || coalesce((before.record -> 'destination_address_country')::text, 'null') || ',"to":' || coalesce((h.record -> 'destination_address_country')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
   
      FROM unnest('{shipment_code,move_id,shipment_type,status,rejection_reason,pickup_date,delivery_date,estimated_weight,actual_weight,customer_remarks,pickup_address_street_address1,pickup_address_street_address2,pickup_address_street_address3,pickup_address_city,pickup_address_state,pickup_address_postal_code,pickup_address_country,destination_address_street_address1,destination_address_street_address2,destination_address_street_address3,destination_address_city,destination_address_state,destination_address_postal_code,destination_address_country}'::text[], '{shipmentCode,moveID,shipmentType,status,rejectionReason,pickupDate,deliveryDate,estimatedWeight,actualWeight,customerRemarks,pickupAddress/streetAddress1,pickupAddress/streetAddress2,pickupAddress/streetAddress3,pickupAddress/city,pickupAddress/state,pickupAddress/postalCode,pickupAddress/country,destinationAddress/streetAddress1,destinationAddress/streetAddress2,destinationAddress/streetAddress3,destinationAddress/city,destinationAddress/state,destinationAddress/postalCode,destinationAddress/country}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'agent' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'shipment_id' IS DISTINCT
    FROM h.record ->> 'shipment_id' THEN '{"field":"shipmentID","from":' || coalesce((before.record -> 'shipment_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'shipment_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'agent_type' IS DISTINCT
    FROM h.record ->> 'agent_type' THEN '{"field":"agentType","from":' || coalesce((before.record -> 'agent_type')::text, 'null') || ',"to":' || coalesce((h.record -> 'agent_type')::text, 'null') || '}' END, CASE WHEN before.record ->> 'first_name' IS DISTINCT
    FROM h.record ->> 'first_name' THEN '{"field":"firstName","from":' || coalesce((before.record -> 'first_name')::text, 'null') || ',"to":' || coalesce((h.record -> 'first_name')::text, 'null') || '}' END, CASE WHEN before.record ->> 'last_name' IS DISTINCT
    FROM h.record ->> 'last_name' THEN '{"field":"lastName","from":' || coalesce((before.record -> 'last_name')::text, 'null') || ',"to":' || coalesce((h.record -> 'last_name')::text, 'null') || '}' END, CASE WHEN before.record ->> 'email' IS DISTINCT
    FROM h.record ->> 'email' THEN '{"field":"email","from":' || coalesce((before.record -> 'email')::text, 'null') || ',"to":' || coalesce((h.record -> 'email')::text, 'null') || '}' END, CASE WHEN before.record ->> 'phone' IS DISTINCT
    FROM h.record ->> 'phone' THEN '{"field":"phone","from":' || coalesce((before.record -> 'phone')::text, 'null') || ',"to":' || coalesce((h.record -> 'phone')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
   
      FROM unnest('{shipment_id,agent_type,first_name,last_name,email,phone}'::text[], '{shipmentID,agentType,firstName,lastName,email,phone}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'service' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'shipment_id' IS DISTINCT
    FROM h.record ->> 'shipment_id' THEN '{"field":"shipmentID","from":' || coalesce((before.record -> 'shipment_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'shipment_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'code' IS DISTINCT
    FROM h.record ->> 'code' THEN '{"field":"code","from":' || coalesce((before.record -> 'code')::text, 'null') || ',"to":' || coalesce((h.record -> 'code')::text, 'null') || '}' END, CASE WHEN before.record ->> 'description' IS DISTINCT
    FROM h.record ->> 'description' THEN '{"field":"description","from":' || coalesce((before.record -> 'description')::text, 'null') || ',"to":' || coalesce((h.record -> 'description')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
    FROM unnest('{shipment_id,code,description}'::text[], '{shipmentID,code,description}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'import' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'format' IS DISTINCT
    FROM h.record ->> 'format' THEN '{"field":"format","from":' || coalesce((before.record -> 'format')::text, 'null') || ',"to":' || coalesce((h.record -> 'format')::text, 'null') || '}' END, CASE WHEN before.record ->> 'file_name' IS DISTINCT
    FROM h.record ->> 'file_name' THEN '{"field":"fileName","from":' || coalesce((before.record -> 'file_name')::text, 'null') || ',"to":' || coalesce((h.record -> 'file_name')::text, 'null') || '}' END, CASE WHEN before.record ->> 'state' IS DISTINCT
    FROM h.record ->> 'state' THEN '{"field":"state","from":' || coalesce((before.record -> 'state')::text, 'null') || ',"to":' || coalesce((h.record -> 'state')::text, 'null') || '}' END, CASE WHEN before.record ->> 'created_by' IS DISTINCT
    FROM h.record ->> 'created_by' THEN '{"field":"createdBy","from":' || coalesce((before.record -> 'created_by')::text, 'null') || ',"to":' || coalesce((h.record -> 'created_by')::text, 'null') || '}' END, CASE WHEN before.record ->> 'rows' IS DISTINCT
    FROM h.record ->> 'rows' THEN '{"field":"rows","from":' || coalesce((before.record -> 'rows')::text, 'null') || ',"to":' || coalesce((h.record -> 'rows')::text, 'null') || '}' END, CASE WHEN before.record ->> 'to_create' IS DISTINCT
    FROM h.record ->> 'to_create' THEN '{"field":"toCreate","from":' || coalesce((before.record -> 'to_create')::text, 'null') || ',"to":' || coalesce((h.record -> 'to_create')::text, 'null') || '}' END, CASE WHEN before.record ->> 'to_change' IS DISTINCT
    FROM h.record ->> 'to_change' THEN '{"field":"toChange","from":' || coalesce((before.record -> 'to_change')::text, 'null') || ',"to":' || coalesce((h.record -> 'to_change')::text, 'null') || '}' END, CASE WHEN before.record ->> 'created' IS DISTINCT
    FROM h.record ->> 'created' THEN '{"field":"created","from":' || coalesce((before.record -> 'created')::text, 'null') || ',"to":' || coalesce((h.record -> 'created')::text, 'null') || '}' END, CASE WHEN before.record ->> 'changed' IS DISTINCT
    FROM h.record ->> 'changed' THEN '{"field":"changed","from":' || coalesce((before.record -> 'changed')::text, 'null') || ',"to":' || coalesce((h.record -> 'changed')::text, 'null') || '}' END, CASE WHEN before.record ->> 'unchanged' IS DISTINCT
    FROM h.record ->> 'unchanged' THEN '{"field":"unchanged","from":' || coalesce((before.record -> 'unchanged')::text, 'null') || ',"to":' || coalesce((h.record -> 'unchanged')::text, 'null') || '}' END, CASE WHEN before.record ->> 'refused' IS DISTINCT
    FROM h.record ->> 'refused' THEN '{"field":"refused","from":' || coalesce((before.record -> 'refused')::text, 'null') || ',"to":' || coalesce((h.record -> 'refused')::text, 'null') || '}' END, CASE WHEN before.record ->> 'expires_at' IS DISTINCT
    FROM h.record ->> 'expires_at' THEN '{"field":"expiresAt","from":' || coalesce((before.record -> 'expires_at')::text, 'null') || ',"to":' || coalesce((h.record -> 'expires_at')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
   
      FROM unnest('{format,file_name,state,created_by,rows,to_create,to_change,created,changed,unchanged,refused,expires_at}'::text[], '{format,fileName,state,createdBy,rows,toCreate,toChange,created,changed,unchanged,refused,expiresAt}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'webhook' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'url' IS DISTINCT
    FROM h.record ->> 'url' THEN '{"field":"url","from":' || coalesce((before.record -> 'url')::text, 'null') || ',"to":' || coalesce((h.record -> 'url')::text, 'null') || '}' END, CASE WHEN before.record ->> 'types' IS DISTINCT
    FROM h.record ->> 'types' THEN '{"field":"types","from":' || coalesce((before.record -> 'types')::text, 'null') || ',"to":' || coalesce((h.record -> 'types')::text, 'null') || '}' END, CASE WHEN before.record ->> 'resource_id' IS DISTINCT
    FROM h.record ->> 'resource_id' THEN '{"field":"resourceID","from":' || coalesce((before.record -> 'resource_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'resource_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'move_id' IS DISTINCT
    FROM h.record ->> 'move_id' THEN '{"field":"moveID","from":' || coalesce((before.record -> 'move_id')::text, 'null') || ',"to":' || coalesce((h.record -> 'move_id')::text, 'null') || '}' END, CASE WHEN before.record ->> 'payload' IS DISTINCT
    FROM h.record ->> 'payload' THEN '{"field":"payload","from":' || coalesce((before.record -> 'payload')::text, 'null') || ',"to":' || coalesce((h.record -> 'payload')::text, 'null') || '}' END, CASE WHEN before.record ->> 'description' IS DISTINCT
    FROM h.record ->> 'description' THEN '{"field":"description","from":' || coalesce((before.record -> 'description')::text, 'null') || ',"to":' || coalesce((h.record -> 'description')::text, 'null') || '}' END, CASE WHEN before.record ->> 'enabled' IS DISTINCT
    FROM h.record ->> 'enabled' THEN '{"field":"enabled","from":' || coalesce((before.record -> 'enabled')::text, 'null') || ',"to":' || coalesce((h.record -> 'enabled')::text, 'null') || '}' END, CASE WHEN before.record ->> 'disabled_reason' IS DISTINCT
    FROM h.record ->> 'disabled_reason' THEN '{"field":"disabledReason","from":' || coalesce((before.record -> 'disabled_reason')::text, 'null') || ',"to":' || coalesce((h.record -> 'disabled_reason')::text, 'null') || '}' END, CASE WHEN before.record ->> 'disabled_at' IS DISTINCT
    FROM h.record ->> 'disabled_at' THEN '{"field":"disabledAt","from":' || coalesce((before.record -> 'disabled_at')::text, 'null') || ',"to":' || coalesce((h.record -> 'disabled_at')::text, 'null') || '}' END, CASE WHEN before.record ->> 'scopes' IS DISTINCT
    FROM h.record ->> 'scopes' THEN '{"field":"scopes","from":' || coalesce((before.record -> 'scopes')::text, 'null') || ',"to":' || coalesce((h.record -> 'scopes')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
   
      FROM unnest('{url,types,resource_id,move_id,payload,description,enabled,disabled_reason,disabled_at,scopes}'::text[], '{url,types,resourceID,moveID,payload,description,enabled,disabledReason,disabledAt,scopes}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END WHEN 'key' THEN 
CASE
  WHEN h.record ->> 'erased' = 'true' THEN ''
  WHEN (h.type IN ('created', 'restored') OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT
    FROM 'true') THEN concat_ws(',', CASE WHEN before.record ->> 'name' IS DISTINCT
    FROM h.record ->> 'name' THEN '{"field":"name","from":' || coalesce((before.record -> 'name')::text, 'null') || ',"to":' || coalesce((h.record -> 'name')::text, 'null') || '}' END, CASE WHEN before.record ->> 'scopes' IS DISTINCT
    FROM h.record ->> 'scopes' THEN '{"field":"scopes","from":' || coalesce((before.record -> 'scopes')::text, 'null') || ',"to":' || coalesce((h.record -> 'scopes')::text, 'null') || '}' END, CASE WHEN before.record ->> 'expires_at' IS DISTINCT
    FROM h.record ->> 'expires_at' THEN '{"field":"expiresAt","from":' || coalesce((before.record -> 'expires_at')::text, 'null') || ',"to":' || coalesce((h.record -> 'expires_at')::text, 'null') || '}' END, CASE WHEN before.record ->> 'created_by' IS DISTINCT
    FROM h.record ->> 'created_by' THEN '{"field":"createdBy","from":' || coalesce((before.record -> 'created_by')::text, 'null') || ',"to":' || coalesce((h.record -> 'created_by')::text, 'null') || '}' END)
  ELSE coalesce((
    SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
    FROM unnest('{name,scopes,expires_at,created_by}'::text[], '{name,scopes,expiresAt,createdBy}'::text[]) AS told (name, field)
    WHERE h.record IS NOT NULL
  ), '')
END END, ''), E'\n') AS lines
FROM (SELECT * FROM events WHERE number = ANY ($1::bigint[])) e
LEFT JOIN LATERAL (
  SELECT type, e_tag, changed_by, request_id, erased, record FROM history
  WHERE root_id = e.root_id AND position = e.position AND changed_at = e.moment LIMIT 1
) h ON true
LEFT JOIN LATERAL (
  SELECT position, e_tag, record FROM history
  WHERE root_id = e.root_id AND position = e.before_position AND changed_at = e.before_moment LIMIT 1
) before ON true;
