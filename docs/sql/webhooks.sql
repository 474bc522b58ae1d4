-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- webhooks_792c133cbb0fb554
--   GET /v1/webhooks/{id}
SELECT r.id, r.url::text, to_json(r.types), r.resource_id, r.move_id, r.payload::text, r.description::text, to_json(r.enabled),
  r.disabled_reason::text, to_json(r.disabled_at AT TIME ZONE 'UTC'), to_json(r.scopes), to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json(CASE WHEN NOT r.enabled THEN 'disabled' WHEN (SELECT failing_since
  FROM webhook_progress p WHERE p.webhook_id = r.id) IS NULL THEN 'active' ELSE 'failing' END), to_json((SELECT iso_ms(p.last_delivery_at)
  FROM webhook_progress p WHERE p.webhook_id = r.id)), to_json((SELECT round(p.failure_rate::numeric, 2) FROM webhook_progress p
  WHERE p.webhook_id = r.id)) FROM webhooks r WHERE r.id = $1;

-- webhooks_c7b8921a4c6a4d8f
--   GET /v1/webhooks
SELECT r.id, r.url::text, to_json(r.types), r.resource_id, r.move_id, r.payload::text, r.description::text, to_json(r.enabled),
  r.disabled_reason::text, to_json(r.disabled_at AT TIME ZONE 'UTC'), to_json(r.scopes), to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json(CASE WHEN NOT r.enabled THEN 'disabled' WHEN (SELECT failing_since
  FROM webhook_progress p WHERE p.webhook_id = r.id) IS NULL THEN 'active' ELSE 'failing' END), to_json((SELECT iso_ms(p.last_delivery_at)
  FROM webhook_progress p WHERE p.webhook_id = r.id)), to_json((SELECT round(p.failure_rate::numeric, 2) FROM webhook_progress p
  WHERE p.webhook_id = r.id)) FROM webhooks r WHERE true ORDER BY r.id DESC LIMIT 51;

-- webhooks_61e665de93220315
--   GET /v1/webhooks?cursor={cursor}
SELECT r.id, r.url::text, to_json(r.types), r.resource_id, r.move_id, r.payload::text, r.description::text, to_json(r.enabled),
  r.disabled_reason::text, to_json(r.disabled_at AT TIME ZONE 'UTC'), to_json(r.scopes), to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json(CASE WHEN NOT r.enabled THEN 'disabled' WHEN (SELECT failing_since
  FROM webhook_progress p WHERE p.webhook_id = r.id) IS NULL THEN 'active' ELSE 'failing' END), to_json((SELECT iso_ms(p.last_delivery_at)
  FROM webhook_progress p WHERE p.webhook_id = r.id)), to_json((SELECT round(p.failure_rate::numeric, 2) FROM webhook_progress p
  WHERE p.webhook_id = r.id)) FROM webhooks r WHERE (r.id) < ($1) ORDER BY r.id DESC LIMIT 51;

-- webhooks_cbf877ca48efb483
--   a record is created
INSERT INTO webhooks AS r (id, url, types, resource_id, move_id, payload, description, enabled, disabled_reason, disabled_at, scopes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING r.id, r.url::text, to_json(r.types), r.resource_id, r.move_id, r.payload::text, r.description::text, to_json(r.enabled),
  r.disabled_reason::text, to_json(r.disabled_at AT TIME ZONE 'UTC'), to_json(r.scopes), to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json(CASE WHEN NOT r.enabled THEN 'disabled' WHEN (SELECT failing_since
  FROM webhook_progress p WHERE p.webhook_id = r.id) IS NULL THEN 'active' ELSE 'failing' END), to_json((SELECT iso_ms(p.last_delivery_at)
  FROM webhook_progress p WHERE p.webhook_id = r.id)), to_json((SELECT round(p.failure_rate::numeric, 2) FROM webhook_progress p
  WHERE p.webhook_id = r.id));

-- webhooks_9aa07ef03970a7c7
--   a write with If-Match: the lock, if the version is this one
SELECT r.id, r.url::text, to_json(r.types), r.resource_id, r.move_id, r.payload::text, r.description::text, to_json(r.enabled),
  r.disabled_reason::text, to_json(r.disabled_at AT TIME ZONE 'UTC'), to_json(r.scopes), to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM webhooks r WHERE r.id = $1 AND etag_of(r.updated_at) = ANY ($2::text[]) FOR NO KEY UPDATE;

-- webhooks_15f95a6c1466dbe1
--   a write with If-Match: *
SELECT r.id, r.url::text, to_json(r.types), r.resource_id, r.move_id, r.payload::text, r.description::text, to_json(r.enabled),
  r.disabled_reason::text, to_json(r.disabled_at AT TIME ZONE 'UTC'), to_json(r.scopes), to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM webhooks r WHERE r.id = $1 FOR NO KEY UPDATE;

-- webhooks_d3d015a88071e630
--   a write with If-Match that does not match, to explain the 412
SELECT r.id, r.url::text, to_json(r.types), r.resource_id, r.move_id, r.payload::text, r.description::text, to_json(r.enabled),
  r.disabled_reason::text, to_json(r.disabled_at AT TIME ZONE 'UTC'), to_json(r.scopes), to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC') FROM webhooks r WHERE r.id = $1;

-- webhooks_86ea65d68e926a5c
--   PATCH or PUT of scopes
UPDATE webhooks AS r SET scopes = $3
WHERE r.id = $1 AND r.updated_at = $2
RETURNING r.id, r.url::text, to_json(r.types), r.resource_id, r.move_id, r.payload::text, r.description::text, to_json(r.enabled),
  r.disabled_reason::text, to_json(r.disabled_at AT TIME ZONE 'UTC'), to_json(r.scopes), to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json(CASE WHEN NOT r.enabled THEN 'disabled' WHEN (SELECT failing_since
  FROM webhook_progress p WHERE p.webhook_id = r.id) IS NULL THEN 'active' ELSE 'failing' END), to_json((SELECT iso_ms(p.last_delivery_at)
  FROM webhook_progress p WHERE p.webhook_id = r.id)), to_json((SELECT round(p.failure_rate::numeric, 2) FROM webhook_progress p
  WHERE p.webhook_id = r.id));

-- webhooks_b33e920368425bd1
--   DELETE
DELETE FROM webhooks WHERE id = $1 AND updated_at = $2 RETURNING id;

-- webhooks_41830687abab92f8
--   a write whose COMMIT was not answered
SELECT r.id, r.url::text, to_json(r.types), r.resource_id, r.move_id, r.payload::text, r.description::text, to_json(r.enabled),
  r.disabled_reason::text, to_json(r.disabled_at AT TIME ZONE 'UTC'), to_json(r.scopes), to_json(r.created_at AT TIME ZONE 'UTC'),
  to_json(r.updated_at AT TIME ZONE 'UTC'), to_json(CASE WHEN NOT r.enabled THEN 'disabled' WHEN (SELECT failing_since
  FROM webhook_progress p WHERE p.webhook_id = r.id) IS NULL THEN 'active' ELSE 'failing' END), to_json((SELECT iso_ms(p.last_delivery_at)
  FROM webhook_progress p WHERE p.webhook_id = r.id)), to_json((SELECT round(p.failure_rate::numeric, 2) FROM webhook_progress p
  WHERE p.webhook_id = r.id)) FROM history h, jsonb_populate_record(NULL::webhooks, h.record) r
WHERE h.record_id = $1 AND h.transaction_id = $2::xid8 AND h.request_id = $3;

-- webhook_add
--   The secret $2 of the new webhook $1, and its place in the feed: after the newest event.
WITH added AS (INSERT INTO webhook_secrets (webhook_id, secret) VALUES ($1::uuid, $2))
INSERT INTO webhook_progress (webhook_id, position) SELECT $1::uuid, max(number) FROM events;

-- webhook_lock_creator
SELECT pg_advisory_xact_lock(hashtext('webhooks by creator'), hashtext($1));

-- webhook_created_by
SELECT count(*)::int AS count FROM webhook_progress WHERE creator = encode(sha256(convert_to($1, 'UTF8')), 'hex');

-- webhook_forget_creator
UPDATE webhook_progress SET creator = (SELECT encode(sha256(uuid_send(gen_random_uuid())), 'hex'))
  WHERE creator = encode(sha256(convert_to($1, 'UTF8')), 'hex');

-- webhook_rotate_secret
--   The current secret signs for another day beside the new one, $2. Older ones no longer sign.
WITH dropped AS (DELETE FROM webhook_secrets WHERE webhook_id = $1::uuid AND expires_at IS NOT NULL),
replaced AS (
  UPDATE webhook_secrets SET expires_at = clock_timestamp() + interval '24 hours'
  WHERE webhook_id = $1::uuid AND expires_at IS NULL
)
INSERT INTO webhook_secrets (webhook_id, secret) VALUES ($1::uuid, $2);

-- webhook_lock_progress
--   Locks the webhooks $1. Every change of their deliveries takes this lock first, in a statement of its own, and in one order, so that two
--   replicas do not wait for each other. Returns the positions in the feed.
SELECT position::float8 AS position FROM webhook_progress
WHERE webhook_id = ANY ($1::uuid[]) ORDER BY webhook_id FOR UPDATE;

-- webhook_resume
--   Marks that everything that waits may be sent at once. The backlog may be long: the queue makes it due in steps.
UPDATE webhook_progress SET failing_since = NULL, resumed_after = 0 WHERE webhook_id = $1;

-- webhook_take_over
--   Makes the author of the transaction the creator of the webhook $1 if the key that created it has ended.
  UPDATE webhook_progress p SET creator = DEFAULT, creator_key_id = DEFAULT FROM webhooks w
  WHERE p.webhook_id = $1 AND w.id = p.webhook_id AND 
p.creator_key_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM keys k WHERE k.id = p.creator_key_id AND k.expires_at > now() AND k.scopes::text[] @> ARRAY(
SELECT known.scope
  FROM (VALUES ('move', 'moves:read', false), ('shipment', 'shipments:read', false), ('agent', 'shipments:read', false), ('service', 'shipments:read', false), ('import', 'shipments:read', false), ('webhook', 'webhooks:read', true), ('key', 'keys:read', true)) known (kind, scope, is_administrative)
WHERE CASE
  WHEN w.types IS NULL THEN NOT known.is_administrative AND known.scope = ANY (w.scopes)
  ELSE EXISTS (SELECT FROM unnest(w.types) type WHERE split_part(type, '.', 1) = known.kind)
END)
);

-- webhook_look
--   Whether webhooks are behind the feed, whether some are still resuming, and whether the keys of some have ended.
  SELECT EXISTS (SELECT FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled WHERE 
p.position < (SELECT max(number) FROM events) AND (
  SELECT count(*) FROM (SELECT FROM webhook_deliveries
    WHERE webhook_id = p.webhook_id AND state = 'pending' AND is_next AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT 200) due
) < 200) AS "isBehind",
    EXISTS (SELECT FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled
      WHERE p.resumed_after IS NOT NULL) AS "isResuming",
    EXISTS (SELECT FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled WHERE 
p.creator_key_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM keys k WHERE k.id = p.creator_key_id AND k.expires_at > now() AND k.scopes::text[] @> ARRAY(
SELECT known.scope
  FROM (VALUES ('move', 'moves:read', false), ('shipment', 'shipments:read', false), ('agent', 'shipments:read', false), ('service', 'shipments:read', false), ('import', 'shipments:read', false), ('webhook', 'webhooks:read', true), ('key', 'keys:read', true)) known (kind, scope, is_administrative)
WHERE CASE
  WHEN w.types IS NULL THEN NOT known.is_administrative AND known.scope = ANY (w.scopes)
  ELSE EXISTS (SELECT FROM unnest(w.types) type WHERE split_part(type, '.', 1) = known.kind)
END)
)) AS "hasEndedKey";

-- webhook_lock_of_ended_key
--   Locks a webhook whose key has ended, unless somebody else has locked it.
SELECT w.id FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled WHERE 
p.creator_key_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM keys k WHERE k.id = p.creator_key_id AND k.expires_at > now() AND k.scopes::text[] @> ARRAY(
SELECT known.scope
  FROM (VALUES ('move', 'moves:read', false), ('shipment', 'shipments:read', false), ('agent', 'shipments:read', false), ('service', 'shipments:read', false), ('import', 'shipments:read', false), ('webhook', 'webhooks:read', true), ('key', 'keys:read', true)) known (kind, scope, is_administrative)
WHERE CASE
  WHEN w.types IS NULL THEN NOT known.is_administrative AND known.scope = ANY (w.scopes)
  ELSE EXISTS (SELECT FROM unnest(w.types) type WHERE split_part(type, '.', 1) = known.kind)
END)
) ORDER BY random() LIMIT 1 FOR NO KEY UPDATE OF w SKIP LOCKED;

-- webhook_of_ended_key
--   Whether the key that created the webhook $1 has ended.
SELECT FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id WHERE w.id = $1 AND 
p.creator_key_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM keys k WHERE k.id = p.creator_key_id AND k.expires_at > now() AND k.scopes::text[] @> ARRAY(
SELECT known.scope
  FROM (VALUES ('move', 'moves:read', false), ('shipment', 'shipments:read', false), ('agent', 'shipments:read', false), ('service', 'shipments:read', false), ('import', 'shipments:read', false), ('webhook', 'webhooks:read', true), ('key', 'keys:read', true)) known (kind, scope, is_administrative)
WHERE CASE
  WHEN w.types IS NULL THEN NOT known.is_administrative AND known.scope = ANY (w.scopes)
  ELSE EXISTS (SELECT FROM unnest(w.types) type WHERE split_part(type, '.', 1) = known.kind)
END)
);

-- webhook_lock_behind
--   Locks webhooks that are behind the feed, except those that somebody else has locked. Creators take turns, so that nobody waits for the
--   many webhooks of another one. Those far behind do not come before the others.
  SELECT p.webhook_id AS id FROM webhook_progress p JOIN (
    SELECT p.webhook_id, row_number() OVER (PARTITION BY coalesce(p.creator, p.webhook_id::text) ORDER BY random()) AS turn
    FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled WHERE 
p.position < (SELECT max(number) FROM events) AND (
  SELECT count(*) FROM (SELECT FROM webhook_deliveries
    WHERE webhook_id = p.webhook_id AND state = 'pending' AND is_next AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT 200) due
) < 200
  ) behind USING (webhook_id)
  ORDER BY turn, random() LIMIT 20 FOR UPDATE OF p SKIP LOCKED;

-- webhook_lock_resuming
--   Locks a webhook that is still resuming.
SELECT p.webhook_id AS id FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled
WHERE p.resumed_after IS NOT NULL ORDER BY random() LIMIT 1 FOR UPDATE OF p SKIP LOCKED;

-- webhook_resume_next
--   The next step of resuming the locked webhook $1: the next pending deliveries are due at once, and all their attempts begin again. Those in
--   flight keep their leases. It walks from one delivery to the next, because PostgreSQL might read and sort the whole backlog for a range of
--   them; and an array of ids, unlike a join, is not compared with the whole table.
WITH RECURSIVE walk AS (
  SELECT NULL::uuid AS id, resumed_after AS place FROM webhook_progress WHERE webhook_id = $1::uuid
  UNION ALL
  SELECT d.* FROM walk CROSS JOIN LATERAL (
    SELECT id, (position + 0) FROM webhook_deliveries
    WHERE webhook_id = $1::uuid AND state = 'pending' AND (position + 0) > walk.place ORDER BY (position + 0) LIMIT 1
  ) d
), next AS MATERIALIZED (
  SELECT * FROM walk WHERE id IS NOT NULL LIMIT 500
), due AS (
  UPDATE webhook_deliveries d SET attempts = 0, next_attempt_at = CASE WHEN d.lease IS NULL THEN now_ms() ELSE d.next_attempt_at END
  WHERE d.id = ANY (ARRAY(SELECT id FROM next)) AND (d.attempts > 0 OR d.next_attempt_at > now())
)
UPDATE webhook_progress SET resumed_after = (SELECT max(place) FROM next HAVING count(*) = 500)
WHERE webhook_id = $1::uuid;

-- webhook_fan_out
--   Creates the deliveries of the next $2 events for the locked webhooks $1, and moves their positions.
  WITH reached AS MATERIALIZED (
    SELECT w.*, least(w.position + $2::bigint, (SELECT max(number) FROM events)) AS until FROM (
    SELECT w.id, p.position,
CASE WHEN w.types IS NULL THEN ARRAY(SELECT known.kind
  FROM (VALUES ('move', 'moves:read', false), ('shipment', 'shipments:read', false), ('agent', 'shipments:read', false), ('service', 'shipments:read', false), ('import', 'shipments:read', false), ('webhook', 'webhooks:read', true), ('key', 'keys:read', true)) known (kind, scope, is_administrative)
  WHERE NOT known.is_administrative AND known.scope = ANY (w.scopes)) END AS kinds,
CASE WHEN w.types IS NOT NULL THEN
  w.types::text[] || ARRAY(SELECT regexp_replace(type, '[.]created$', '.restored') FROM unnest(w.types) type)
END AS types,
w.resource_id, w.move_id
    FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id
    WHERE p.webhook_id = ANY ($1::uuid[])
    ) w
  ), matching AS (
    SELECT w.id AS webhook_id, e.number, e.seal, e.type, e.record_id
    FROM reached w JOIN events e ON e.number > w.position AND e.number <= w.until
    WHERE 
      (w.kinds IS NULL OR e.kind = ANY (w.kinds))
      AND (w.types IS NULL OR e.type = ANY (w.types))
      AND (w.resource_id IS NULL OR e.record_id = w.resource_id OR e.root_id = w.resource_id)
      AND (w.move_id IS NULL OR e.move_id = w.move_id)
AND NOT EXISTS (SELECT FROM seeded_entries s WHERE s.positions @> e.position AND s.kinds @> ARRAY[e.kind])
  ), added AS (
    INSERT INTO webhook_deliveries (id, webhook_id, event_number, type, record_id, is_next)
    SELECT encode(set_byte(set_byte(substring(sha256(uuid_send(webhook_id) || int8send(number) || seal) FOR 16), 6, get_byte(substring(sha256(uuid_send(webhook_id) || int8send(number) || seal) FOR 16), 6) & 15 | 128), 8, get_byte(substring(sha256(uuid_send(webhook_id) || int8send(number) || seal) FOR 16), 8) & 63 | 128), 'hex')::uuid, webhook_id, number, type, record_id,
      row_number() OVER (PARTITION BY webhook_id, record_id ORDER BY number) = 1 AND (
        SELECT true FROM webhook_deliveries earlier
        WHERE earlier.webhook_id = matching.webhook_id AND earlier.record_id = matching.record_id AND earlier.state = 'pending' LIMIT 1
      ) IS NULL
    FROM matching ORDER BY number
  )
  UPDATE webhook_progress p SET position = reached.until FROM reached WHERE p.webhook_id = reached.id;

-- webhook_due
--   Enabled webhooks with deliveries that may be sent now, and how many of them, in a random order.
  SELECT p.webhook_id AS "webhookID", coalesce(p.creator, p.webhook_id::text) AS creator, w.url, due.calls
  FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled CROSS JOIN LATERAL (
    SELECT count(*)::int AS calls
    FROM (SELECT FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND state = 'pending' AND is_next AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT 
greatest(0, CASE WHEN p.failing_since IS NULL AND p.last_delivery_at IS NOT NULL THEN 8 ELSE 1 END - (
SELECT count(*) FROM (
  SELECT FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND lease IS NOT NULL AND next_attempt_at > now()
  ORDER BY next_attempt_at LIMIT 8
) leased))) d
  ) due
  WHERE due.calls > 0 ORDER BY random();

-- webhook_lock_free
--   Locks those of the webhooks $1 that nobody else has locked: a replay of one does not delay the others.
SELECT webhook_id AS id FROM webhook_progress
WHERE webhook_id = ANY ($1::uuid[]) ORDER BY webhook_id FOR UPDATE SKIP LOCKED;

-- webhook_existing
--   The webhooks that exist among those with the ids $1.
SELECT webhook_id AS id FROM webhook_progress WHERE webhook_id = ANY ($1::uuid[]);

-- webhook_claim
--   Gives due deliveries of the locked webhooks $1, at most as many as $2 says for each, the lease $3.
  WITH due AS (
    SELECT d.id
    FROM unnest($1::uuid[], $2::int[]) AS share (webhook_id, calls)
    JOIN webhook_progress p ON p.webhook_id = share.webhook_id CROSS JOIN LATERAL (
      SELECT id FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND state = 'pending' AND is_next AND next_attempt_at <= now()
      ORDER BY next_attempt_at, event_number LIMIT least(share.calls, 
greatest(0, CASE WHEN p.failing_since IS NULL AND p.last_delivery_at IS NOT NULL THEN 8 ELSE 1 END - (
SELECT count(*) FROM (
  SELECT FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND lease IS NOT NULL AND next_attempt_at > now()
  ORDER BY next_attempt_at LIMIT 8
) leased)))
    ) d
  )
  UPDATE webhook_deliveries d SET lease = $3, next_attempt_at = now() + interval '30 seconds'
  FROM due, webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled
  WHERE d.id = due.id AND p.webhook_id = d.webhook_id
  RETURNING d.id, d.lease, d.webhook_id AS "webhookID", d.event_number::float8 AS "eventNumber", d.attempts,
    iso_ms(d.created_at) AS "createdAt", w.url, w.payload, coalesce(p.creator, p.webhook_id::text) AS creator,
    ARRAY(
      SELECT secret FROM webhook_secrets
      WHERE webhook_id = w.id AND (expires_at IS NULL OR expires_at > now()) ORDER BY expires_at NULLS FIRST
    ) AS secrets;

-- webhook_release
--   Ends the leases $2 of the deliveries $1 without an attempt.
UPDATE webhook_deliveries d SET lease = NULL, next_attempt_at = now()
FROM unnest($1::uuid[], $2::uuid[]) AS released (id, lease) WHERE d.id = released.id AND d.lease = released.lease;

-- webhook_record
--   Records attempts of the deliveries $1 that still have their leases $2, in the order in which they ended, in a transaction that has locked
--   the progress of their webhooks. Returns their states, and which webhooks had nothing but failures for too long before.
  WITH result AS (
    SELECT *
      FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::timestamptz[], $6::smallint[], $7::int[], $8::text[], $9::text[])
      WITH ORDINALITY AS r (id, lease, result, pause_ms, attempted_at, status, duration_ms, error, answer, ended)
  ), r AS MATERIALIZED (
    SELECT result.*, d.webhook_id, d.event_number,
      p.failing_since < now() - interval '5 days' AS is_long_failing,
      CASE WHEN 
result.result = 'pending' AND d.attempts + 1 >= 10
AND p.accepted_at > (SELECT max(attempted_at) FROM webhook_attempts a
  WHERE a.delivery_id = d.id) THEN 'failed' ELSE result.result END AS state
    FROM result JOIN webhook_deliveries d ON d.id = result.id AND d.lease = result.lease
    JOIN webhook_progress p ON p.webhook_id = d.webhook_id
  ), done AS (
    UPDATE webhook_deliveries d SET
      lease = NULL, state = r.state, next_attempt_at = now() + r.pause_ms * interval '1 millisecond',
      attempts = d.attempts + CASE r.state WHEN 'delivered' THEN 0 ELSE 1 END,
      delivered_at = CASE r.state WHEN 'delivered' THEN coalesce(d.delivered_at, now()) ELSE d.delivered_at END
    FROM r WHERE d.id = r.id
  ), attempt AS (
    INSERT INTO webhook_attempts (delivery_id, attempted_at, status, duration_ms, error, answer)
    SELECT id, attempted_at, status, duration_ms, error, answer FROM r
  ), of_webhook AS (
    SELECT webhook_id, bool_or(state = 'delivered') AS has_success, (array_agg(state
      ORDER BY ended DESC))[1] = 'delivered' AS ends_with_success,
      bool_or(state = 'delivered' AND event_number IS NOT NULL) AS has_accepted,
      avg((state <> 'delivered')::int)::float8 AS failure_rate, power(0.98, count(*)) AS earlier
    FROM r GROUP BY webhook_id
  ), progress AS (
    UPDATE webhook_progress p SET
      last_delivery_at = CASE WHEN has_success THEN now() ELSE p.last_delivery_at END,
      accepted_at = CASE WHEN has_accepted THEN now() ELSE p.accepted_at END,
      failing_since = CASE WHEN ends_with_success THEN NULL WHEN has_success THEN now() ELSE coalesce(p.failing_since, now()) END,
      failure_rate = earlier * coalesce(p.failure_rate, of_webhook.failure_rate) + (1 - earlier) * of_webhook.failure_rate
    FROM of_webhook WHERE p.webhook_id = of_webhook.webhook_id
  )
  SELECT id, webhook_id AS "webhookID", state, state <> 'delivered' AND coalesce(is_long_failing, false) AS "isLongFailing" FROM r;

-- webhook_long_failing
--   The webhook $1, if nothing but failures came back for so long that it is to be disabled.
SELECT FROM webhook_progress WHERE webhook_id = $1 AND failing_since < now() - interval '5 days';

-- webhook_follow
--   Lets the next delivery follow each of the deliveries $1 that is no longer pending.
UPDATE webhook_deliveries SET is_next = true
WHERE NOT is_next AND id = ANY (ARRAY(
  SELECT (
    SELECT later.id FROM webhook_deliveries later
    WHERE later.webhook_id = done.webhook_id AND later.record_id = done.record_id AND later.state = 'pending'
    ORDER BY later.event_number LIMIT 1
  )
  FROM webhook_deliveries done WHERE done.id = ANY ($1::uuid[]) AND done.state <> 'pending'
));

-- webhook_add_ping
--   Adds the ping $2 of the webhook $1. It belongs to no record, so it waits for nothing.
INSERT INTO webhook_deliveries (webhook_id, id, type, record_id, is_next) VALUES ($1, $2, $3, gen_random_uuid(), true);

-- webhook_redeliver
--   Sends the delivery $2 of the webhook $1 again.
UPDATE webhook_deliveries d SET state = 'pending', attempts = 0, next_attempt_at = CASE WHEN d.lease IS NOT NULL AND d.next_attempt_at > now() THEN d.next_attempt_at ELSE now() END
  WHERE webhook_id = $1 AND id = $2 RETURNING record_id AS "recordID", type;

-- webhook_replay
--   Sends the matching events of the webhook $1 after number $2 up to $3 again, with the ids of their deliveries. Later events have none yet.
  WITH filtering AS MATERIALIZED (
    SELECT w.id, p.position,
CASE WHEN w.types IS NULL THEN ARRAY(SELECT known.kind
  FROM (VALUES ('move', 'moves:read', false), ('shipment', 'shipments:read', false), ('agent', 'shipments:read', false), ('service', 'shipments:read', false), ('import', 'shipments:read', false), ('webhook', 'webhooks:read', true), ('key', 'keys:read', true)) known (kind, scope, is_administrative)
  WHERE NOT known.is_administrative AND known.scope = ANY (w.scopes)) END AS kinds,
CASE WHEN w.types IS NOT NULL THEN
  w.types::text[] || ARRAY(SELECT regexp_replace(type, '[.]created$', '.restored') FROM unnest(w.types) type)
END AS types,
w.resource_id, w.move_id
    FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id
    WHERE p.webhook_id = ANY ($1::uuid[])
  )
  INSERT INTO webhook_deliveries AS d (id, webhook_id, event_number, type, record_id, is_next)
  SELECT encode(set_byte(set_byte(substring(sha256(uuid_send(w.id) || int8send(e.number) || e.seal) FOR 16), 6, get_byte(substring(sha256(uuid_send(w.id) || int8send(e.number) || e.seal) FOR 16), 6) & 15 | 128), 8, get_byte(substring(sha256(uuid_send(w.id) || int8send(e.number) || e.seal) FOR 16), 8) & 63 | 128), 'hex')::uuid, w.id, e.number, e.type, e.record_id, false
  FROM filtering w JOIN events e ON e.number > $2::bigint AND e.number <= least($3::bigint, w.position)
  WHERE 
      (w.kinds IS NULL OR e.kind = ANY (w.kinds))
      AND (w.types IS NULL OR e.type = ANY (w.types))
      AND (w.resource_id IS NULL OR e.record_id = w.resource_id OR e.root_id = w.resource_id)
      AND (w.move_id IS NULL OR e.move_id = w.move_id)
AND NOT EXISTS (SELECT FROM seeded_entries s WHERE s.positions @> e.position AND s.kinds @> ARRAY[e.kind])
  ORDER BY e.number
  ON CONFLICT ON CONSTRAINT webhook_deliveries_event_key DO UPDATE SET state = 'pending', attempts = 0, next_attempt_at = CASE WHEN d.lease IS NOT NULL AND d.next_attempt_at > now() THEN d.next_attempt_at ELSE now() END
  RETURNING d.record_id AS "recordID";

-- webhook_mark_next
--   Marks the first pending delivery of each of the records $2 of the webhook $1.
WITH first AS MATERIALIZED (
  SELECT record.id AS record_id, d.id FROM unnest($2::uuid[]) AS record (id) CROSS JOIN LATERAL (
    SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND record_id = record.id AND state = 'pending' ORDER BY event_number LIMIT 1
  ) d
)
UPDATE webhook_deliveries d SET is_next = d.id = first.id FROM first
WHERE d.webhook_id = $1 AND d.record_id = first.record_id AND d.state = 'pending' AND d.is_next <> (d.id = first.id);

-- webhook_backlog
--   The age of the oldest delivery that is pending, or event that has no deliveries yet, of enabled webhooks; how long due ones have waited
--   whose receivers do not fail; and webhooks by state. Each is the first entry of an index.
SELECT coalesce(extract(epoch FROM clock_timestamp() - min(oldest) FILTER (WHERE w.enabled)), 0)::float8 AS "oldestSeconds",
  greatest(extract(epoch FROM clock_timestamp() - min(due) FILTER (
    WHERE w.enabled AND (p.failing_since IS NULL OR p.failing_since > now() - interval '5 minutes')
  )), 0)::float8 AS "overdueSeconds",
  count(*) FILTER (WHERE w.disabled_reason <> 'REQUESTED')::int AS disabled,
  count(*) FILTER (WHERE w.enabled AND p.failing_since IS NOT NULL)::int AS failing
FROM webhooks w JOIN webhook_progress p ON p.webhook_id = w.id
CROSS JOIN LATERAL (SELECT (SELECT moment FROM events WHERE number > p.position ORDER BY number LIMIT 1) AS moment) unplanned
CROSS JOIN LATERAL (
  SELECT least(unplanned.moment, (
    SELECT created_at FROM webhook_deliveries WHERE webhook_id = w.id AND state = 'pending' ORDER BY (position + 0) LIMIT 1
  )) AS oldest,
  least(unplanned.moment, (
    SELECT next_attempt_at FROM webhook_deliveries WHERE webhook_id = w.id AND state = 'pending' AND is_next AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT 1
  )) AS due
) times;

-- webhook_delivery
  SELECT d.id, 
json_build_object(
  'id', d.id, 'webhookID', d.webhook_id, 'type', d.type, 'sequence', lpad(d.event_number::text, 19, '0'),
  'resourceID', CASE WHEN d.event_number IS NOT NULL THEN d.record_id END, 'state', d.state, 'createdAt', iso_ms(d.created_at),
  'deliveredAt', iso_ms(d.delivered_at),
  'nextAttemptAt', CASE WHEN d.state = 'pending' THEN iso_ms(d.next_attempt_at) END,
  'attempts', coalesce((
    SELECT json_agg(json_build_object(
      'attemptedAt', iso_ms(a.attempted_at), 'status', a.status, 'durationMs', a.duration_ms, 'error', a.error,
      'answer', CASE WHEN split_part(d.type, '.', 1) = ANY ($3::text[]) THEN a.answer END
    ) ORDER BY a.attempted_at DESC)
    FROM (
SELECT * FROM webhook_attempts WHERE delivery_id = d.id ORDER BY attempted_at DESC LIMIT 50) a
  ), '[]')
)::text AS json, d.webhook_id AS "webhookID", d.type, d.event_number::float8 AS "eventNumber",
    iso_ms(d.created_at) AS "createdAt", w.url, w.payload
  FROM webhook_deliveries d LEFT JOIN webhooks w ON w.id = d.webhook_id
  WHERE d.webhook_id = $1 AND d.id = $2;

-- webhook_requested_delivery
--   The same, if the request $4 was committed.
  SELECT d.id, 
json_build_object(
  'id', d.id, 'webhookID', d.webhook_id, 'type', d.type, 'sequence', lpad(d.event_number::text, 19, '0'),
  'resourceID', CASE WHEN d.event_number IS NOT NULL THEN d.record_id END, 'state', d.state, 'createdAt', iso_ms(d.created_at),
  'deliveredAt', iso_ms(d.delivered_at),
  'nextAttemptAt', CASE WHEN d.state = 'pending' THEN iso_ms(d.next_attempt_at) END,
  'attempts', coalesce((
    SELECT json_agg(json_build_object(
      'attemptedAt', iso_ms(a.attempted_at), 'status', a.status, 'durationMs', a.duration_ms, 'error', a.error,
      'answer', CASE WHEN split_part(d.type, '.', 1) = ANY ($3::text[]) THEN a.answer END
    ) ORDER BY a.attempted_at DESC)
    FROM (
SELECT * FROM webhook_attempts WHERE delivery_id = d.id ORDER BY attempted_at DESC LIMIT 50) a
  ), '[]')
)::text AS json, d.webhook_id AS "webhookID", d.type, d.event_number::float8 AS "eventNumber",
    iso_ms(d.created_at) AS "createdAt", w.url, w.payload
  FROM webhook_deliveries d LEFT JOIN webhooks w ON w.id = d.webhook_id
  WHERE d.webhook_id = $1 AND d.id = $2 AND EXISTS (SELECT FROM webhook_requests WHERE id = $4);

-- webhook_note_request
--   Notes the request $1. Deliveries change after it, so they do not show whether it was committed.
INSERT INTO webhook_requests (id) VALUES ($1) RETURNING id;

-- webhook_request
--   The request $1, if it was committed.
SELECT id FROM webhook_requests WHERE id = $1;

-- webhook_forget_requests
--   Deletes requests whose outcome nobody looks for any more.
DELETE FROM webhook_requests WHERE id = ANY (ARRAY(
  SELECT id FROM webhook_requests WHERE created_at < now() - interval '1 day' LIMIT 1000
));

-- webhook_event_at
--   The number of the event that a cursor names, if this feed has it.
SELECT number::float8 AS number FROM events WHERE number = $1 AND seal = decode($2, 'hex');

-- webhook_forget_deliveries
--   Deletes deliveries after 30 days, except pending ones, of which there may be many.
DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
  SELECT id FROM webhook_deliveries WHERE state <> 'pending' AND created_at < now() - interval '30 days'
  ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED
));

-- webhook_forget_orphans
--   Deletes pending deliveries of webhooks that do not exist any more. Goes from webhook to webhook, not from delivery to delivery.
DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
  WITH RECURSIVE waiting AS (
    (SELECT webhook_id FROM webhook_deliveries WHERE state = 'pending' ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT d.webhook_id FROM webhook_deliveries d
      WHERE d.state = 'pending' AND d.webhook_id > waiting.webhook_id ORDER BY d.webhook_id LIMIT 1
    )
    FROM waiting WHERE waiting.webhook_id IS NOT NULL
  )
  SELECT orphan.id FROM waiting CROSS JOIN LATERAL (
    SELECT id FROM webhook_deliveries WHERE webhook_id = waiting.webhook_id AND state = 'pending'
    ORDER BY (position + 0) LIMIT 1000 FOR UPDATE SKIP LOCKED
  ) orphan
  WHERE waiting.webhook_id IS NOT NULL AND NOT EXISTS (SELECT FROM webhooks w WHERE w.id = waiting.webhook_id) LIMIT 1000
));

-- webhook_deliveries_before
--   GET /v1/webhooks/{id}/deliveries
  WITH page AS (
    SELECT d.*, (SELECT sum(150 + octet_length(concat(a.answer, a.error))) FROM (
SELECT * FROM webhook_attempts WHERE delivery_id = d.id ORDER BY attempted_at DESC LIMIT 50) a) AS bytes
    FROM (
      (SELECT d.* FROM webhook_deliveries d
       WHERE d.webhook_id = $1  AND position < coalesce($2::bigint, 9223372036854775807) ORDER BY position DESC LIMIT $3)
    ) d
    ORDER BY d.position DESC LIMIT $3
  ), sized AS (
    SELECT page.*, coalesce(sum(bytes) OVER (ORDER BY position DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
    FROM page
  )
  SELECT d.position::text AS position, CASE WHEN d.bytes_before < 1000000 THEN 
json_build_object(
  'id', d.id, 'webhookID', d.webhook_id, 'type', d.type, 'sequence', lpad(d.event_number::text, 19, '0'),
  'resourceID', CASE WHEN d.event_number IS NOT NULL THEN d.record_id END, 'state', d.state, 'createdAt', iso_ms(d.created_at),
  'deliveredAt', iso_ms(d.delivered_at),
  'nextAttemptAt', CASE WHEN d.state = 'pending' THEN iso_ms(d.next_attempt_at) END,
  'attempts', coalesce((
    SELECT json_agg(json_build_object(
      'attemptedAt', iso_ms(a.attempted_at), 'status', a.status, 'durationMs', a.duration_ms, 'error', a.error,
      'answer', CASE WHEN split_part(d.type, '.', 1) = ANY ($4::text[]) THEN a.answer END
    ) ORDER BY a.attempted_at DESC)
    FROM (
SELECT * FROM webhook_attempts WHERE delivery_id = d.id ORDER BY attempted_at DESC LIMIT 50) a
  ), '[]')
)::text ELSE '' END AS json
  FROM sized d ORDER BY d.position DESC;
