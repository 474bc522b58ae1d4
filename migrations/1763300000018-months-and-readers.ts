import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PREPARE_HISTORY } from './1762900000005-history.js';
import { numberEvents } from './1763100000015-events.js';
import { MonthsAndNumbers1763300000017 } from './1763300000017-months-and-numbers.js';
import { ownSearchPath } from './search-path.js';

/**
 * Keeps whoever reads history from missing entries that are just being moved out of history_default. PostgreSQL plans a statement
 * before it takes the snapshot that the statement reads. A reader that has found the partitions of history, and then waits for
 * prepare_history() to give history_default free, would go on without the new partition, and no longer see in history_default what was
 * moved. So prepare_history() locks history itself while it moves entries: then readers wait before they look for its partitions.
 * With that, number_events() needs no lock of its own any more.
 */
export class MonthsAndReaders1763300000018 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const path = await ownSearchPath(db);
    await db.query(prepareHistory(path));
    await db.query(numberEvents(path));
  }

  async down(db: QueryRunner): Promise<void> {
    await new MonthsAndNumbers1763300000017().up(db);
    await db.query(PREPARE_HISTORY.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
    await db.query(`ALTER FUNCTION prepare_history(timestamptz, timestamptz) ${await ownSearchPath(db)}`);
  }
}

/**
 * As it was, but for the locks. Months that have begun come first, so that history is always locked before history_default, as
 * readers lock them: the other order could deadlock. Later months have no entries yet, and are prepared without holding up writers.
 */
function prepareHistory(path: string): string {
  return `
    CREATE OR REPLACE FUNCTION prepare_history(first timestamptz, last timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER ${path} SET timezone = 'UTC' AS $$
    DECLARE
      month timestamptz;
      part text;
      moved bigint;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('prepare_history'));
      LOCK TABLE ONLY history IN ACCESS SHARE MODE;
      FOREACH month IN ARRAY ARRAY(
        SELECT generate_series(date_trunc('month', first), last, '1 month')
        UNION SELECT date_trunc('month', changed_at) FROM history_default
        ORDER BY 1
      ) LOOP
        part := 'history_' || to_char(month, 'YYYY_MM');
        CONTINUE WHEN to_regclass(part) IS NOT NULL;
        IF month <= now() THEN
          LOCK TABLE ONLY history IN ACCESS EXCLUSIVE MODE;
        END IF;
        -- Whoever writes an entry of this month right now is waited for; who comes later writes into the new partition.
        LOCK TABLE history_default IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('CREATE TABLE %I (LIKE history INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING CONSTRAINTS)', part);
        EXECUTE format(
          'INSERT INTO %I SELECT * FROM history_default WHERE changed_at >= $1 AND changed_at < $1 + interval ''1 month''',
          part
        ) USING month;
        GET DIAGNOSTICS moved = ROW_COUNT;
        IF moved > 0 THEN
          ALTER TABLE history_default DISABLE TRIGGER history_append_only;
          DELETE FROM history_default WHERE changed_at >= month AND changed_at < month + interval '1 month';
          ALTER TABLE history_default ENABLE TRIGGER history_append_only;
        END IF;
        EXECUTE format(
          'ALTER TABLE history ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, month, month + interval '1 month'
        );
        EXECUTE format(
          'CREATE TRIGGER history_no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', part
        );
      END LOOP;
    END
    $$
  `;
}
