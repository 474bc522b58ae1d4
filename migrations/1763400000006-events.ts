import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownSearchPath } from './search-path.js';

/** The maximum number of entries to number in one transaction. */
const BATCH = 1000;

/** An event repeats these columns of its entry, so that readers filter events without reading the entries. */
const ENTRY = `h.root_id, h.position, h.changed_at, h.record_kind, h.type, h.record_id,
            CASE h.record_kind WHEN 'shipment' THEN h.record ->> 'move_id' END AS move_id`;

/**
 * Events number the entries of history in an order that readers can follow. A position of history is drawn inside a transaction, so a lower one
 * can become visible after a higher one, and a reader that continues from the highest it has seen would miss it. Numbers are assigned only
 * to visible entries, contiguously, batch by batch, and never change.
 *
 * Row 0 is not an event: it marks the beginning of the feed. A random seal distinguishes each row from one with the same number in another
 * feed, such as this one after it was restored from a backup.
 */
export class Events1763400000006 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      CREATE TABLE events (
        number bigint CONSTRAINT events_pkey PRIMARY KEY,
        seal bytea NOT NULL DEFAULT substring(uuid_send(gen_random_uuid()) FOR 8),
        root_id uuid NOT NULL,
        position bigint NOT NULL CONSTRAINT events_position_key UNIQUE,
        moment timestamptz(3) NOT NULL,
        kind varchar(16),
        type varchar(33),
        record_id uuid,
        move_id uuid,
        before_position bigint,
        before_moment timestamptz(3),
        gaps jsonb,
        CONSTRAINT events_entry_check CHECK (number = 0 OR (kind IS NOT NULL AND type IS NOT NULL AND record_id IS NOT NULL))
      );
      COMMENT ON COLUMN events.type IS 'The kind and the type of its entry, such as shipment.created';
      COMMENT ON COLUMN events.move_id IS 'The move, or the move of the shipment, that the record belongs to';
      COMMENT ON COLUMN events.before_position IS 'The previous change of the same record; before_moment is its changed_at';
      COMMENT ON COLUMN events.gaps IS
        'On the last event of a batch: the positions that were missing then, and the transaction that noticed';
      -- The last event of each month, which shows whether the entries of that month are still there.
      CREATE INDEX events_month_idx ON events (date_trunc('month', moment AT TIME ZONE 'UTC'), number);
      -- On an expression that only the numbering uses. For the newest event of one record, PostgreSQL might otherwise scan the newest events of
      -- all records.
      CREATE INDEX events_record_idx ON events (record_id, (number + 0));
      CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('events');

      INSERT INTO events (number, root_id, position, moment) VALUES (0, gen_random_uuid(), 0, now());

      -- Numbers the visible entries that have no number yet, in the order of position, and returns how many; null while another session does it. It
      -- runs as the owner, takes no arguments and finds everything it needs in the tables, so a caller can neither choose nor withhold a number, and
      -- any replica can continue where another one stopped.
      --
      -- A position that is missing below a visible one is a gap. Its transaction is either still running, and the entry may still appear, or was
      -- rolled back. Gaps are stored on the last event of a batch and checked again by the next call.
      --
      -- A gap may be forgotten when it is still missing in a snapshot in which every running transaction (xmin) is newer than seen_by, an id that
      -- was assigned after the snapshot that first saw the gap. A trigger draws a position after its transaction has an id, and lower positions are
      -- drawn earlier, so the transaction that drew the missing one has an id older than seen_by, and has ended. The snapshot's own xmax is not a
      -- safe bound: it is one more than the last id that has *ended*, and a transaction with a higher one may be running. An id beyond xmax was
      -- assigned by another cluster, from which this database was restored, and none of its transactions runs here.
      --
      -- The lock is taken in a statement of its own: the snapshot of the next one must be newer than the commit of its previous holder.
      CREATE FUNCTION number_events() RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER ${searchPath} SET enable_seqscan = off AS $$
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

        WITH last_event AS MATERIALIZED (
          SELECT number, gaps, (SELECT max(position) FROM events) AS frontier FROM events ORDER BY number DESC LIMIT 1
        ), known_gap AS MATERIALIZED (
          SELECT missing, seen_by FROM last_event, jsonb_to_recordset(gaps) AS gap (missing int8range, seen_by xid8)
        ), entry AS MATERIALIZED (
          SELECT * FROM (
            SELECT ${ENTRY}
            FROM known_gap JOIN history h ON h.position + 0 >= lower(missing) AND h.position + 0 < upper(missing)
            UNION ALL
            (
              SELECT ${ENTRY}
              FROM history h
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
          -- A full batch may have left visible entries in the gap.
          WHERE is_full OR seen_by BETWEEN pg_snapshot_xmin(snapshot) AND pg_snapshot_xmax(snapshot)
          UNION ALL
          SELECT unnest(int8multirange(int8range(frontier + 1, greatest(frontier, last_position) + 1)) - positions),
            pg_current_xact_id()
          FROM last_event, batch
        )
        INSERT INTO events (
          number, root_id, position, moment, kind, type, record_id, move_id, before_position, before_moment, gaps
        )
        SELECT last_event.number + row_number() OVER (ORDER BY entry.position), entry.root_id, entry.position, entry.changed_at,
          entry.record_kind, entry.record_kind || '.' || entry.type, entry.record_id,
          CASE entry.record_kind
            WHEN 'move' THEN entry.record_id
            ELSE coalesce((max(entry.move_id) OVER of_root)::uuid, root.move_id)
          END,
          coalesce(lag(entry.position) OVER of_record, before.position),
          coalesce(lag(entry.changed_at) OVER of_record, before.moment),
          CASE WHEN entry.position = last_position THEN (SELECT jsonb_agg(remembered_gap) FROM remembered_gap) END
        FROM entry CROSS JOIN batch CROSS JOIN last_event
        -- The newest events, from earlier batches, of the record and of its root record.
        LEFT JOIN LATERAL (
          SELECT position, moment FROM events
          WHERE record_id = entry.record_id AND type <> entry.record_kind || '.erased' ORDER BY number + 0 DESC LIMIT 1
        ) before ON true
        LEFT JOIN LATERAL (
          SELECT move_id FROM events WHERE record_id = entry.root_id ORDER BY number + 0 DESC LIMIT 1
        ) root ON true
        -- An entry of the type erased is no change of its record.
        WINDOW of_root AS (PARTITION BY entry.root_id),
          of_record AS (PARTITION BY entry.record_id, entry.type = 'erased' ORDER BY entry.position)
        -- Readers then find events that follow each other on the same pages.
        ORDER BY entry.position;

        GET DIAGNOSTICS numbered = ROW_COUNT;
        RETURN numbered;
      END
      $$;

      REVOKE EXECUTE ON FUNCTION number_events FROM PUBLIC;
    `);
  }

  /** The numbers are lost: a feed that is created again renumbers the entries and refuses the cursors of this one. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION number_events; DROP TABLE events');
  }
}
