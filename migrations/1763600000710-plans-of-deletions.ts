import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * Connections keep the plans of these functions until the next ANALYZE. A plan that was made while `deletions` was empty, as after the archive
 * has removed a month, would read the whole table for every child, also of the thousands that one transaction deletes.
 */
export class PlansOfDeletions1763600000710 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    for (const name of ['keep_deletion', 'is_restoring', 'restore_deleted']) {
      await db.query(`ALTER FUNCTION ${name} SET enable_seqscan = off`);
    }
  }
}
