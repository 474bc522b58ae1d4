-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- keys_ecd2f87bb83784ae
--   GET /v1/keys/{id}
SELECT r.id, r.name::text, to_json(r.scopes), to_json(r.expires_at AT TIME ZONE 'UTC'), r.created_by::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC'),
  to_json(CASE WHEN r.expires_at > now() THEN 'active' ELSE 'expired' END), to_json((SELECT iso_ms(p.last_used_at) FROM key_progress p
  WHERE p.key_id = r.id)), to_json(ARRAY(
SELECT scope FROM unnest(r.scopes) AS scope, key_progress p WHERE p.key_id = r.id AND CASE
  WHEN p.creator_key_id IS NULL
    THEN coalesce((p.creator_scopes ->> scope)::int, 0) < (p.creator_scopes ->> '')::int - 24
  ELSE NOT EXISTS (SELECT FROM keys c WHERE c.id = p.creator_key_id AND c.expires_at > now() AND scope = ANY (c.scopes))
END)) FROM keys r WHERE r.id = $1;

-- keys_ab834bd24aca6313
--   GET /v1/keys
SELECT r.id, r.name::text, to_json(r.scopes), to_json(r.expires_at AT TIME ZONE 'UTC'), r.created_by::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC'),
  to_json(CASE WHEN r.expires_at > now() THEN 'active' ELSE 'expired' END), to_json((SELECT iso_ms(p.last_used_at) FROM key_progress p
  WHERE p.key_id = r.id)), to_json(ARRAY(
SELECT scope FROM unnest(r.scopes) AS scope, key_progress p WHERE p.key_id = r.id AND CASE
  WHEN p.creator_key_id IS NULL
    THEN coalesce((p.creator_scopes ->> scope)::int, 0) < (p.creator_scopes ->> '')::int - 24
  ELSE NOT EXISTS (SELECT FROM keys c WHERE c.id = p.creator_key_id AND c.expires_at > now() AND scope = ANY (c.scopes))
END)) FROM keys r WHERE true ORDER BY r.id DESC LIMIT 51;

-- keys_6be7db111fc17389
--   GET /v1/keys?cursor={cursor}
SELECT r.id, r.name::text, to_json(r.scopes), to_json(r.expires_at AT TIME ZONE 'UTC'), r.created_by::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC'),
  to_json(CASE WHEN r.expires_at > now() THEN 'active' ELSE 'expired' END), to_json((SELECT iso_ms(p.last_used_at) FROM key_progress p
  WHERE p.key_id = r.id)), to_json(ARRAY(
SELECT scope FROM unnest(r.scopes) AS scope, key_progress p WHERE p.key_id = r.id AND CASE
  WHEN p.creator_key_id IS NULL
    THEN coalesce((p.creator_scopes ->> scope)::int, 0) < (p.creator_scopes ->> '')::int - 24
  ELSE NOT EXISTS (SELECT FROM keys c WHERE c.id = p.creator_key_id AND c.expires_at > now() AND scope = ANY (c.scopes))
END)) FROM keys r WHERE (r.id) < ($1) ORDER BY r.id DESC LIMIT 51;

-- keys_bb5a2211dc93359e
--   a record is created
    INSERT INTO keys AS r (id, name, scopes, expires_at, created_by) VALUES ($1, $2, $3, $4, $5)
    RETURNING r.id, r.name::text, to_json(r.scopes), to_json(r.expires_at AT TIME ZONE 'UTC'), r.created_by::text,
      to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC'),
      to_json(CASE WHEN r.expires_at > now() THEN 'active' ELSE 'expired' END), to_json((SELECT iso_ms(p.last_used_at) FROM key_progress p
      WHERE p.key_id = r.id)), to_json(ARRAY(
SELECT scope FROM unnest(r.scopes) AS scope, key_progress p WHERE p.key_id = r.id AND CASE
  WHEN p.creator_key_id IS NULL
    THEN coalesce((p.creator_scopes ->> scope)::int, 0) < (p.creator_scopes ->> '')::int - 24
  ELSE NOT EXISTS (SELECT FROM keys c WHERE c.id = p.creator_key_id AND c.expires_at > now() AND scope = ANY (c.scopes))
END));

-- keys_110401b4f99975fc
--   a write with If-Match: the lock, if the version is this one
SELECT r.id, r.name::text, to_json(r.scopes), to_json(r.expires_at AT TIME ZONE 'UTC'), r.created_by::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC') FROM keys r
  WHERE r.id = $1 AND etag_of(r.updated_at) = ANY ($2::text[]) FOR NO KEY UPDATE;

-- keys_2510dbf12ab98bd2
--   a write with If-Match: *
SELECT r.id, r.name::text, to_json(r.scopes), to_json(r.expires_at AT TIME ZONE 'UTC'), r.created_by::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC') FROM keys r WHERE r.id = $1 FOR NO KEY UPDATE;

-- keys_3a94a70a4671da4c
--   a write with If-Match that does not match, to explain the 412
SELECT r.id, r.name::text, to_json(r.scopes), to_json(r.expires_at AT TIME ZONE 'UTC'), r.created_by::text,
  to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC') FROM keys r WHERE r.id = $1;

-- keys_9345f747b3ad7763
--   PATCH or PUT of createdBy
    UPDATE keys AS r SET created_by = $3
    WHERE r.id = $1 AND r.updated_at = $2
    RETURNING r.id, r.name::text, to_json(r.scopes), to_json(r.expires_at AT TIME ZONE 'UTC'), r.created_by::text,
      to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC'),
      to_json(CASE WHEN r.expires_at > now() THEN 'active' ELSE 'expired' END), to_json((SELECT iso_ms(p.last_used_at) FROM key_progress p
      WHERE p.key_id = r.id)), to_json(ARRAY(
SELECT scope FROM unnest(r.scopes) AS scope, key_progress p WHERE p.key_id = r.id AND CASE
  WHEN p.creator_key_id IS NULL
    THEN coalesce((p.creator_scopes ->> scope)::int, 0) < (p.creator_scopes ->> '')::int - 24
  ELSE NOT EXISTS (SELECT FROM keys c WHERE c.id = p.creator_key_id AND c.expires_at > now() AND scope = ANY (c.scopes))
END));

-- keys_d2c404da8c967db0
--   DELETE
DELETE FROM keys WHERE id = $1 AND updated_at = $2 RETURNING id;

-- keys_5b83c8c7807d4611
--   a write whose COMMIT was not answered
    SELECT r.id, r.name::text, to_json(r.scopes), to_json(r.expires_at AT TIME ZONE 'UTC'), r.created_by::text,
      to_json(r.created_at AT TIME ZONE 'UTC'), to_json(r.updated_at AT TIME ZONE 'UTC'),
      to_json(CASE WHEN r.expires_at > now() THEN 'active' ELSE 'expired' END), to_json((SELECT iso_ms(p.last_used_at) FROM key_progress p
      WHERE p.key_id = r.id)), to_json(ARRAY(
SELECT scope FROM unnest(r.scopes) AS scope, key_progress p WHERE p.key_id = r.id AND CASE
  WHEN p.creator_key_id IS NULL
    THEN coalesce((p.creator_scopes ->> scope)::int, 0) < (p.creator_scopes ->> '')::int - 24
  ELSE NOT EXISTS (SELECT FROM keys c WHERE c.id = p.creator_key_id AND c.expires_at > now() AND scope = ANY (c.scopes))
END)) FROM history h, jsonb_populate_record(NULL::keys, h.record) r
    WHERE h.record_id = $1 AND h.transaction_id = $2::xid8 AND h.request_id = $3;

-- key_see_creator
--   Stores that the creator with the digest $1 has called with the scopes $2, if the caller has created keys.
  UPDATE key_progress SET creator_scopes = coalesce(creator_scopes, '{}') || seen.hours
  FROM (SELECT 
(SELECT jsonb_object_agg(name, floor(extract(epoch FROM now()) / 3600)::int) FROM unnest($2::text[]) AS name) AS hours) AS seen
  WHERE creator = $1 AND (creator_scopes @> seen.hours) IS NOT TRUE;

-- key_lock_creator
SELECT pg_advisory_xact_lock(hashtext('keys by creator'), hashtext($1));

-- key_created_by
SELECT count(*)::int AS count FROM key_progress WHERE creator = encode(sha256(convert_to($1, 'UTF8')), 'hex');

-- key_forget_creator
UPDATE key_progress SET creator = (SELECT encode(sha256(uuid_send(gen_random_uuid())), 'hex'))
  WHERE creator = encode(sha256(convert_to($1, 'UTF8')), 'hex');

-- key_add_hash
--   The hash $2 of the new key $1, which the subject $3 creates, a caller with the scopes $4; null if they are not known.
  WITH added AS (INSERT INTO key_hashes (hash, key_id) VALUES ($2, $1::uuid))
  INSERT INTO key_progress (key_id, creator, creator_scopes) VALUES ($1::uuid, encode(sha256(convert_to($3, 'UTF8')), 'hex'), 
(SELECT jsonb_object_agg(name, floor(extract(epoch FROM now()) / 3600)::int) FROM unnest($4::text[]) AS name));

-- key_calling
--   What the key $1, which calls, may do now. It cannot be revoked before the end of the transaction.
SELECT scopes FROM keys WHERE id = $1 AND expires_at > now() FOR KEY SHARE;

-- key_replaced
--   How many replaced keys of the key $1 still work.
SELECT count(*)::int AS count FROM key_hashes WHERE key_id = $1 AND expires_at > now();

-- key_rotate
--   The current key works for another day beside the new one, whose hash is $2.
WITH dropped AS (DELETE FROM key_hashes WHERE key_id = $1::uuid AND expires_at <= now()),
replaced AS (
  UPDATE key_hashes SET expires_at = clock_timestamp() + interval '24 hours'
  WHERE key_id = $1::uuid AND expires_at IS NULL
)
INSERT INTO key_hashes (hash, key_id) VALUES ($2, $1::uuid);

-- key_find
--   The keys with the hashes $1, except replaced ones that no longer work. Clocks of replicas may be wrong, so the database says how long a
--   key is valid.
SELECT encode(h.hash, 'base64') AS hash, k.id, k.name, k.scopes,
  (1000 * extract(epoch FROM least(k.expires_at, h.expires_at) - now()))::float8 AS "validForMs",
  p.last_used_at IS DISTINCT FROM date_trunc('hour', now()) AS "isNews"
FROM key_hashes h JOIN keys k ON k.id = h.key_id JOIN key_progress p ON p.key_id = h.key_id
WHERE h.hash = ANY ($1::bytea[]) AND (h.expires_at IS NULL OR h.expires_at > now());

-- key_use
--   Stores that the key $1 was used in this hour, once for all replicas.
UPDATE key_progress SET last_used_at = date_trunc('hour', now())
WHERE key_id = $1 AND last_used_at IS DISTINCT FROM date_trunc('hour', now());

-- key_still_valid
--   The hashes among $1 whose keys work, and what they may do.
SELECT encode(h.hash, 'base64') AS name, k.scopes FROM key_hashes h JOIN keys k ON k.id = h.key_id
WHERE h.hash = ANY ($1::bytea[]) AND least(k.expires_at, h.expires_at) > now();

-- key_expiring
--   Keys that expire within two weeks and were used in the last month; more than these are not counted.
SELECT count(*)::int AS keys FROM (
  SELECT FROM keys k JOIN key_progress p ON p.key_id = k.id
  WHERE k.expires_at > now() AND k.expires_at < now() + interval '14 days' AND p.last_used_at > now() - interval '31 days'
  LIMIT 1000
) AS expiring;
