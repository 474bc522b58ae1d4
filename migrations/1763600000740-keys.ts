import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * API keys. A key is a record with versions and history. What changes without a version is in tables of its own, also the hashes, which
 * therefore cannot get into history or events. The keys themselves are stored nowhere.
 */
export class Keys1763600000740 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE keys (
        id uuid CONSTRAINT keys_pkey PRIMARY KEY,
        name varchar(100) NOT NULL,
        scopes varchar(32)[] NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        created_by varchar(255) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        updated_at timestamptz(3) NOT NULL DEFAULT now_ms()
      );

      CREATE TABLE key_hashes (
        hash bytea CONSTRAINT key_hashes_pkey PRIMARY KEY,
        key_id uuid NOT NULL CONSTRAINT key_hashes_key_id_fkey
          REFERENCES keys ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        expires_at timestamptz(3)
      );
      CREATE INDEX key_hashes_key_id_idx ON key_hashes (key_id);
      COMMENT ON COLUMN key_hashes.hash IS 'The SHA-256 of the key';
      COMMENT ON COLUMN key_hashes.expires_at IS 'Until when a replaced key still works; null for the current one';

      CREATE TABLE key_progress (
        key_id uuid CONSTRAINT key_progress_pkey PRIMARY KEY CONSTRAINT key_progress_key_id_fkey
          REFERENCES keys ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        creator text NOT NULL,
        last_used_at timestamptz(3)
      );
      CREATE INDEX key_progress_creator_idx ON key_progress (creator);
      COMMENT ON COLUMN key_progress.creator IS 'The SHA-256 of the subject that created the key';
      COMMENT ON COLUMN key_progress.last_used_at IS 'The hour of the last use';

      SELECT track_changes('keys', 'key', 'id');
    `);
  }
}
