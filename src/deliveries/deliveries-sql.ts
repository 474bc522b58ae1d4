import type { Statement } from '../database/statement.js';

/** The delivery `d` as JSON, with its attempts, newest first. */
const JSON_OF_DELIVERY = `
  json_build_object(
    'id', d.id, 'webhookID', d.webhook_id, 'type', d.type, 'sequence', lpad(d.event_number::text, 19, '0'),
    'resourceID', CASE WHEN d.event_number IS NOT NULL THEN d.record_id END, 'state', d.state, 'createdAt', iso_ms(d.created_at),
    'deliveredAt', iso_ms(d.delivered_at),
    'nextAttemptAt', CASE WHEN d.state = 'pending' THEN iso_ms(d.next_attempt_at) END,
    'attempts', coalesce((
      SELECT json_agg(json_build_object(
        'attemptedAt', iso_ms(a.attempted_at), 'status', a.status, 'durationMs', a.duration_ms, 'error', a.error, 'answer', a.answer
      ) ORDER BY a.attempted_at DESC)
      FROM webhook_attempts a WHERE a.delivery_id = d.id
    ), '[]')
  )::text AS json`;

/** At most $4 deliveries of the webhook $1 before the position $2, in the states $3, newest first. */
export const DELIVERIES_BEFORE: Statement = {
  name: 'webhook_deliveries_before',
  text: `
    SELECT d.position::text AS position, ${JSON_OF_DELIVERY} FROM webhook_deliveries d
    WHERE d.webhook_id = $1 AND ($2::bigint IS NULL OR d.position < $2::bigint) AND ($3::text[] IS NULL OR d.state = ANY ($3::text[]))
    ORDER BY d.position DESC LIMIT $4`,
};

/** The delivery $2 of the webhook $1 as a rendered row, with what its request is made of. Deliveries have no versions. */
export const DELIVERY: Statement = {
  name: 'webhook_delivery',
  text: `
    SELECT d.id, '' AS "eTag", ${JSON_OF_DELIVERY}, d.webhook_id AS "webhookID", d.type, d.event_number::float8 AS "eventNumber",
      iso_ms(d.created_at) AS "createdAt", w.url, w.payload
    FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.webhook_id = $1 AND d.id = $2`,
};

/** The number of the event that a cursor names, if this feed has it. */
export const EVENT_AT: Statement = {
  name: 'webhook_event_at',
  text: `SELECT number::float8 AS number FROM events WHERE number = $1 AND seal = decode($2, 'hex')`,
};

/** Deletes deliveries after 30 days, except those that an existing webhook still has to send. */
export const FORGET_DELIVERIES: Statement = {
  name: 'webhook_forget_deliveries',
  text: `
    DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
      SELECT d.id FROM webhook_deliveries d
      WHERE d.created_at < now() - interval '30 days'
        AND (d.state <> 'pending' OR NOT EXISTS (SELECT FROM webhooks w WHERE w.id = d.webhook_id))
      LIMIT 1000 FOR UPDATE SKIP LOCKED
    ))`,
};
