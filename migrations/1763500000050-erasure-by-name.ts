import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Erasures of display names that nobody verified. Like a subject, a name is stored as a salted digest. */
export class ErasureByName1763500000050 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE erasures
        ADD COLUMN name_digest bytea,
        DROP CONSTRAINT erasures_target_check,
        ADD CONSTRAINT erasures_target_check CHECK (num_nonnulls(record_id, subject_digest, name_digest) = 1);
      COMMENT ON COLUMN erasures.subject_salt IS 'The salt of subject_digest or name_digest';
    `);
  }
}
