import type { Statement } from '../database/statement.js';
import { changesSql } from '../history/changes.js';

/** Gives numbers to what is visible; the migration that creates the function explains how. */
export const NUMBER_EVENTS: Statement = {
  name: 'events_number',
  text: 'SELECT number_events() AS numbered',
};

/** How many events one read examines at most, however few of them its filter matches. */
export const MAX_EXAMINED = 5000;

/** A place in the feed: the number and the seal of the event `e`. */
const CURSOR = `e.number::text, encode(e.seal, 'hex') AS seal`;

/**
 * The event with the number $1, then at most $2 of the events after it that match the filter $3 to $6, each with its entry of history and
 * its changes, then the last event that was examined. Numbers are contiguous, so a range of numbers bounds what is examined. An event whose
 * entry was moved out has no changedBy, and one of a kind that is not among `fieldsByKind` no changes.
 *
 * An entry is found by its primary key, which names its month. Every lateral subquery has a LIMIT, which keeps PostgreSQL from joining all
 * of history where it cannot know how small $2 is.
 */
export function eventsAfter(fieldsByKind: ReadonlyMap<string, ReadonlyMap<string, string>>): Statement {
  const changes = [...fieldsByKind].map(
    ([kind, fields]) => `WHEN '${kind}' THEN ${changesSql(fields, 'before.record', 'h.record')}`,
  );
  const text = `
    SELECT ${CURSOR}, e.kind, e.type, e.record_id AS "recordID", e.root_id AS "rootID", e.move_id AS "moveID",
      iso_ms(e.moment) AS time, encode(h.e_tag, 'hex') AS "eTag", h.changed_by AS "changedBy", h.request_id AS "requestID",
      h.erased, CASE WHEN part = 2 THEN CASE e.kind ${changes.join(' ')} END END AS changes
    FROM (
      (SELECT 1 AS part, * FROM events WHERE number = $1::bigint)
      UNION ALL
      (
        SELECT 2, * FROM events
        WHERE number > $1::bigint AND number <= $1::bigint + ${MAX_EXAMINED}
          AND ($3::text[] IS NULL OR kind = ANY ($3::text[]))
          AND ($4::text[] IS NULL OR type = ANY ($4::text[]))
          AND ($5::uuid IS NULL OR record_id = $5::uuid OR root_id = $5::uuid)
          AND ($6::uuid IS NULL OR move_id = $6::uuid)
        ORDER BY number LIMIT $2
      )
      UNION ALL
      (SELECT 3, * FROM events WHERE number <= $1::bigint + ${MAX_EXAMINED} ORDER BY number DESC LIMIT 1)
    ) e
    LEFT JOIN LATERAL (
      SELECT * FROM history
      WHERE part = 2 AND root_id = e.root_id AND position = e.position AND changed_at = e.moment LIMIT 1
    ) h ON true
    LEFT JOIN LATERAL (
      SELECT record FROM history
      WHERE part = 2 AND root_id = e.root_id AND position = e.before_position AND changed_at = e.before_moment LIMIT 1
    ) before ON true
    ORDER BY part, e.number`;
  return { name: 'events_after', text };
}

/** The newest event. */
export const NEWEST: Statement = {
  name: 'events_newest',
  text: `SELECT ${CURSOR} FROM events e ORDER BY e.number DESC LIMIT 1`,
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
    SELECT ${CURSOR} FROM events e
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
      (
        SELECT h.changed_at FROM history h
        WHERE h.position + 0 > (SELECT max(position) FROM events) ORDER BY h.position + 0 LIMIT 1
      )
      UNION ALL
      SELECT h.changed_at FROM jsonb_to_recordset(newest.gaps) AS gap (missing int8range)
      JOIN history h ON h.position + 0 >= lower(missing) AND h.position + 0 < upper(missing)
      ORDER BY changed_at LIMIT 1
    ) waiting ON true`,
};
