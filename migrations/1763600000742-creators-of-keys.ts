import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** The subject in waybill.author (<request id> <subject>, then U+001F and a display name if there is one), if it is that of an API key. */
const KEY_ID = `substring(
  split_part(substr(current_setting('waybill.author', true), strpos(current_setting('waybill.author', true), ' ') + 1), E'\\x1f', 1)
  from '^key:([0-9a-f-]{36})$')::uuid`;

/**
 * What is known of the rights of whoever created a key, so that lists can show which scopes of the key its creator no longer has. Another
 * key may be gone, so it is no foreign key.
 */
export class CreatorsOfKeys1763600000742 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE key_progress ADD COLUMN creator_key_id uuid, ADD COLUMN creator_scopes jsonb;
      ALTER TABLE key_progress ALTER COLUMN creator_key_id SET DEFAULT ${KEY_ID};
      COMMENT ON COLUMN key_progress.creator_key_id IS 'The API key that created this one; null if another caller did';
      COMMENT ON COLUMN key_progress.creator_scopes IS
        'The hours since 1970 in which the creator last called (the empty name), and last had each scope; null if never seen';
    `);
  }
}
