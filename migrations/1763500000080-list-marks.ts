import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { ownSearchPath } from './search-path.js';

/**
 * Marks: moments that no write still under way can precede, so that a client that polls for changes from one mark to the next misses none,
 * however long transactions take and whatever the clock does.
 *
 * A mark is made in two transactions. The first raises version_floor, a sequence, because a sequence changes at once for everybody; from
 * then on no version is earlier. The second reads the floor and stores it with its own transaction id. A trigger reads the floor after its
 * transaction has an id, so a transaction with a higher id has read this floor or a later one. In a snapshot in which all transactions with
 * lower ids have ended (xmin), every write is therefore either visible or not earlier than the mark.
 */
export class ListMarks1763500000080 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      CREATE SEQUENCE version_floor MINVALUE 0 START 0;
      COMMENT ON SEQUENCE version_floor IS 'Milliseconds since 1970: no new version is earlier. A mark was made there';

      CREATE TABLE list_marks (
        moment timestamptz(3) CONSTRAINT list_marks_pkey PRIMARY KEY,
        seen_by xid8 NOT NULL
      );
      -- With the table, so that it changes its owner with it.
      ALTER SEQUENCE version_floor OWNED BY list_marks.moment;
      COMMENT ON COLUMN list_marks.seen_by IS 'Transactions with higher ids write no version before the moment';

      -- Null until the first mark.
      CREATE FUNCTION version_floor() RETURNS timestamptz LANGUAGE sql VOLATILE ${searchPath} AS $$
        SELECT timestamptz 'epoch' + pg_sequence_last_value('version_floor') * interval '1 millisecond'
      $$;

      -- Raises the floor to the present, and returns whether it did: once a second is enough. After the clock was set back, the floor is ahead of
      -- it and moves by a millisecond at a time until the clock has caught up.
      CREATE FUNCTION raise_version_floor() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      DECLARE
        lowest timestamptz;
      BEGIN
        IF NOT pg_try_advisory_xact_lock(hashtext('version_floor')) THEN
          RETURN false;
        END IF;
        lowest := version_floor();
        IF lowest BETWEEN now_ms() - interval '1 second' AND now_ms() THEN
          RETURN false;
        END IF;
        PERFORM setval('version_floor', (1000 * extract(epoch FROM greatest(now_ms(), lowest + interval '1 millisecond')))::bigint);
        RETURN true;
      END
      $$;

      -- Stores the floor as a mark, and deletes marks that a later one has replaced.
      CREATE FUNCTION keep_list_mark() RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      DECLARE
        mark timestamptz;
      BEGIN
        IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
          RAISE EXCEPTION 'keep_list_mark() needs a transaction of its own' USING ERRCODE = 'active_sql_transaction',
            HINT = 'The id of the transaction must be later than the floor.';
        END IF;
        mark := version_floor();
        INSERT INTO list_marks (moment, seen_by) VALUES (mark, pg_current_xact_id()) ON CONFLICT DO NOTHING;
        DELETE FROM list_marks WHERE moment < list_mark();
      END
      $$;

      -- The newest mark that holds in the snapshot of the statement that calls this, or null.
      CREATE FUNCTION list_mark() RETURNS timestamptz LANGUAGE sql STABLE ${searchPath} AS $$
        SELECT max(moment) FROM list_marks WHERE seen_by < pg_snapshot_xmin(pg_current_snapshot())
      $$;

      CREATE OR REPLACE FUNCTION advance_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      DECLARE
        -- keep_list_mark() relies on this order: first the id, then the floor.
        own_id xid8 := pg_current_xact_id();
        earliest timestamptz := greatest(
          now_ms(), timestamptz 'epoch' + pg_sequence_last_value('version_floor') * interval '1 millisecond'
        );
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          NEW.updated_at := greatest(earliest, OLD.updated_at + interval '1 millisecond');
        ELSIF current_setting('application_name') = 'waybill' OR NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
          NEW.updated_at := earliest;
          NEW.created_at := NEW.updated_at;
        END IF;
        RETURN NEW;
      END
      $$;

      REVOKE EXECUTE ON FUNCTION version_floor, raise_version_floor, keep_list_mark, list_mark FROM PUBLIC;
    `);
  }
}
