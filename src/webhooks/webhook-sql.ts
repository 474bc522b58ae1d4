import { namedStatement } from '../database/statement.js';
import { ALL_RESOURCES } from '../model/resources.js';
import { creatorSql } from '../records/creator-sql.js';

/** The secret $2 of the new webhook $1, and its place in the feed: after the newest event. */
export const ADD_SECRET_AND_PROGRESS = namedStatement('webhook_add')`
    WITH added AS (INSERT INTO webhook_secrets (webhook_id, secret) VALUES ($1::uuid, $2))
    INSERT INTO webhook_progress (webhook_id, position) SELECT $1::uuid, max(number) FROM events`;

export const CREATOR_OF_WEBHOOKS = creatorSql('webhook', 'webhook_progress');

/** The current secret signs for another day beside the new one, $2. Older ones no longer sign. */
export const ROTATE_SECRET = namedStatement('webhook_rotate_secret')`
    WITH dropped AS (DELETE FROM webhook_secrets WHERE webhook_id = $1::uuid AND expires_at IS NOT NULL),
    replaced AS (
      UPDATE webhook_secrets SET expires_at = clock_timestamp() + interval '24 hours'
      WHERE webhook_id = $1::uuid AND expires_at IS NULL
    )
    INSERT INTO webhook_secrets (webhook_id, secret) VALUES ($1::uuid, $2)`;

/**
 * Locks the webhooks $1. Every change of their deliveries takes this lock first, in a statement of its own, and in one order, so that two
 * replicas do not wait for each other. Returns the positions in the feed.
 */
export const LOCK_PROGRESS = namedStatement('webhook_lock_progress')`
    SELECT position::float8 AS position FROM webhook_progress
    WHERE webhook_id = ANY ($1::uuid[]) ORDER BY webhook_id FOR UPDATE`;

/** Marks that everything that waits may be sent at once. The backlog may be long: the queue makes it due in steps. */
export const RESUME = namedStatement('webhook_resume')`
    UPDATE webhook_progress SET failing_since = NULL, resumed_after = 0 WHERE webhook_id = $1`;

const KINDS = ALL_RESOURCES.map(({ name, readScope, isAdministrative = false }) => {
  return `('${name}', '${readScope}', ${isAdministrative})`;
});

/** The kinds of records, each with the scope to read it. */
const KNOWN_KINDS = `(VALUES ${KINDS.join(', ')}) known (kind, scope, is_administrative)`;

/** Without types, the webhook `w` sends these of the known kinds. */
const IS_READ_BY_CREATOR = 'NOT known.is_administrative AND known.scope = ANY (w.scopes)';

/** The scopes that reading all events of the webhook `w` requires: what `scopesToRead` returns. */
const SCOPES_TO_READ = `
  SELECT known.scope FROM ${KNOWN_KINDS}
  WHERE CASE
    WHEN w.types IS NULL THEN ${IS_READ_BY_CREATOR}
    ELSE EXISTS (SELECT FROM unnest(w.types) type WHERE split_part(type, '.', 1) = known.kind)
  END`;

/**
 * The values of the event filter of the webhook `w`. The types that it names were checked against the scopes of its creator; a receiver of
 * creations also needs the records that come back.
 */
export const EVENT_FILTER = `
  CASE WHEN w.types IS NULL THEN ARRAY(SELECT known.kind FROM ${KNOWN_KINDS} WHERE ${IS_READ_BY_CREATOR}) END AS kinds,
  CASE WHEN w.types IS NOT NULL THEN
    w.types::text[] || ARRAY(SELECT regexp_replace(type, '[.]created$', '.restored') FROM unnest(w.types) type)
  END AS types,
  w.resource_id, w.move_id`;

/** Whether the API key that created the webhook `w` with the progress `p` was revoked, has expired, or may no longer read what `w` sends. */
export const IS_OF_ENDED_KEY = `
  p.creator_key_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM keys k WHERE k.id = p.creator_key_id AND k.expires_at > now() AND k.scopes::text[] @> ARRAY(${SCOPES_TO_READ})
  )`;

/** Makes the author of the transaction the creator of the webhook $1 if the key that created it has ended. */
export const TAKE_OVER = namedStatement('webhook_take_over')`
    UPDATE webhook_progress p SET creator = DEFAULT, creator_key_id = DEFAULT FROM webhooks w
    WHERE p.webhook_id = $1 AND w.id = p.webhook_id AND ${IS_OF_ENDED_KEY}`;
