import { namedStatement, type Statement } from '../database/statement.js';
import { changesSql, KNOWS_BEFORE, type FieldsByKind } from '../history/changes.js';
import type { EventRow } from './event.js';
import { matchesSql } from './event-filter.js';

/** Numbers the visible history entries; see the migration that creates the function. */
export const NUMBER_EVENTS = namedStatement('events_number', 'SELECT number_events() AS numbered');

/** Maximum number of events that one read examines, however few match. */
export const MAX_EXAMINED = 5000;

/** The filter $3 to $6. */
const FILTER = matchesSql({ kinds: '$3::text[]', types: '$4::text[]', recordID: '$5::uuid', moveID: '$6::uuid' });

/** The position of the event `e` in the feed, in the format of `cursorText`. */
const PLACE = `e.number || '.' || encode(e.seal, 'hex')`;

/**
 * At most $2 of the events after number $1 that match the filter $3 to $6, each with its history entry and changes. They are returned as one
 * text, because a hundred rows are slower in PostgreSQL and pg: one line per event, with the values of an EventRow separated by tabs. The
 * row also has the positions of the event $1 and of the last examined event. Numbers are consecutive, so a range of numbers bounds the
 * examined events. An event whose entry was archived has no changedBy, and one whose kind is not in `fieldsByKind` has no changes.
 *
 * Entries are found by their primary key, which includes the month. Every lateral subquery has a LIMIT, which keeps PostgreSQL from
 * joining all of history, because it cannot know how small $2 is.
 */
export function eventsAfter(fieldsByKind: FieldsByKind): Statement {
  const text = `
    SELECT
      (SELECT ${PLACE} FROM events e WHERE e.number = $1::bigint) AS at,
      (SELECT ${PLACE} FROM events e WHERE e.number <= $1::bigint + ${MAX_EXAMINED} ORDER BY e.number DESC LIMIT 1) AS last,
      ${linesOf(fieldsByKind)}
    FROM (
      SELECT e.* FROM events e
      WHERE e.number > $1::bigint AND e.number <= $1::bigint + ${MAX_EXAMINED} AND ${FILTER}
      ORDER BY e.number LIMIT $2
    ) e
    ${ENTRIES}`;
  return namedStatement('events_after', text);
}

/** The events with the numbers $1, in the same form. */
export function eventsNumbered(fieldsByKind: FieldsByKind): Statement {
  const text = `
    SELECT ${linesOf(fieldsByKind)}
    FROM (SELECT * FROM events WHERE number = ANY ($1::bigint[])) e
    ${ENTRIES}`;
  return namedStatement('events_numbered', text);
}

/** One line per event `e`, with the values of an EventRow. */
function linesOf(fieldsByKind: FieldsByKind): string {
  // The value of each, as SQL. JSON has neither tabs nor line feeds in its texts.
  const row: EventRow = [
    'e.number',
    `encode(e.seal, 'hex')`,
    'e.kind',
    'e.type',
    'e.record_id',
    'e.root_id',
    `coalesce(e.move_id::text, '')`,
    'iso_ms(e.moment)',
    `coalesce(encode(h.e_tag, 'hex'), '')`,
    PREVIOUS_ETAG,
    `coalesce(to_json(h.changed_by)::text, '')`,
    `coalesce(to_json(h.request_id)::text, '')`,
    `CASE WHEN h.erased THEN 'true' ELSE '' END`,
    `coalesce(${changesSql('e.kind', fieldsByKind)}, '')`,
  ];
  return `string_agg(${row.join(` || E'\\t' || `)}, E'\\n') AS lines`;
}

/** As JSON. An erasure follows no version. */
const PREVIOUS_ETAG = `CASE WHEN h.type <> 'erased' AND ${KNOWS_BEFORE} THEN coalesce(to_json(encode(before.e_tag, 'hex'))::text, 'null') ELSE '' END`;

/** The history entry of each event `e`, and the one before it. */
const ENTRIES = `
    LEFT JOIN LATERAL (
      SELECT type, e_tag, changed_by, request_id, erased, record FROM history
      WHERE root_id = e.root_id AND position = e.position AND changed_at = e.moment LIMIT 1
    ) h ON true
    LEFT JOIN LATERAL (
      SELECT position, e_tag, record FROM history
      WHERE root_id = e.root_id AND position = e.before_position AND changed_at = e.before_moment LIMIT 1
    ) before ON true`;

export const NEWEST = namedStatement(
  'events_newest',
  `SELECT ${PLACE} AS place FROM events e ORDER BY e.number DESC LIMIT 1`,
);

const MONTH = `date_trunc('month', moment AT TIME ZONE 'UTC')`;

/**
 * The event before the oldest one after which nothing is missing. Months are archived as a whole, so the last event of each month shows
 * whether the month is present. Everything before a missing month counts as missing.
 */
export const BEFORE_OLDEST = namedStatement(
  'events_before_oldest',
  `
    WITH RECURSIVE last_of_month AS (
      (SELECT ${MONTH} AS month, number FROM events ORDER BY ${MONTH} DESC, number DESC LIMIT 1)
      UNION ALL
      SELECT earlier.month, earlier.number
      FROM last_of_month later, LATERAL (
        SELECT ${MONTH} AS month, number FROM events
        WHERE ${MONTH} < later.month ORDER BY ${MONTH} DESC, number DESC LIMIT 1
      ) earlier
    )
    SELECT ${PLACE} AS place FROM events e
    WHERE e.number = coalesce((
      SELECT max(gone.number) FROM last_of_month JOIN events gone USING (number)
      WHERE gone.number > 0 AND NOT EXISTS (
        SELECT FROM history h WHERE h.root_id = gone.root_id AND h.position = gone.position AND h.changed_at = gone.moment
      )
    ), 0)`,
);

/**
 * The event before the oldest one that is kept. The first event of each month shows whether the month is present. Where it is missing, the month
 * may have got entries after it was archived: the first of those counts.
 */
export const BEFORE_FIRST_KEPT = namedStatement(
  'events_before_first_kept',
  `
    WITH RECURSIVE first_of_month AS (
      (SELECT ${MONTH} AS month, number, root_id, position, moment FROM events WHERE number > 0 ORDER BY ${MONTH}, number LIMIT 1)
      UNION ALL
      SELECT later.*
      FROM first_of_month earlier, LATERAL (
        SELECT ${MONTH} AS month, number, root_id, position, moment FROM events
        WHERE ${MONTH} > earlier.month AND number > 0 ORDER BY ${MONTH}, number LIMIT 1
      ) later
    )
    SELECT ${PLACE} AS place FROM events e
    WHERE e.number = coalesce((
      SELECT min(CASE
        WHEN EXISTS (SELECT FROM history h WHERE h.root_id = f.root_id AND h.position = f.position AND h.changed_at = f.moment) THEN f.number
        ELSE (
          SELECT later.number FROM events later WHERE later.position = (
            SELECT h.position FROM history h
            WHERE h.changed_at >= f.month AT TIME ZONE 'UTC' AND h.changed_at < (f.month + interval '1 month') AT TIME ZONE 'UTC'
            ORDER BY h.position + 0 LIMIT 1
          )
        )
      END) - 1 FROM first_of_month f
    ), (SELECT max(number) FROM events))`,
);

/** How many of the newest entries are compared with the events. */
const NEWEST_ENTRIES = 1000;

/** The newest number, the number of known gaps, and the ages of the oldest unnumbered entry and of the oldest event that search lacks; and how many of the newest entries numbering will never find. */
export const NUMBERING = namedStatement(
  'events_numbering',
  `
    SELECT newest.number::text AS head, coalesce(jsonb_array_length(newest.gaps), 0) AS gaps,
      coalesce(extract(epoch FROM clock_timestamp() - waiting.changed_at), 0)::float8 AS "unnumberedSeconds",
      coalesce(extract(epoch FROM clock_timestamp() - unindexed.moment), 0)::float8 AS "unindexedSeconds",
      newest.number - search_progress.number AS "unindexedEvents",
      lost.count AS lost
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
    ) waiting ON true
    CROSS JOIN search_progress
    LEFT JOIN events unindexed ON unindexed.number = search_progress.number + 1
    CROSS JOIN LATERAL (
      SELECT count(*)::int FROM (
        SELECT least(drawn, (SELECT max(position) FROM events)) AS position FROM history_positions() LIMIT 1
      ) last
      JOIN history h ON h.position + 0 > last.position - ${NEWEST_ENTRIES} AND h.position + 0 <= last.position
      WHERE NOT EXISTS (SELECT FROM events e WHERE e.position = h.position AND e.record_id = h.record_id)
        AND NOT EXISTS (SELECT FROM jsonb_to_recordset(newest.gaps) AS gap (missing int8range) WHERE missing @> h.position)
    ) lost`,
);
