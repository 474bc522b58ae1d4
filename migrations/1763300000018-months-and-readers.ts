import type { MigrationInterface, QueryRunner } from 'typeorm';
import { prepareHistory } from './1762900000005-history.js';
import { numberEvents } from './1763100000015-events.js';
import { MonthsAndNumbers1763300000017 } from './1763300000017-months-and-numbers.js';
import { ownSearchPath } from './search-path.js';

/**
 * Keeps whoever reads history from missing entries that are just being moved out of history_default. PostgreSQL plans a statement
 * before it takes the snapshot that the statement reads. A reader that has looked up the partitions of history, and then waits for
 * prepare_history() to release history_default, would go on without the new partition, and would no longer find in history_default
 * what was moved out of it. So prepare_history() locks history itself while it moves entries: readers then wait before they look up
 * the partitions. With that, number_events() needs no lock of its own any more.
 *
 * Only a month that has begun can have entries. Months come in their order, so history is always locked before history_default, as
 * readers lock them: the other order could deadlock. Later months are prepared without holding up writers.
 */
export class MonthsAndReaders1763300000018 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const path = await ownSearchPath(db);
    const first = 'LOCK TABLE ONLY history IN ACCESS SHARE MODE;';
    const ofMonth = 'IF month <= now() THEN LOCK TABLE ONLY history IN ACCESS EXCLUSIVE MODE; END IF;';
    await db.query(prepareHistory(path, { first, ofMonth }));
    await db.query(numberEvents(path));
  }

  async down(db: QueryRunner): Promise<void> {
    await new MonthsAndNumbers1763300000017().up(db);
    await db.query(prepareHistory(await ownSearchPath(db)));
  }
}
