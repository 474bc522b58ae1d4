import type { Client } from 'pg';
import type { Json } from '../http/api.js';

/** Shipments of a move, by SQL, which is quicker; triggers write their history. */
export async function addShipments(sql: Client, move: Json, count: number, remarks: string): Promise<void> {
  await sql.query(
    `INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, customer_remarks)
     SELECT (substr(md5($2), 1, 12) || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, $2 || '-' || 9 + n, $1, 'HHG', 'SUBMITTED', $4 || ' ' || n
     FROM generate_series(1, $3::int) n`,
    [move.id, move.moveCode, count, remarks],
  );
}

/** One round of the indexer, on the connection of the spec: 0 when nothing is left, null while another session indexes. */
export async function indexNextPart(sql: Client): Promise<number | null> {
  const { rows } = await sql.query<{ indexed: number | null }>('SELECT index_words() AS indexed');
  return rows[0]?.indexed ?? null;
}
