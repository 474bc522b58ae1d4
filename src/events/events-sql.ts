import type { Statement } from '../database/statement.js';

/** Gives numbers to what is visible; the migration that creates the function explains how. */
export const NUMBER_EVENTS: Statement = {
  name: 'events_number',
  text: 'SELECT number_events() AS numbered',
};

/** Distinguishes the event `e` from any other that has its number, in a database that was restored or made again. */
const SEAL = `
  left(encode(sha256(convert_to(
    concat_ws(' ', (SELECT root_id FROM events WHERE number = 0), e.number, e.root_id, e.position, iso_ms(e.moment)), 'UTF8'
  )), 'hex'), 16) AS seal`;

/**
 * The event with the number $1 and those after it, $2 in all, each with its entry of history, the record as it was before, and
 * the move that it belongs to. An event whose entry was moved out has no kind. Every lateral subquery has a LIMIT, which keeps
 * PostgreSQL from joining all of history where it cannot know how small $2 is.
 */
export const EVENTS_FROM: Statement = {
  name: 'events_from',
  text: `
    SELECT e.number::text, ${SEAL}, h.record_kind AS kind, h.record_id AS "recordID", h.root_id AS "rootID", h.type,
      encode(h.e_tag, 'hex') AS "eTag", h.changed_by AS "changedBy", iso_ms(h.changed_at) AS "changedAt",
      h.request_id AS "requestID", h.record, before.record AS before,
      CASE
        WHEN h.record_kind = 'move' THEN h.record_id
        WHEN h.record_id = h.root_id THEN (coalesce(h.record, before.record) ->> 'move_id')::uuid
        ELSE shipment.move_id
      END AS "moveID"
    FROM (SELECT * FROM events WHERE number >= $1 ORDER BY number LIMIT $2) e
    LEFT JOIN LATERAL (
      SELECT * FROM history
      WHERE root_id = e.root_id AND position = e.position AND changed_at = e.moment LIMIT 1
    ) h ON true
    LEFT JOIN LATERAL (
      SELECT p.record FROM history p
      WHERE p.root_id = h.root_id AND p.record_id = h.record_id AND p.position < h.position
      ORDER BY p.position DESC LIMIT 1
    ) before ON h.type <> 'created'
    LEFT JOIN LATERAL (
      SELECT move_id FROM shipments WHERE id = h.root_id
      UNION ALL
      (
        SELECT (s.record ->> 'move_id')::uuid FROM history s
        WHERE s.root_id = h.root_id AND s.record_id = h.root_id AND s.record IS NOT NULL
        ORDER BY s.position LIMIT 1
      )
      LIMIT 1
    ) shipment ON h.record_id <> h.root_id
    ORDER BY e.number`,
};

/** The newest event. */
export const NEWEST: Statement = {
  name: 'events_newest',
  text: `SELECT e.number::text, ${SEAL} FROM events e ORDER BY e.number DESC LIMIT 1`,
};

const MONTH = `date_trunc('month', moment AT TIME ZONE 'UTC')`;

/**
 * The event before the oldest one from which on all are kept. Months are moved out whole, so the last event of each month tells
 * whether the month is there. Where a month is missing between two others, what is before it does not count as kept.
 */
export const BEFORE_OLDEST: Statement = {
  name: 'events_before_oldest',
  text: `
    WITH RECURSIVE last_of_month AS (
      (SELECT ${MONTH} AS month, number FROM events ORDER BY ${MONTH} DESC, number DESC LIMIT 1)
      UNION ALL
      SELECT earlier.month, earlier.number
      FROM last_of_month later, LATERAL (
        SELECT ${MONTH} AS month, number FROM events
        WHERE ${MONTH} < later.month ORDER BY ${MONTH} DESC, number DESC LIMIT 1
      ) earlier
    )
    SELECT e.number::text, ${SEAL} FROM events e
    WHERE e.number = coalesce((
      SELECT max(gone.number) FROM last_of_month JOIN events gone USING (number)
      WHERE gone.number > 0 AND NOT EXISTS (
        SELECT FROM history h WHERE h.root_id = gone.root_id AND h.position = gone.position AND h.changed_at = gone.moment
      )
    ), 0)`,
};

/** The state of the numbering: the newest number, the gaps it remembers, and the age of the oldest entry without a number. */
export const NUMBERING: Statement = {
  name: 'events_numbering',
  text: `
    SELECT newest.number::text AS head, coalesce(jsonb_array_length(newest.gaps), 0) AS gaps,
      coalesce(extract(epoch FROM clock_timestamp() - waiting.changed_at), 0)::float8 AS "unnumberedSeconds"
    FROM (SELECT number, gaps FROM events ORDER BY number DESC LIMIT 1) newest
    LEFT JOIN LATERAL (
      SELECT h.changed_at FROM history h
      WHERE h.position + 0 > (SELECT max(position) FROM events) ORDER BY h.position + 0 LIMIT 1
    ) waiting ON true`,
};
