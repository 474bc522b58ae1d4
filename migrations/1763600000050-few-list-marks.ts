import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { ownSearchPath } from './search-path.js';

/** Marks that wait for a transaction to end. Transactions of the service end within as many seconds, so none of their marks is dropped. */
const MAX_MARKS = 100;

/**
 * A bound for the marks that wait. Every poll reads them, and while nobody ends a transaction, a prepared one for example, there was one more
 * every second. Dropping a mark is safe: polls repeat more. The newest one stays, because it counts once the transaction has ended.
 */
export class FewListMarks1763600000050 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      CREATE OR REPLACE FUNCTION keep_list_mark() RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
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
        DELETE FROM list_marks WHERE (SELECT count(*) FROM list_marks) > ${MAX_MARKS}
          AND moment = (SELECT moment FROM list_marks WHERE moment < mark ORDER BY moment DESC LIMIT 1);
      END
      $$;

      -- The newest mark that holds in the snapshot of the statement that calls this, or null. A mark later than the floor is left from before the
      -- floor was reset, so new versions may precede it.
      CREATE OR REPLACE FUNCTION list_mark() RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER ${searchPath} AS $$
        SELECT max(moment) FROM list_marks
        WHERE seen_by < pg_snapshot_xmin(pg_current_snapshot()) AND moment <= (SELECT version_floor())
      $$;
    `);
  }
}
