-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- idempotency_claim
--   A transaction-level advisory lock, released however the transaction ends.
SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS claimed;

-- idempotency_find
SELECT fingerprint = $5 AS same, status, headers, body FROM idempotency_keys
WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND created_at > now() - interval '24 hours';

-- idempotency_keep
--   A conflicting key has expired; otherwise it would have been found.
INSERT INTO idempotency_keys (caller, method, path, key, fingerprint, status, headers, body)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE SET
  fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers, body = excluded.body,
  created_at = excluded.created_at;

-- idempotency_forget
--   Deletes expired keys in batches, and none while another replica does.
DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM idempotency_keys
  WHERE (SELECT pg_try_advisory_xact_lock(7291605)) AND created_at <= now() - interval '24 hours'
  LIMIT 1000
  FOR UPDATE SKIP LOCKED
));
