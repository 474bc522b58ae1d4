import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** The subject in waybill.author (<request id> <subject>, then U+001F and a display name if there is one), if it is that of an API key. */
const KEY_ID = `substring(
  split_part(substr(current_setting('waybill.author', true), strpos(current_setting('waybill.author', true), ' ') + 1), E'\\x1f', 1)
  from '^key:([0-9a-f-]{36})$')::uuid`;

/**
 * The API key that created a webhook, which stops with it. The default fills it in also when an older replica creates the webhook. The key
 * may be gone, so it is no foreign key.
 */
export class WebhooksOfKeys1763600000741 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE webhook_progress ADD COLUMN creator_key_id uuid;
      ALTER TABLE webhook_progress ALTER COLUMN creator_key_id SET DEFAULT ${KEY_ID};
      COMMENT ON COLUMN webhook_progress.creator_key_id IS 'The API key that created the webhook; null if another caller did';

      ALTER TABLE webhooks
        DROP CONSTRAINT webhooks_disabled_reason_check,
        ADD CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('REQUESTED', 'GONE', 'FAILING', 'KEY_ENDED'));
    `);
  }
}
