// Fills an empty database with the service's own seeder, and numbers the shipments so that a load can choose among them.
import { seedDatabase } from '../dist/tools/seed/seed-database.js';
import { SHIPMENT_TYPES } from '../dist/tools/seed/vocabulary.js';

/** A move has three shipments on average; a few moves more make sure that there are enough. */
const SHIPMENTS_OF_A_MOVE = 2.95;

/** The oldest shipment has the number 1. */
const NUMBERED = `
  CREATE TABLE bench_shipments AS
    SELECT row_number() OVER (ORDER BY s.id) AS n, s.id, s.move_id, m.move_code, m.order_id
    FROM shipments s JOIN moves m ON m.id = s.move_id;
  ALTER TABLE bench_shipments ADD PRIMARY KEY (n);
  CREATE FUNCTION bench_shipment_id(number bigint) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT id FROM bench_shipments WHERE n = number)`;

/** Ids and codes of records that a load makes; the number is any one up to 2^48. */
const FRESH = `
  CREATE FUNCTION bench_uuid(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (lpad(to_hex(n), 12, '0') || '7000a' || kind || lpad(to_hex(n), 14, '0'))::uuid;
  CREATE FUNCTION bench_move_code(n bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', (n >> (5 * place) & 31)::int + 1, 1), '')
            FROM generate_series(0, 5) place)`;

/**
 * @param {import('pg').Client} client
 */
export async function seed(url, client, shipments) {
  const moves = Math.ceil(shipments / SHIPMENTS_OF_A_MOVE);
  const options = { moves, seed: 1, week: false, until: Date.now(), shipmentTypes: SHIPMENT_TYPES };
  await seedDatabase(url, options, () => undefined);
  await client.query(NUMBERED);
  await client.query(FRESH);
  await client.query('VACUUM ANALYZE');
}
