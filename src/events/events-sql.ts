import { namedStatement } from '../database/statement.js';
import { matchesSql } from './event-filter.js';
import type { EntryRow, EventRow } from './event.js';

/** Numbers the visible history entries; see the migration that creates the function. */
export const NUMBER_EVENTS = namedStatement('events_number')`SELECT number_events() AS numbered`;

/** Maximum number of events that one read examines, however few match. */
export const MAX_EXAMINED = 5000;

/** The filter $3 to $6. */
const FILTER = matchesSql({ kinds: '$3::text[]', types: '$4::text[]', recordID: '$5::uuid', moveID: '$6::uuid' });

/** The position of the event `e` in the feed, in the format of `cursorText`. */
const PLACE = `e.number || '.' || encode(e.seal, 'hex')`;

/** The values of an EventRow, for an event `e`. */
const EVENT: EventRow = [
  'e.number',
  `encode(e.seal, 'hex')`,
  'e.kind',
  'e.type',
  'e.record_id',
  'e.root_id',
  'e.move_id',
  `to_json(e.moment AT TIME ZONE 'UTC')`,
  'e.position',
  'e.before_position',
];

/** The values of an EntryRow, for an entry `h` of history. */
const ENTRY: EntryRow = [
  'h.position',
  'h.record_id',
  'h.type',
  `encode(h.e_tag, 'hex')`,
  'to_json(h.changed_by)',
  'to_json(h.request_id)',
  `CASE WHEN h.erased THEN 'true' END`,
  'h.record',
];

/**
 * At most $2 of the events after number $1 that match the filter $3 to $6, with their entries of history. The row also has the positions of the
 * event $1 and of the last examined event. Numbers are consecutive, so a range of numbers bounds the examined events.
 */
export const EVENTS_AFTER = namedStatement('events_after')`
    WITH page AS MATERIALIZED (
      SELECT e.* FROM events e
      WHERE e.number > $1::bigint AND e.number <= $1::bigint + ${MAX_EXAMINED} AND ${FILTER}
      ORDER BY e.number LIMIT $2
    )
    SELECT
      (SELECT ${PLACE} FROM events e WHERE e.number = $1::bigint) AS at,
      (SELECT ${PLACE} FROM events e WHERE e.number <= $1::bigint + ${MAX_EXAMINED} ORDER BY e.number DESC LIMIT 1) AS last,
      ${linesOfPage()}`;

/** The events with the numbers $1, in any order, in the same form. */
export const EVENTS_NUMBERED = namedStatement('events_numbered')`
    WITH page AS MATERIALIZED (SELECT * FROM events WHERE number = ANY ($1::bigint[]))
    SELECT ${linesOfPage()}`;

/**
 * The events of the page and, for all of them together, their entries of history and those before them. Two look-ups for each event would take
 * several times as long. The times of the page exclude the months of history that have none of the entries.
 *
 * Both are texts of lines with values between tabs, because a hundred rows are slower in PostgreSQL and pg. JSON contains neither tabs nor line
 * feeds.
 */
function linesOfPage(): string {
  return `
      (SELECT ${linesOf(EVENT)} FROM page e) AS events,
      (
        SELECT ${linesOf(ENTRY)} FROM history h
        WHERE h.position + 0 = ANY (ARRAY(SELECT position FROM page UNION ALL SELECT before_position FROM page))
          AND h.changed_at >= (SELECT min(least(moment, before_moment)) FROM page)
          AND h.changed_at <= (SELECT max(greatest(moment, before_moment)) FROM page)
      ) AS entries`;
}

function linesOf(values: readonly string[]): string {
  return `string_agg(concat(${values.join(`, E'\t', `)}), E'\n')`;
}

export const NEWEST = namedStatement('events_newest')`
    SELECT ${PLACE} AS place FROM events e ORDER BY e.number DESC LIMIT 1`;

const MONTH = `date_trunc('month', moment AT TIME ZONE 'UTC')`;

/** Whether the entry of the event with this alias is in history. */
const isKept = (event: string): string =>
  `EXISTS (SELECT FROM history h WHERE h.root_id = ${event}.root_id AND h.position = ${event}.position AND h.changed_at = ${event}.moment)`;

/**
 * The event before the oldest one after which nothing is missing. Months are archived as a whole, so the last event of each month shows
 * whether the month is present. Everything before a missing month counts as missing.
 */
export const BEFORE_OLDEST = namedStatement('events_before_oldest')`
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
      WHERE gone.number > 0 AND NOT ${isKept('gone')}
    ), 0)`;

/**
 * The event before the oldest one that is kept. Until a month has been archived, that is the one before the first event. After that, the first
 * event of each month shows whether the month is present. Where it is missing, the month may have got entries after it was archived: the first
 * of those counts.
 */
export const BEFORE_FIRST_KEPT = namedStatement('events_before_first_kept')`
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
    WHERE e.number = coalesce((SELECT 0 FROM events one WHERE one.number = 1 AND ${isKept('one')}), (
      SELECT min(CASE
        WHEN ${isKept('f')} THEN f.number
        ELSE (
          SELECT later.number FROM events later WHERE later.position = (
            SELECT h.position FROM history h
            WHERE h.changed_at >= f.month AT TIME ZONE 'UTC' AND h.changed_at < (f.month + interval '1 month') AT TIME ZONE 'UTC'
            ORDER BY h.position + 0 LIMIT 1
          )
        )
      END) - 1 FROM first_of_month f
    ), (SELECT max(number) FROM events))`;

/** How many of the newest entries are compared with the events. */
const NEWEST_ENTRIES = 1000;

/** The newest number, the number of known gaps, and the ages of the oldest unnumbered entry and of the oldest event that search lacks; and how many of the newest entries numbering will never find. */
export const NUMBERING = namedStatement('events_numbering')`
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
    ) lost`;
