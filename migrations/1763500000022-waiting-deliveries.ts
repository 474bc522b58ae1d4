import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { createIndexConcurrently } from './concurrent-index.js';

/**
 * Pending deliveries of a webhook in the order of their creation: resuming walks along it, and the oldest one is its first entry. It is on
 * an expression that only these queries use. By the column, PostgreSQL might instead walk along all deliveries of the webhook, those sent
 * long ago first.
 */
export class WaitingDeliveries1763500000022 implements Migration {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    const target = `webhook_deliveries (webhook_id, (position + 0)) WHERE state = 'pending'`;
    await createIndexConcurrently(db, 'webhook_deliveries_waiting_idx', target);
  }
}
