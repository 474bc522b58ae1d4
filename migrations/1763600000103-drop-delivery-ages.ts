import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Of no more use. Replicas of the version before delete old deliveries without it once an hour, by reading the table. */
export class DropDeliveryAges1763600000103 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX webhook_deliveries_age_idx');
  }
}
