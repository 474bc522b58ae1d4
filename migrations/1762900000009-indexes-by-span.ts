import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A range of delivery dates was listed newest first, by spans of 32 days, and by days at its ends. The indexes with the type were for
 * one type of shipment.
 */
export class IndexesBySpan1762900000009 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE INDEX shipments_status_delivery_span_idx ON shipments (status, ${SPAN}, id)`);
    await db.query(`
      CREATE INDEX shipments_shipment_type_status_delivery_date_idx ON shipments (shipment_type, status, delivery_date, id)
    `);
    await db.query(`
      CREATE INDEX shipments_shipment_type_status_delivery_span_idx ON shipments (shipment_type, status, ${SPAN}, id)
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX shipments_shipment_type_status_delivery_span_idx');
    await db.query('DROP INDEX shipments_shipment_type_status_delivery_date_idx');
    await db.query('DROP INDEX shipments_status_delivery_span_idx');
  }
}

const SPAN = `((delivery_date - DATE '2000-01-01') >> 5)`;
