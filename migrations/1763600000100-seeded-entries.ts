import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * What a seed has generated. Webhooks do not send its events. The row is written in the transaction of the seed, so that they are not sent
 * either if the seed is killed after its COMMIT.
 */
export class SeededEntries1763600000100 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE seeded_entries (positions int8range NOT NULL, kinds varchar(16)[] NOT NULL);
      COMMENT ON TABLE seeded_entries IS
        'Generated entries of history: those of these kinds at these positions. Webhooks do not send their events';
    `);
  }
}
