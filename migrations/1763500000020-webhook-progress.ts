import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** The subject in waybill.author (<request id> <subject>, then U+001F and a display name if there is one). */
const SUBJECT = `nullif(split_part(substr(current_setting('waybill.author', true),
  strpos(current_setting('waybill.author', true), ' ') + 1), E'\\x1f', 1), '')`;

const digestOf = (subject: string) => `encode(sha256(convert_to(${subject}, 'UTF8')), 'hex')`;

/**
 * What the queue has to know of a webhook: its creator, whose share of the calls it uses; how far it has resumed after it was enabled
 * again, so that no statement has to touch the whole backlog at once; and the last event that the receiver accepted.
 *
 * The default fills in the creator also when an older replica creates the webhook. A creator whose history entry was archived or erased
 * stays unknown; then the webhook counts on its own.
 */
export class WebhookProgress1763500000020 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE webhook_progress ADD COLUMN creator text, ADD COLUMN resumed_after bigint, ADD COLUMN accepted_at timestamptz(3);
      ALTER TABLE webhook_progress ALTER COLUMN creator SET DEFAULT ${digestOf(SUBJECT)};
      UPDATE webhook_progress p SET creator = ${digestOf('coalesce(h.subject, h.changed_by)')}
      FROM history h WHERE h.root_id = p.webhook_id AND h.type = 'created' AND NOT (h.subject IS NULL AND h.changed_by = 'erased');
      COMMENT ON COLUMN webhook_progress.creator IS 'The SHA-256 of the subject that created the webhook; null if unknown';
      COMMENT ON COLUMN webhook_progress.resumed_after IS
        'After the webhook was enabled again: pending deliveries up to this position have been made due; null when all have been';
      COMMENT ON COLUMN webhook_progress.accepted_at IS 'The last successful delivery of an event, pings aside';
    `);
  }
}
