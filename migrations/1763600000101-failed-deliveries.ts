import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { createIndexConcurrently } from './concurrent-index.js';

/** The few deliveries of a webhook that were given up, among the many of 30 days that were not. */
export class FailedDeliveries1763600000101 implements Migration {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    const target = `webhook_deliveries (webhook_id, position) WHERE state = 'failed'`;
    await createIndexConcurrently(db, 'webhook_deliveries_failed_idx', target);
  }
}
