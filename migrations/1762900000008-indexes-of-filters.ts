import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Status stands in the indexes of the type and of the delivery date, so that each of these filters costs the same with status as
 * without, for no index more: a list without a status asks for each of the few there are.
 */
export class IndexesOfFilters1762900000008 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX shipments_shipment_type_status_idx ON shipments (shipment_type, status, id)');
    await db.query('CREATE INDEX shipments_status_delivery_date_idx ON shipments (status, delivery_date, id)');
    await db.query('DROP INDEX shipments_shipment_type_idx');
    await db.query('DROP INDEX shipments_delivery_date_idx');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX shipments_shipment_type_idx ON shipments (shipment_type, id)');
    await db.query('CREATE INDEX shipments_delivery_date_idx ON shipments (delivery_date, id)');
    await db.query('DROP INDEX shipments_shipment_type_status_idx');
    await db.query('DROP INDEX shipments_status_delivery_date_idx');
  }
}
