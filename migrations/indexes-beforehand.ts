import type { QueryRunner } from 'typeorm';
import type { ConcurrentIndex } from './concurrent-index.js';

type Database = Pick<QueryRunner, 'query'>;

const DELIVERY = `coalesce(delivery_date, 'infinity')`;

/**
 * Some migrations were released that make indexes inside their transaction, while writers wait. They make none that is there
 * already, so these are made concurrently beforehand, by the name of the migration.
 */
export const INDEXES_BEFOREHAND: Readonly<Record<string, (db: Database) => Promise<ConcurrentIndex[]>>> = {
  IndexesOfLists1763000000014: () =>
    Promise.resolve([
      { name: 'shipments_shipment_type_idx', table: 'shipments', key: '(shipment_type, id)' },
      { name: 'shipments_updated_at_idx', table: 'shipments', key: '(updated_at, id)' },
      { name: 'shipments_delivery_idx', table: 'shipments', key: `(${DELIVERY}, id)` },
      { name: 'shipments_status_delivery_idx', table: 'shipments', key: `(status, ${DELIVERY}, id)` },
    ]),
  // The index of a partitioned table adopts those that its partitions have.
  Events1763100000015: async (db) => {
    const partitions = (await db.query(
      `SELECT inhrelid::regclass::text AS table FROM pg_inherits WHERE inhparent = 'history'::regclass ORDER BY 1`,
    )) as { table: string }[];
    return partitions.map(({ table }) => ({ name: `${table}_expr_idx`, table, key: '((position + 0))' }));
  },
};
