import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { createIndexConcurrently } from './concurrent-index.js';

/** Deliveries by age for their deletion, without pending ones, which are kept however old they are. It replaces webhook_deliveries_age_idx. */
export class FinishedDeliveries1763600000102 implements Migration {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    const target = `webhook_deliveries (created_at) WHERE state <> 'pending'`;
    await createIndexConcurrently(db, 'webhook_deliveries_finished_idx', target);
  }
}
