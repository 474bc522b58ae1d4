import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownSearchPath } from './search-path.js';

/** So many entries get their numbers in one transaction at most. */
const BATCH = 1000;

/**
 * Numbers the entries of history in an order that readers can follow. A position of history is drawn inside a transaction, so a
 * lower one can become visible after a higher one, and whoever goes on from the highest one seen would miss it. Numbers are
 * given only to entries that are visible, without gaps, one batch after the other, and never change.
 *
 * Row 0 is no event: it is where the feed begins, and its random id tells this feed from any other.
 */
export class Events1763100000015 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const path = await ownSearchPath(db);
    // Of an expression that nothing else uses. PostgreSQL would walk an index of the plain column for "the newest entry of this
    // record" as well, through the entries of all records, where it misjudges how soon it meets one.
    await db.query('CREATE INDEX history_position_idx ON history ((position + 0))');
    await db.query(`
      CREATE TABLE events (
        number bigint CONSTRAINT events_pkey PRIMARY KEY,
        root_id uuid NOT NULL,
        position bigint NOT NULL CONSTRAINT events_position_key UNIQUE,
        moment timestamptz(3) NOT NULL,
        gaps jsonb
      )
    `);
    await db.query(`
      COMMENT ON COLUMN events.gaps IS
        'On the last event of a batch: the positions that were missing then, and the transaction that noticed'
    `);
    // The last event of each month, which tells whether the entries of that month are still there.
    await db.query(`
      CREATE INDEX events_month_idx ON events (date_trunc('month', moment AT TIME ZONE 'UTC'), number)
    `);
    await db.query('INSERT INTO events (number, root_id, position, moment) VALUES (0, gen_random_uuid(), 0, now())');
    await db.query(`
      CREATE FUNCTION refuse_change_of_events() RETURNS trigger LANGUAGE plpgsql ${path} AS $$
      BEGIN
        RAISE EXCEPTION 'events are append-only' USING ERRCODE = 'restrict_violation';
      END
      $$
    `);
    await db.query(`
      CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events()
    `);
    await db.query(numberEvents(path));
    await db.query('REVOKE EXECUTE ON FUNCTION refuse_change_of_events(), number_events() FROM PUBLIC');
  }

  /** The numbers are lost: a feed that is made again numbers the entries anew, and refuses the cursors of this one. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION number_events()');
    await db.query('DROP TABLE events');
    await db.query('DROP FUNCTION refuse_change_of_events()');
    await db.query('DROP INDEX history_position_idx');
  }
}

/**
 * Numbers what is visible and has no number, in the order of position, and returns how many entries that were; null while
 * another session does it. It runs as the owner, takes no arguments and finds everything it needs in the tables, so that its
 * caller can neither choose nor withhold a number, and any replica can go on where another one stopped.
 *
 * A position that is missing below a visible one is a gap. Its transaction is either still running, and the entry may yet
 * come, or was rolled back, and it never will. Gaps are remembered on the last event of a batch and looked for again each time.
 *
 * When a gap may be forgotten: when it is still missing in a snapshot in which every running transaction (xmin) is newer than
 * `seen_by`, an id that was assigned after the snapshot that first saw the gap. A trigger draws a position after its
 * transaction has an id, and lower positions are drawn earlier, so whoever drew the missing one has an id older than
 * `seen_by`, and has ended. The snapshot's own xmax would not do instead: it is one more than the last id that has *ended*, and a
 * transaction with a higher one may be running. An id beyond xmax was assigned by another cluster, from which this database
 * was restored, and none of its transactions runs here.
 *
 * The lock is taken in a statement of its own: the snapshot of the next one must be newer than the commit of whoever held it.
 * `beforeReading` is a statement to run between the two.
 */
export function numberEvents(path: string, beforeReading = ''): string {
  return `
    CREATE OR REPLACE FUNCTION number_events() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER ${path} SET enable_seqscan = off AS $$
    DECLARE
      numbered integer;
    BEGIN
      IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
        RAISE EXCEPTION 'number_events() needs a transaction of its own' USING ERRCODE = 'active_sql_transaction',
          HINT = 'The id of a transaction that has written before is older than what number_events() sees.';
      END IF;
      IF NOT pg_try_advisory_xact_lock(hashtext('number_events')) THEN
        RETURN NULL;
      END IF;
      ${beforeReading}

      WITH last_event AS MATERIALIZED (
        SELECT number, gaps, (SELECT max(position) FROM events) AS frontier FROM events ORDER BY number DESC LIMIT 1
      ), known_gap AS MATERIALIZED (
        SELECT missing, seen_by FROM last_event, jsonb_to_recordset(gaps) AS gap (missing int8range, seen_by xid8)
      ), entry AS MATERIALIZED (
        SELECT * FROM (
          SELECT h.root_id, h.position, h.changed_at
          FROM known_gap JOIN history h ON h.position + 0 >= lower(missing) AND h.position + 0 < upper(missing)
          UNION ALL
          (
            SELECT h.root_id, h.position, h.changed_at FROM history h
            WHERE h.position + 0 > (SELECT frontier FROM last_event)
            ORDER BY h.position + 0 LIMIT ${BATCH}
          )
        ) visible ORDER BY position LIMIT ${BATCH}
      ), batch AS MATERIALIZED (
        SELECT max(position) AS last_position, count(*) = ${BATCH} AS is_full,
          range_agg(int8range(position, position + 1)) AS positions
        FROM entry
      ), remembered_gap AS (
        SELECT unnest(int8multirange(missing) - positions) AS missing, seen_by
        FROM known_gap, batch, pg_current_snapshot() AS snapshot
        -- A full batch may have left entries in the gap, visible as they are.
        WHERE is_full OR seen_by BETWEEN pg_snapshot_xmin(snapshot) AND pg_snapshot_xmax(snapshot)
        UNION ALL
        SELECT unnest(int8multirange(int8range(frontier + 1, greatest(frontier, last_position) + 1)) - positions),
          pg_current_xact_id()
        FROM last_event, batch
      )
      INSERT INTO events (number, root_id, position, moment, gaps)
      SELECT last_event.number + row_number() OVER (ORDER BY entry.position), entry.root_id, entry.position, entry.changed_at,
        CASE WHEN entry.position = last_position THEN (SELECT jsonb_agg(remembered_gap) FROM remembered_gap) END
      FROM entry, batch, last_event;

      GET DIAGNOSTICS numbered = ROW_COUNT;
      RETURN numbered;
    END
    $$
  `;
}
