import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Erasures of personal data from history: who, when and how much, never what. A subject is stored as a salted digest, which is enough to
 * recognize it in a month that is restored. The service has no right to this table.
 */
export class Erasures1763400000009 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE erasures (
        id uuid CONSTRAINT erasures_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        record_id uuid,
        subject_salt bytea,
        subject_digest bytea,
        requested_by text NOT NULL,
        until_position bigint NOT NULL,
        reached_position bigint,
        entries bigint NOT NULL DEFAULT 0,
        import_rows bigint NOT NULL DEFAULT 0,
        kept_answers bigint NOT NULL DEFAULT 0,
        started_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        finished_at timestamptz(3),
        CONSTRAINT erasures_target_check CHECK ((record_id IS NULL) <> (subject_digest IS NULL))
      );
      COMMENT ON COLUMN erasures.until_position IS 'The newest position of history when the erasure began';
      COMMENT ON COLUMN erasures.reached_position IS 'Entries up to this position are done: an interrupted erasure resumes after it';

      CREATE TRIGGER erasures_kept BEFORE DELETE OR TRUNCATE ON erasures
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the list of erasures');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE erasures');
  }
}
