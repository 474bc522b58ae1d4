import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was changed since a moment was listed newest first, by spans of 8 days.
 */
export class IndexesOfChangesBySpan1762900000011 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE INDEX shipments_status_updated_span_idx ON shipments (status, ${SPAN}, id)`);
    await db.query(`CREATE INDEX moves_updated_span_idx ON moves (${SPAN}, id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX moves_updated_span_idx');
    await db.query('DROP INDEX shipments_status_updated_span_idx');
  }
}

const SPAN = `(((updated_at AT TIME ZONE 'UTC')::date - DATE '2000-01-01') >> 3)`;
