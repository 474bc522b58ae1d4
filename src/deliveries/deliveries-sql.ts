import { namedStatement, type Statement } from '../database/statement.js';
import { DELIVERY_STATES, type DeliveryState } from './delivery-schemas.js';
import { PLACE } from './queue-sql.js';

/** A trigger of the database deletes older attempts. */
const KEPT_ATTEMPTS = 50;

/** A page ends early when its attempts exceed this size: with every answer at its longest, 200 deliveries would have 10 MB. */
const MAX_PAGE_BYTES = 1_000_000;

/** The size of an attempt without its texts. */
const ATTEMPT_BYTES = 150;

/** Beyond every position. */
const LAST_POSITION = '9223372036854775807';

/** The newest attempts of the delivery `d`; more may be left from versions of the service that kept all. */
const NEWEST_ATTEMPTS = `
  SELECT * FROM webhook_attempts WHERE delivery_id = d.id ORDER BY attempted_at DESC LIMIT ${KEPT_ATTEMPTS}`;

/** The delivery `d` as JSON, with the answers of its receiver for callers who may read this kind of record. */
const jsonOfDelivery = (readableKinds: string) => `
  json_build_object(
    'id', d.id, 'webhookID', d.webhook_id, 'type', d.type, 'sequence', lpad(d.event_number::text, 19, '0'),
    'resourceID', CASE WHEN d.event_number IS NOT NULL THEN d.record_id END, 'state', d.state, 'createdAt', iso_ms(d.created_at),
    'deliveredAt', iso_ms(d.delivered_at),
    'nextAttemptAt', CASE WHEN d.state = 'pending' THEN iso_ms(d.next_attempt_at) END,
    'attempts', coalesce((
      SELECT json_agg(json_build_object(
        'attemptedAt', iso_ms(a.attempted_at), 'status', a.status, 'durationMs', a.duration_ms, 'error', a.error,
        'answer', CASE WHEN split_part(d.type, '.', 1) = ANY (${readableKinds}::text[]) THEN a.answer END
      ) ORDER BY a.attempted_at DESC)
      FROM (${NEWEST_ATTEMPTS}) a
    ), '[]')
  )::text`;

/** Deliveries of the webhook $1 before the position $2, newest first: all of them, or those in one state. */
function walk(state?: DeliveryState): string {
  // Of the deliveries of 30 days few fail or are pending for long, so both have indexes of their own.
  const place = state === 'pending' ? PLACE : 'position';
  const inState = state === undefined ? '' : `AND d.state = '${state}'`;
  return `
        (SELECT d.* FROM webhook_deliveries d
         WHERE d.webhook_id = $1 ${inState} AND ${place} < coalesce($2::bigint, ${LAST_POSITION}) ORDER BY ${place} DESC LIMIT $3)`;
}

/** The newest $3 deliveries of the webhook $1 before position $2, for readers of the kinds $4. `json` is empty beyond a page's size. */
export function deliveriesBefore(states: readonly DeliveryState[] = []): Statement {
  const walked = DELIVERY_STATES.filter((state) => states.includes(state));
  const walks = walked.length === 0 ? [walk()] : walked.map((state) => walk(state));
  return {
    name: ['webhook_deliveries_before', ...walked].join('_'),
    text: `
    WITH page AS (
      SELECT d.*, (SELECT sum(${ATTEMPT_BYTES} + octet_length(concat(a.answer, a.error))) FROM (${NEWEST_ATTEMPTS}) a) AS bytes
      FROM (${walks.join(' UNION ALL')}
      ) d
      ORDER BY d.position DESC LIMIT $3
    ), sized AS (
      SELECT page.*, coalesce(sum(bytes) OVER (ORDER BY position DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
      FROM page
    )
    SELECT d.position::text AS position, CASE WHEN d.bytes_before < ${MAX_PAGE_BYTES} THEN ${jsonOfDelivery('$4')} ELSE '' END AS json
    FROM sized d ORDER BY d.position DESC`,
  };
}

/** The delivery $2 of the webhook $1, for readers of the kinds $3, with what its request is made of. Deliveries have no versions. */
const DELIVERY_TEXT = `
    SELECT d.id, ${jsonOfDelivery('$3')} AS json, d.webhook_id AS "webhookID", d.type, d.event_number::float8 AS "eventNumber",
      iso_ms(d.created_at) AS "createdAt", w.url, w.payload
    FROM webhook_deliveries d LEFT JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.webhook_id = $1 AND d.id = $2`;

export const DELIVERY = namedStatement('webhook_delivery')`${DELIVERY_TEXT}`;

/** The same, if the request $4 was committed. */
export const REQUESTED_DELIVERY = namedStatement('webhook_requested_delivery', { plain: true })`
  ${DELIVERY_TEXT} AND EXISTS (SELECT FROM webhook_requests WHERE id = $4)`;

/** Notes the request $1. Deliveries change after it, so they do not show whether it was committed. */
export const NOTE_REQUEST = namedStatement('webhook_note_request', { plain: true })`
  INSERT INTO webhook_requests (id) VALUES ($1) RETURNING id`;

/** The request $1, if it was committed. */
export const REQUEST = namedStatement('webhook_request', { plain: true })`
  SELECT id FROM webhook_requests WHERE id = $1`;

/** Deletes requests whose outcome nobody looks for any more. */
export const FORGET_REQUESTS = namedStatement('webhook_forget_requests')`
  DELETE FROM webhook_requests WHERE id = ANY (ARRAY(
    SELECT id FROM webhook_requests WHERE created_at < now() - interval '1 day' LIMIT 1000
  ))`;

/** The number of the event that a cursor names, if this feed has it. */
export const EVENT_AT = namedStatement('webhook_event_at')`
  SELECT number::float8 AS number FROM events WHERE number = $1 AND seal = decode($2, 'hex')`;

/** Deletes deliveries after 30 days, except pending ones, of which there may be many. */
export const FORGET_DELIVERIES = namedStatement('webhook_forget_deliveries')`
  DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
    SELECT id FROM webhook_deliveries WHERE state <> 'pending' AND created_at < now() - interval '30 days'
    ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED
  ))`;

/** Deletes pending deliveries of webhooks that do not exist any more. Goes from webhook to webhook, not from delivery to delivery. */
export const FORGET_ORPHANS = namedStatement('webhook_forget_orphans')`
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
      ORDER BY ${PLACE} LIMIT 1000 FOR UPDATE SKIP LOCKED
    ) orphan
    WHERE waiting.webhook_id IS NOT NULL AND NOT EXISTS (SELECT FROM webhooks w WHERE w.id = waiting.webhook_id) LIMIT 1000
  ))`;
