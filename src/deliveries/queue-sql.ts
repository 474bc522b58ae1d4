import { namedStatement } from '../database/statement.js';
import { matchesSql } from '../events/event-filter.js';
import { EVENT_FILTER, IS_OF_ENDED_KEY } from '../webhooks/webhook-sql.js';

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

/** A delivery is given up only after so many failures. */
const FAILURES = 10;

/** Webhooks that have failed for longer are not late: their receivers are. */
const FAILING_BRIEFLY = `interval '5 minutes'`;

/** Webhooks that get deliveries in one transaction. */
const WEBHOOKS_AT_ONCE = 20;

/** Events that one transaction examines. It holds the locks of its webhooks meanwhile, so nothing is claimed or recorded for them. */
export const EVENTS_AT_ONCE = 1000;

/** A webhook with so many due deliveries gets no further ones: they would only wait behind these. */
const ENOUGH_DUE = 200;

/** Pending deliveries that one step of resuming looks at. */
const RESUMED_AT_ONCE = 500;

const NEWEST = '(SELECT max(number) FROM events)';
const IS_DUE = `state = 'pending' AND is_next AND next_attempt_at <= now()`;
/** Sorted, so that PostgreSQL scans the index itself, not a bitmap of it, and marks the entries of ended leases, of which there are many. */
const IN_FLIGHT = `
  SELECT count(*) FROM (
    SELECT FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND lease IS NOT NULL AND next_attempt_at > now()
    ORDER BY next_attempt_at LIMIT ${CALLS_PER_WEBHOOK}
  ) leased`;
/** As in webhook_deliveries_waiting_idx, which only queries with this expression use. */
export const PLACE = '(position + 0)';
/** How many more calls the webhook with the progress `p` may have. */
const FREE = `
  greatest(0, CASE WHEN p.failing_since IS NULL AND p.last_delivery_at IS NOT NULL THEN ${CALLS_PER_WEBHOOK} ELSE 1 END - (${IN_FLIGHT}))`;
const ENABLED = 'webhook_progress p JOIN webhooks w ON w.id = p.webhook_id AND w.enabled';
const IS_BEHIND = `
  p.position < ${NEWEST} AND (
    SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND ${IS_DUE}
      ORDER BY next_attempt_at LIMIT ${ENOUGH_DUE}) due
  ) < ${ENOUGH_DUE}`;

/** Whether webhooks are behind the feed, whether some are still resuming, and whether the keys of some have ended. */
export const LOOK = namedStatement('webhook_look')`
    SELECT EXISTS (SELECT FROM ${ENABLED} WHERE ${IS_BEHIND}) AS "isBehind",
      EXISTS (SELECT FROM ${ENABLED} WHERE p.resumed_after IS NOT NULL) AS "isResuming",
      EXISTS (SELECT FROM ${ENABLED} WHERE ${IS_OF_ENDED_KEY}) AS "hasEndedKey"`;

/** Locks a webhook whose key has ended, unless somebody else has locked it. */
export const LOCK_OF_ENDED_KEY = namedStatement('webhook_lock_of_ended_key')`
  SELECT w.id FROM ${ENABLED} WHERE ${IS_OF_ENDED_KEY} ORDER BY random() LIMIT 1 FOR NO KEY UPDATE OF w SKIP LOCKED`;

/** Whether the key that created the webhook $1 has ended. */
export const OF_ENDED_KEY = namedStatement('webhook_of_ended_key')`
  SELECT FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id WHERE w.id = $1 AND ${IS_OF_ENDED_KEY}`;

/**
 * Locks webhooks that are behind the feed, except those that somebody else has locked. Creators take turns, so that nobody waits for the
 * many webhooks of another one. Those far behind do not come before the others.
 */
export const LOCK_BEHIND = namedStatement('webhook_lock_behind')`
    SELECT p.webhook_id AS id FROM webhook_progress p JOIN (
      SELECT p.webhook_id, row_number() OVER (PARTITION BY coalesce(p.creator, p.webhook_id::text) ORDER BY random()) AS turn
      FROM ${ENABLED} WHERE ${IS_BEHIND}
    ) behind USING (webhook_id)
    ORDER BY turn, random() LIMIT ${WEBHOOKS_AT_ONCE} FOR UPDATE OF p SKIP LOCKED`;

/** Locks a webhook that is still resuming. */
export const LOCK_RESUMING = namedStatement('webhook_lock_resuming')`
    SELECT p.webhook_id AS id FROM ${ENABLED}
    WHERE p.resumed_after IS NOT NULL ORDER BY random() LIMIT 1 FOR UPDATE OF p SKIP LOCKED`;

/**
 * The next step of resuming the locked webhook $1: the next pending deliveries are due at once, and all their attempts begin again. Those in
 * flight keep their leases. It walks from one delivery to the next, because PostgreSQL might read and sort the whole backlog for a range of
 * them; and an array of ids, unlike a join, is not compared with the whole table.
 */
export const RESUME_NEXT = namedStatement('webhook_resume_next')`
    WITH RECURSIVE walk AS (
      SELECT NULL::uuid AS id, resumed_after AS place FROM webhook_progress WHERE webhook_id = $1::uuid
      UNION ALL
      SELECT d.* FROM walk CROSS JOIN LATERAL (
        SELECT id, ${PLACE} FROM webhook_deliveries
        WHERE webhook_id = $1::uuid AND state = 'pending' AND ${PLACE} > walk.place ORDER BY ${PLACE} LIMIT 1
      ) d
    ), next AS MATERIALIZED (
      SELECT * FROM walk WHERE id IS NOT NULL LIMIT ${RESUMED_AT_ONCE}
    ), due AS (
      UPDATE webhook_deliveries d SET attempts = 0, next_attempt_at = CASE WHEN d.lease IS NULL THEN now_ms() ELSE d.next_attempt_at END
      WHERE d.id = ANY (ARRAY(SELECT id FROM next)) AND (d.attempts > 0 OR d.next_attempt_at > now())
    )
    UPDATE webhook_progress SET resumed_after = (SELECT max(place) FROM next HAVING count(*) = ${RESUMED_AT_ONCE})
    WHERE webhook_id = $1::uuid`;

/** The webhooks $1 with their event filters, which are computed once, and not for each event. */
const FILTERING = `
      SELECT w.id, p.position,${EVENT_FILTER}
      FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id
      WHERE p.webhook_id = ANY ($1::uuid[])`;

/** Whether a webhook `w` of those sends the event `e`. No webhook sends what a seed has generated. */
const MATCHES = `
  ${matchesSql({ kinds: 'w.kinds', types: 'w.types', recordID: 'w.resource_id', moveID: 'w.move_id' })}
  AND NOT EXISTS (SELECT FROM seeded_entries s WHERE s.positions @> e.position AND s.kinds @> ARRAY[e.kind])`;

/**
 * The id of the delivery of an event: the same whenever it is created, so that a receiver recognizes it also after the service has
 * forgotten that it was sent. The seal distinguishes the event from one that had its number before the database was restored, which the
 * receiver may have got. A UUID of version 8, from a hash.
 */
function deliveryIDOf(webhookID: string, number: string, seal: string): string {
  const hash = `substring(sha256(uuid_send(${webhookID}) || int8send(${number}) || ${seal}) FOR 16)`;
  const versioned = `set_byte(${hash}, 6, get_byte(${hash}, 6) & 15 | 128)`;
  return `encode(set_byte(${versioned}, 8, get_byte(${hash}, 8) & 63 | 128), 'hex')::uuid`;
}

/** Creates the deliveries of the next $2 events for the locked webhooks $1, and moves their positions. */
export const FAN_OUT = namedStatement('webhook_fan_out')`
    WITH reached AS MATERIALIZED (
      SELECT w.*, least(w.position + $2::bigint, ${NEWEST}) AS until FROM (${FILTERING}
      ) w
    ), matching AS (
      SELECT w.id AS webhook_id, e.number, e.seal, e.type, e.record_id
      FROM reached w JOIN events e ON e.number > w.position AND e.number <= w.until
      WHERE ${MATCHES}
    ), added AS (
      INSERT INTO webhook_deliveries (id, webhook_id, event_number, type, record_id, is_next)
      SELECT ${deliveryIDOf('webhook_id', 'number', 'seal')}, webhook_id, number, type, record_id,
        row_number() OVER (PARTITION BY webhook_id, record_id ORDER BY number) = 1 AND (
          SELECT true FROM webhook_deliveries earlier
          WHERE earlier.webhook_id = matching.webhook_id AND earlier.record_id = matching.record_id AND earlier.state = 'pending' LIMIT 1
        ) IS NULL
      FROM matching ORDER BY number
    )
    UPDATE webhook_progress p SET position = reached.until FROM reached WHERE p.webhook_id = reached.id`;

/** Enabled webhooks with deliveries that may be sent now, and how many of them, in a random order. */
export const DUE = namedStatement('webhook_due')`
    SELECT p.webhook_id AS "webhookID", coalesce(p.creator, p.webhook_id::text) AS creator, w.url, due.calls
    FROM ${ENABLED} CROSS JOIN LATERAL (
      SELECT count(*)::int AS calls
      FROM (SELECT FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND ${IS_DUE} ORDER BY next_attempt_at LIMIT ${FREE}) d
    ) due
    WHERE due.calls > 0 ORDER BY random()`;

/** Locks those of the webhooks $1 that nobody else has locked: a replay of one does not delay the others. */
export const LOCK_FREE = namedStatement('webhook_lock_free')`
    SELECT webhook_id AS id FROM webhook_progress
    WHERE webhook_id = ANY ($1::uuid[]) ORDER BY webhook_id FOR UPDATE SKIP LOCKED`;

/** The webhooks that exist among those with the ids $1. */
export const EXISTING = namedStatement('webhook_existing')`
    SELECT webhook_id AS id FROM webhook_progress WHERE webhook_id = ANY ($1::uuid[])`;

/** Gives due deliveries of the locked webhooks $1, at most as many as $2 says for each, the lease $3. */
export const CLAIM = namedStatement('webhook_claim')`
    WITH due AS (
      SELECT d.id
      FROM unnest($1::uuid[], $2::int[]) AS share (webhook_id, calls)
      JOIN webhook_progress p ON p.webhook_id = share.webhook_id CROSS JOIN LATERAL (
        SELECT id FROM webhook_deliveries WHERE webhook_id = p.webhook_id AND ${IS_DUE}
        ORDER BY next_attempt_at, event_number LIMIT least(share.calls, ${FREE})
      ) d
    )
    UPDATE webhook_deliveries d SET lease = $3, next_attempt_at = now() + ${LEASE}
    FROM due, ${ENABLED}
    WHERE d.id = due.id AND p.webhook_id = d.webhook_id
    RETURNING d.id, d.lease, d.webhook_id AS "webhookID", d.event_number::float8 AS "eventNumber", d.attempts,
      iso_ms(d.created_at) AS "createdAt", w.url, w.payload, coalesce(p.creator, p.webhook_id::text) AS creator,
      ARRAY(
        SELECT secret FROM webhook_secrets
        WHERE webhook_id = w.id AND (expires_at IS NULL OR expires_at > now()) ORDER BY expires_at NULLS FIRST
      ) AS secrets`;

/** Ends the leases $2 of the deliveries $1 without an attempt. */
export const RELEASE = namedStatement('webhook_release')`
    UPDATE webhook_deliveries d SET lease = NULL, next_attempt_at = now()
    FROM unnest($1::uuid[], $2::uuid[]) AS released (id, lease) WHERE d.id = released.id AND d.lease = released.lease`;

/**
 * Whether a delivery that has just failed is given up: after enough failures, and if the receiver has accepted other events since the
 * previous one. Otherwise the receiver may simply be away.
 */
const IS_GIVEN_UP = `
  result.result = 'pending' AND d.attempts + 1 >= ${FAILURES}
  AND p.accepted_at > (SELECT max(attempted_at) FROM webhook_attempts a WHERE a.delivery_id = d.id)`;

/**
 * Records attempts of the deliveries $1 that still have their leases $2, in the order in which they ended, in a transaction that has locked
 * the progress of their webhooks. Returns their states, and which webhooks had nothing but failures for too long before.
 */
export const RECORD = namedStatement('webhook_record')`
    WITH result AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::timestamptz[], $6::smallint[], $7::int[], $8::text[], $9::text[])
        WITH ORDINALITY AS r (id, lease, result, pause_ms, attempted_at, status, duration_ms, error, answer, ended)
    ), r AS MATERIALIZED (
      SELECT result.*, d.webhook_id, d.event_number,
        p.failing_since < now() - ${MAX_FAILING} AS is_long_failing,
        CASE WHEN ${IS_GIVEN_UP} THEN 'failed' ELSE result.result END AS state
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
      SELECT webhook_id, bool_or(state = 'delivered') AS has_success, (array_agg(state ORDER BY ended DESC))[1] = 'delivered' AS ends_with_success,
        bool_or(state = 'delivered' AND event_number IS NOT NULL) AS has_accepted,
        avg((state <> 'delivered')::int)::float8 AS failure_rate, power(${WEIGHT_OF_EARLIER}, count(*)) AS earlier
      FROM r GROUP BY webhook_id
    ), progress AS (
      UPDATE webhook_progress p SET
        last_delivery_at = CASE WHEN has_success THEN now() ELSE p.last_delivery_at END,
        accepted_at = CASE WHEN has_accepted THEN now() ELSE p.accepted_at END,
        failing_since = CASE WHEN ends_with_success THEN NULL WHEN has_success THEN now() ELSE coalesce(p.failing_since, now()) END,
        failure_rate = earlier * coalesce(p.failure_rate, of_webhook.failure_rate) + (1 - earlier) * of_webhook.failure_rate
      FROM of_webhook WHERE p.webhook_id = of_webhook.webhook_id
    )
    SELECT id, webhook_id AS "webhookID", state, state <> 'delivered' AND coalesce(is_long_failing, false) AS "isLongFailing" FROM r`;

/** The webhook $1, if nothing but failures came back for so long that it is to be disabled. */
export const LONG_FAILING = namedStatement('webhook_long_failing')`
    SELECT FROM webhook_progress WHERE webhook_id = $1 AND failing_since < now() - ${MAX_FAILING}`;

/** Lets the next delivery follow each of the deliveries $1 that is no longer pending. */
export const FOLLOW = namedStatement('webhook_follow')`
    UPDATE webhook_deliveries SET is_next = true
    WHERE NOT is_next AND id = ANY (ARRAY(
      SELECT (
        SELECT later.id FROM webhook_deliveries later
        WHERE later.webhook_id = done.webhook_id AND later.record_id = done.record_id AND later.state = 'pending'
        ORDER BY later.event_number LIMIT 1
      )
      FROM webhook_deliveries done WHERE done.id = ANY ($1::uuid[]) AND done.state <> 'pending'
    ))`;

/** Adds the ping $2 of the webhook $1. It belongs to no record, so it waits for nothing. */
export const ADD_PING = namedStatement('webhook_add_ping')`
    INSERT INTO webhook_deliveries (webhook_id, id, type, record_id, is_next) VALUES ($1, $2, $3, gen_random_uuid(), true)`;

const UNLESS_IN_FLIGHT = `CASE WHEN d.lease IS NOT NULL AND d.next_attempt_at > now() THEN d.next_attempt_at ELSE now() END`;
const AGAIN = `state = 'pending', attempts = 0, next_attempt_at = ${UNLESS_IN_FLIGHT}`;

/** Sends the delivery $2 of the webhook $1 again. */
export const REDELIVER = namedStatement('webhook_redeliver')`
    UPDATE webhook_deliveries d SET ${AGAIN} WHERE webhook_id = $1 AND id = $2 RETURNING record_id AS "recordID", type`;

/** Sends the matching events of the webhook $1 after number $2 up to $3 again, with the ids of their deliveries. Later events have none yet. */
export const REPLAY = namedStatement('webhook_replay')`
    WITH filtering AS MATERIALIZED (${FILTERING}
    )
    INSERT INTO webhook_deliveries AS d (id, webhook_id, event_number, type, record_id, is_next)
    SELECT ${deliveryIDOf('w.id', 'e.number', 'e.seal')}, w.id, e.number, e.type, e.record_id, false
    FROM filtering w JOIN events e ON e.number > $2::bigint AND e.number <= least($3::bigint, w.position)
    WHERE ${MATCHES}
    ORDER BY e.number
    ON CONFLICT ON CONSTRAINT webhook_deliveries_event_key DO UPDATE SET ${AGAIN}
    RETURNING d.record_id AS "recordID"`;

/** Marks the first pending delivery of each of the records $2 of the webhook $1. */
export const MARK_NEXT = namedStatement('webhook_mark_next')`
    WITH first AS MATERIALIZED (
      SELECT record.id AS record_id, d.id FROM unnest($2::uuid[]) AS record (id) CROSS JOIN LATERAL (
        SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND record_id = record.id AND state = 'pending' ORDER BY event_number LIMIT 1
      ) d
    )
    UPDATE webhook_deliveries d SET is_next = d.id = first.id FROM first
    WHERE d.webhook_id = $1 AND d.record_id = first.record_id AND d.state = 'pending' AND d.is_next <> (d.id = first.id)`;

/**
 * The age of the oldest delivery that is pending, or event that has no deliveries yet, of enabled webhooks; how long due ones have waited
 * whose receivers do not fail; and webhooks by state. Each is the first entry of an index.
 */
export const BACKLOG = namedStatement('webhook_backlog')`
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(oldest) FILTER (WHERE w.enabled)), 0)::float8 AS "oldestSeconds",
      greatest(extract(epoch FROM clock_timestamp() - min(due) FILTER (
        WHERE w.enabled AND (p.failing_since IS NULL OR p.failing_since > now() - ${FAILING_BRIEFLY})
      )), 0)::float8 AS "overdueSeconds",
      count(*) FILTER (WHERE w.disabled_reason <> 'REQUESTED')::int AS disabled,
      count(*) FILTER (WHERE w.enabled AND p.failing_since IS NOT NULL)::int AS failing
    FROM webhooks w JOIN webhook_progress p ON p.webhook_id = w.id
    CROSS JOIN LATERAL (SELECT (SELECT moment FROM events WHERE number > p.position ORDER BY number LIMIT 1) AS moment) unplanned
    CROSS JOIN LATERAL (
      SELECT least(unplanned.moment, (
        SELECT created_at FROM webhook_deliveries WHERE webhook_id = w.id AND state = 'pending' ORDER BY ${PLACE} LIMIT 1
      )) AS oldest,
      least(unplanned.moment, (
        SELECT next_attempt_at FROM webhook_deliveries WHERE webhook_id = w.id AND ${IS_DUE} ORDER BY next_attempt_at LIMIT 1
      )) AS due
    ) times`;
