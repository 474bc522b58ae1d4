import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { createIndexConcurrently } from './concurrent-index.js';

/** For the metric of keys that expire soon. */
export class ExpiringKeys1763600000743 implements Migration {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await createIndexConcurrently(db, 'keys_expires_at_idx', 'keys (expires_at)');
  }
}
