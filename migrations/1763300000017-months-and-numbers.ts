import type { MigrationInterface, QueryRunner } from 'typeorm';
import { numberEvents } from './1763100000015-events.js';
import { ownSearchPath } from './search-path.js';

/**
 * Keeps the numbering of events and the preparation of months apart. PostgreSQL plans a statement before it takes the snapshot
 * that the statement reads. Where prepare_history() commits in between, the plan of number_events() lacks the new partition, and
 * its snapshot no longer has the entries in history_default that were moved there. They would count as rolled back, and would
 * never get a number.
 *
 * Whoever attaches a month to history locks history_default against everybody. So number_events() first takes the
 * weakest lock on it: while it has that, no month is attached, and its statement is planned with all partitions. It locks history
 * before history_default, as PostgreSQL does when a month is detached or dropped: the other order could deadlock.
 */
export class MonthsAndNumbers1763300000017 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const lock = 'LOCK TABLE ONLY history, history_default IN ACCESS SHARE MODE;';
    await db.query(numberEvents(await ownSearchPath(db), lock));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(numberEvents(await ownSearchPath(db)));
  }
}
