import type { Statement } from '../database/statement.js';
import { WEBHOOKS } from '../webhooks/webhook.entity.js';

/**
 * At most this many calls of one webhook at a time, in all replicas; one before its receiver's first success and while the receiver fails,
 * so that receivers that hang hold few slots.
 */
const CALLS_PER_WEBHOOK = 8;

/** Longer than a call, so that a lease expires only after its replica has died. */
const LEASE = `interval '30 seconds'`;

const MAX_FAILING = `interval '5 days'`;

/** Of earlier attempts in the failure rate, for each further attempt: about the last 50 count. */
const WEIGHT_OF_EARLIER = 0.98;

/** Webhooks that get deliveries in one transaction, and the events that each of them examines. */
const WEBHOOKS_AT_ONCE = 20;
const EVENTS_AT_ONCE = 1000;

const NEWEST = '(SELECT max(number) FROM events)';
const IS_DUE = `state = 'pending' AND is_next AND next_attempt_at <= now()`;
/** Sorted, so that PostgreSQL scans the index itself, not a bitmap of it, and marks the entries of ended leases, of which there are many. */
const IN_FLIGHT = `
  SELECT count(*) FROM (
    SELECT FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND lease IS NOT NULL AND next_attempt_at > now()
    ORDER BY next_attempt_at LIMIT ${CALLS_PER_WEBHOOK}
  ) leased`;
/** How many more calls the webhook with the progress `p` may have. */
const FREE = `
  greatest(0, CASE WHEN p.failing_since IS NULL AND p.last_delivery_at IS NOT NULL THEN ${CALLS_PER_WEBHOOK} ELSE 1 END - (${IN_FLIGHT}))`;
const ENABLED = 'webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled';
const HAS_DUE = `
  EXISTS (SELECT FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND ${IS_DUE}) AND ${FREE} > 0`;

/** Whether webhooks are behind the feed, and whether deliveries are due. */
export const LOOK: Statement = {
  name: 'webhook_look',
  text: `
    SELECT EXISTS (SELECT FROM ${ENABLED} WHERE p.position < ${NEWEST}) AS "isBehind",
      EXISTS (SELECT FROM ${ENABLED} WHERE ${HAS_DUE}) AS "hasDue"`,
};

/** Locks webhooks that are behind the feed, except those that somebody else has locked. Those far behind do not come before the others. */
export const LOCK_BEHIND: Statement = {
  name: 'webhook_lock_behind',
  text: `
    SELECT p.webhook_id AS id FROM ${ENABLED}
    WHERE p.position < ${NEWEST} ORDER BY random() LIMIT ${WEBHOOKS_AT_ONCE} FOR UPDATE OF p SKIP LOCKED`,
};

/**
 * Whether the webhook `w` sends the event `e`. The types that it names were checked against the scopes of its creator; without types, it
 * sends the kinds $2 whose scopes $3 the creator has.
 */
const MATCHES = `
  CASE
    WHEN w.types IS NOT NULL THEN e.type = ANY (w.types)
    ELSE e.kind <> '${WEBHOOKS.name}' AND EXISTS (
      SELECT FROM unnest($2::text[], $3::text[]) AS known (kind, scope) WHERE known.kind = e.kind AND known.scope = ANY (w.scopes)
    )
  END
  AND (w.resource_id IS NULL OR w.resource_id IN (e.record_id, e.root_id))
  AND (w.move_id IS NULL OR w.move_id = e.move_id)`;

/** Creates the deliveries of the next events for the locked webhooks $1, and moves their positions. */
export const FAN_OUT: Statement = {
  name: 'webhook_fan_out',
  text: `
    WITH reached AS MATERIALIZED (
      SELECT webhook_id, position, least(position + ${EVENTS_AT_ONCE}, ${NEWEST}) AS until
      FROM webhook_progress WHERE webhook_id = ANY ($1::uuid[])
    ), matching AS (
      SELECT w.id AS webhook_id, e.number, e.type, e.record_id
      FROM reached JOIN webhooks w ON w.id = reached.webhook_id
      JOIN events e ON e.number > reached.position AND e.number <= reached.until
      WHERE ${MATCHES}
    ), added AS (
      INSERT INTO webhook_deliveries (webhook_id, event_number, type, record_id, is_next)
      SELECT webhook_id, number, type, record_id,
        row_number() OVER (PARTITION BY webhook_id, record_id ORDER BY number) = 1 AND (
          SELECT true FROM webhook_deliveries earlier
          WHERE earlier.webhook_id = matching.webhook_id AND earlier.record_id = matching.record_id AND earlier.state = 'pending' LIMIT 1
        ) IS NULL
      FROM matching ORDER BY number
    )
    UPDATE webhook_progress p SET position = reached.until FROM reached WHERE p.webhook_id = reached.webhook_id`,
};

/** Locks webhooks with due deliveries, except those that somebody else has locked. */
export const LOCK_DUE: Statement = {
  name: 'webhook_lock_due',
  text: `
    SELECT p.webhook_id AS id FROM ${ENABLED}
    WHERE ${HAS_DUE} ORDER BY random() LIMIT $1 FOR UPDATE OF p SKIP LOCKED`,
};

/** Gives at most $2 due deliveries of the locked webhooks $1 the lease $3. */
export const CLAIM: Statement = {
  name: 'webhook_claim',
  text: `
    WITH due AS (
      SELECT d.id
      FROM webhook_progress p CROSS JOIN LATERAL (
        SELECT id, next_attempt_at FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND ${IS_DUE}
        ORDER BY next_attempt_at, event_number LIMIT ${FREE}
      ) d
      WHERE p.webhook_id = ANY ($1::uuid[]) ORDER BY d.next_attempt_at LIMIT $2
    )
    UPDATE webhook_deliveries d SET lease = $3, next_attempt_at = now() + ${LEASE}
    FROM due, ${ENABLED}
    WHERE d.id = due.id AND p.webhook_id = d.webhook_id
    RETURNING d.id, d.lease, d.webhook_id AS "webhookID", d.event_number::float8 AS "eventNumber", d.attempts,
      iso_ms(d.created_at) AS "createdAt", w.url, w.payload,
      coalesce(p.failing_since < now() - ${MAX_FAILING}, false) AS "isLongFailing",
      ARRAY(
        SELECT secret FROM webhook_secrets
        WHERE webhook_id = w.id AND (expires_at IS NULL OR expires_at > now()) ORDER BY expires_at NULLS FIRST
      ) AS secrets`,
};

/** Ends the leases $2 of the deliveries $1 without an attempt. */
export const RELEASE: Statement = {
  name: 'webhook_release',
  text: `
    UPDATE webhook_deliveries d SET lease = NULL, next_attempt_at = now()
    FROM unnest($1::uuid[], $2::uuid[]) AS released (id, lease) WHERE d.id = released.id AND d.lease = released.lease`,
};

/**
 * Records attempts of the deliveries $1 that still have their leases $2, in the order in which they ended, in a transaction that has locked
 * the progress of their webhooks.
 */
export const RECORD: Statement = {
  name: 'webhook_record',
  text: `
    WITH result AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::timestamptz[], $6::smallint[], $7::int[], $8::text[], $9::text[])
        WITH ORDINALITY AS r (id, lease, state, pause_ms, attempted_at, status, duration_ms, error, answer, ended)
    ), done AS (
      UPDATE webhook_deliveries d SET
        lease = NULL, state = r.state, next_attempt_at = now() + r.pause_ms * interval '1 millisecond',
        attempts = d.attempts + CASE r.state WHEN 'delivered' THEN 0 ELSE 1 END,
        delivered_at = CASE r.state WHEN 'delivered' THEN coalesce(d.delivered_at, now()) ELSE d.delivered_at END
      FROM result r WHERE d.id = r.id AND d.lease = r.lease
      RETURNING d.webhook_id, r.*
    ), attempt AS (
      INSERT INTO webhook_attempts (delivery_id, attempted_at, status, duration_ms, error, answer)
      SELECT id, attempted_at, status, duration_ms, error, answer FROM done
    ), of_webhook AS (
      SELECT webhook_id, bool_or(state = 'delivered') AS has_success, (array_agg(state ORDER BY ended DESC))[1] = 'delivered' AS ends_with_success,
        avg((state <> 'delivered')::int)::float8 AS failure_rate, power(${WEIGHT_OF_EARLIER}, count(*)) AS earlier
      FROM done GROUP BY webhook_id
    ), progress AS (
      UPDATE webhook_progress p SET
        last_delivery_at = CASE WHEN has_success THEN now() ELSE p.last_delivery_at END,
        failing_since = CASE WHEN ends_with_success THEN NULL WHEN has_success THEN now() ELSE coalesce(p.failing_since, now()) END,
        failure_rate = earlier * coalesce(p.failure_rate, of_webhook.failure_rate) + (1 - earlier) * of_webhook.failure_rate
      FROM of_webhook WHERE p.webhook_id = of_webhook.webhook_id
    )
    SELECT id FROM done`,
};

/** Lets the next delivery follow each of the deliveries $1 that is no longer pending. */
export const FOLLOW: Statement = {
  name: 'webhook_follow',
  text: `
    UPDATE webhook_deliveries SET is_next = true
    WHERE NOT is_next AND id = ANY (ARRAY(
      SELECT (
        SELECT later.id FROM webhook_deliveries later
        WHERE later.webhook_id = done.webhook_id AND later.record_id = done.record_id AND later.state = 'pending'
        ORDER BY later.event_number LIMIT 1
      )
      FROM webhook_deliveries done WHERE done.id = ANY ($1::uuid[]) AND done.state <> 'pending'
    ))`,
};

/** Adds the ping $2 of the webhook $1. It belongs to no record, so it waits for nothing. */
export const ADD_PING: Statement = {
  name: 'webhook_add_ping',
  text: `
    INSERT INTO webhook_deliveries (webhook_id, id, type, record_id, is_next) VALUES ($1, $2, $3, gen_random_uuid(), true)`,
};

const UNLESS_IN_FLIGHT = `CASE WHEN d.lease IS NOT NULL AND d.next_attempt_at > now() THEN d.next_attempt_at ELSE now() END`;
const AGAIN = `state = 'pending', attempts = 0, next_attempt_at = ${UNLESS_IN_FLIGHT}`;

/** Sends the delivery $2 of the webhook $1 again. */
export const REDELIVER: Statement = {
  name: 'webhook_redeliver',
  text: `UPDATE webhook_deliveries d SET ${AGAIN} WHERE webhook_id = $1 AND id = $2 RETURNING record_id AS "recordID"`,
};

/** Sends the matching events after number $4 up to $5 again, with the ids of their deliveries. Later events have none yet. */
export const REPLAY: Statement = {
  name: 'webhook_replay',
  text: `
    INSERT INTO webhook_deliveries AS d (webhook_id, event_number, type, record_id, is_next)
    SELECT w.id, e.number, e.type, e.record_id, false
    FROM webhooks w JOIN webhook_progress p ON p.webhook_id = w.id
    JOIN events e ON e.number > $4::bigint AND e.number <= least($5::bigint, p.position)
    WHERE w.id = $1 AND ${MATCHES}
    ORDER BY e.number
    ON CONFLICT ON CONSTRAINT webhook_deliveries_event_key DO UPDATE SET ${AGAIN}
    RETURNING d.id`,
};

/** Marks the first pending delivery of each record of the webhook $1, or of the record $2. */
export const MARK_NEXT: Statement = {
  name: 'webhook_mark_next',
  text: `
    WITH first AS (
      SELECT DISTINCT ON (record_id) record_id, id FROM webhook_deliveries
      WHERE webhook_id = $1 AND state = 'pending' AND ($2::uuid IS NULL OR record_id = $2::uuid) ORDER BY record_id, event_number
    )
    UPDATE webhook_deliveries d SET is_next = d.id = first.id FROM first
    WHERE d.webhook_id = $1 AND d.record_id = first.record_id AND d.state = 'pending' AND d.is_next <> (d.id = first.id)`,
};

/** The first pending delivery of each enabled webhook, by the index of deliveries that are next; and webhooks by state. */
export const BACKLOG: Statement = {
  name: 'webhook_backlog',
  text: `
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - oldest.created_at)) FILTER (WHERE w.enabled), 0)::float8 AS "oldestSeconds",
      count(*) FILTER (WHERE w.disabled_reason <> 'REQUESTED')::int AS disabled,
      count(*) FILTER (WHERE w.enabled AND p.failing_since IS NOT NULL)::int AS failing
    FROM webhooks w JOIN webhook_progress p ON p.webhook_id = w.id
    LEFT JOIN LATERAL (
      SELECT created_at FROM webhook_deliveries
      WHERE webhook_id = w.id AND state = 'pending' AND is_next ORDER BY next_attempt_at LIMIT 1
    ) oldest ON true`,
};
