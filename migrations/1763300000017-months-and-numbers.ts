import type { MigrationInterface, QueryRunner } from 'typeorm';
import { numberEvents } from './1763100000015-events.js';
import { ownSearchPath } from './search-path.js';

/**
 * Keeps the numbering of events and the preparation of months apart. PostgreSQL plans a statement before it takes the snapshot
 * that the statement reads. Where prepare_history() commits in between, number_events() would look into the partitions of before
 * for the entries of after: those that have just been moved from history_default to a month of their own would be missing, as if
 * they had been rolled back, and would never get a number.
 *
 * Whoever attaches a month to history locks history_default against everybody. So number_events() takes the weakest lock on it
 * first: while it has that, no month is attached, and the statement after it is planned with all that are. History itself comes
 * before it, for that is the order in which PostgreSQL locks the two when a month is detached or dropped.
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
