import { namedStatement } from '../../database/statement.js';

/** How long a response is stored. */
const LIFETIME = `interval '24 hours'`;

/** A transaction-level advisory lock, released however the transaction ends. */
export const CLAIM = namedStatement('idempotency_claim')`
  SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS claimed`;

export const FIND = namedStatement('idempotency_find')`
  SELECT fingerprint = $5 AS same, status, headers, body FROM idempotency_keys
  WHERE caller = $1 AND method = $2 AND path = $3 AND key = $4 AND created_at > now() - ${LIFETIME}`;

/** A conflicting key has expired; otherwise it would have been found. */
export const KEEP = namedStatement('idempotency_keep')`
  INSERT INTO idempotency_keys (caller, method, path, key, fingerprint, status, headers, body)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers, body = excluded.body,
    created_at = excluded.created_at`;

/** An arbitrary key, the same in every replica. */
export const FORGET_LOCK = 7_291_605;

/** Deletes expired keys in batches, and none while another replica does. */
export const FORGET = namedStatement('idempotency_forget')`
  DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency_keys
    WHERE (SELECT pg_try_advisory_xact_lock(${FORGET_LOCK})) AND created_at <= now() - ${LIFETIME}
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
  ))`;
