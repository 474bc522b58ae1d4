import type { Client } from 'pg';
import { insertFamilies } from './rows.js';

/** About 1.7 MB. */
export const LARGE_LIST = '/v1/shipments?limit=200';

/** About 8 kB each in an export; inserted without triggers for speed. */
export async function insertLongShipments(sql: Client, count: number): Promise<void> {
  await sql.query('SET session_replication_role = replica');
  await sql.query(
    `WITH move AS (INSERT INTO moves (id, move_code) VALUES (gen_random_uuid(), 'AAAAAA') RETURNING id)
     INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, customer_remarks)
     SELECT gen_random_uuid(), 'AAAAAA-' || 9 + n, move.id, 'OLD', 'SUBMITTED', repeat('🚚', 2000) FROM move, generate_series(1, $1::int) n`,
    [count],
  );
  await sql.query('SET session_replication_role = origin');
}

/** Makes LARGE_LIST as large as it can be: 200 shipments with the longest possible remarks. */
export async function insertLargeShipments(sql: Client): Promise<void> {
  await insertFamilies(sql, 200, 'HHG');
  await sql.query(`UPDATE shipments SET customer_remarks = repeat('🚚', 2000)`);
}
