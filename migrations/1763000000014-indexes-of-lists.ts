import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A shipment without a delivery date comes after all others; see `sortValue` in src/records/list-sql.ts. */
const DELIVERY = `coalesce(delivery_date, 'infinity')`;

/** By updated_at and by type without status; the delivery date so that its order includes shipments that have none. */
const ADDED = [
  'shipments_shipment_type_idx ON shipments (shipment_type, id)',
  'shipments_updated_at_idx ON shipments (updated_at, id)',
  `shipments_delivery_idx ON shipments (${DELIVERY}, id)`,
  `shipments_status_delivery_idx ON shipments (status, ${DELIVERY}, id)`,
];

const DELIVERY_SPAN = `((delivery_date - DATE '2000-01-01') >> 5)`;
const UPDATED_SPAN = `(((updated_at AT TIME ZONE 'UTC')::date - DATE '2000-01-01') >> 3)`;

const DROPPED = [
  'shipments_shipment_type_status_idx ON shipments (shipment_type, status, id)',
  'shipments_status_delivery_date_idx ON shipments (status, delivery_date, id)',
  `shipments_status_delivery_span_idx ON shipments (status, ${DELIVERY_SPAN}, id)`,
  'shipments_shipment_type_status_delivery_date_idx ON shipments (shipment_type, status, delivery_date, id)',
  `shipments_shipment_type_status_delivery_span_idx ON shipments (shipment_type, status, ${DELIVERY_SPAN}, id)`,
  'shipments_status_updated_at_idx ON shipments (status, updated_at, id)',
  `shipments_status_updated_span_idx ON shipments (status, ${UPDATED_SPAN}, id)`,
  `moves_updated_span_idx ON moves (${UPDATED_SPAN}, id)`,
];

/**
 * Each list is one walk down one index: six indexes of shipments instead of nine. IF NOT EXISTS, so that the indexes of a large table can be
 * created beforehand with CREATE INDEX CONCURRENTLY, which does not keep writers waiting. Replicas of the version before answer as they
 * did without the dropped indexes, but read more for lists by a range until they are replaced.
 */
export class IndexesOfLists1763000000014 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // To index a large table takes longer than any statement of a request may.
    await db.query('SET LOCAL statement_timeout = 0');
    for (const index of ADDED) await db.query(`CREATE INDEX IF NOT EXISTS ${index}`);
    for (const index of DROPPED) await db.query(`DROP INDEX ${nameOf(index)}`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('SET LOCAL statement_timeout = 0');
    for (const index of DROPPED) await db.query(`CREATE INDEX ${index}`);
    for (const index of ADDED) await db.query(`DROP INDEX ${nameOf(index)}`);
  }
}

function nameOf(index: string): string {
  return index.slice(0, index.indexOf(' '));
}
