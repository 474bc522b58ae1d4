import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who asks what was changed since a moment mostly asks for some statuses. By status, the few that were changed are found among all
 * that were; a list without a status asks for each of the few there are.
 */
export class IndexOfChanges1762900000010 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX shipments_status_updated_at_idx ON shipments (status, updated_at, id)');
    await db.query('DROP INDEX shipments_updated_at_idx');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX shipments_updated_at_idx ON shipments (updated_at, id)');
    await db.query('DROP INDEX shipments_status_updated_at_idx');
  }
}
