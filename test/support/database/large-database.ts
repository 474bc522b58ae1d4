import { openDatabase } from '../../../src/open-database.js';
import { readConfig } from '../../../src/config/read-config.js';
import type { PostgresServer } from './postgres-server.js';
import { connect } from './test-database.js';

const BATCH = 100_000;

/** A database with the current schema. */
export async function createMigratedDatabase(server: PostgresServer, name: string): Promise<void> {
  await server.sql(`CREATE DATABASE ${name}`);
  const { dataSource } = await openDatabase(readConfig({ POOL_SIZE: '2' }), server.urlOf(name));
  await dataSource.destroy();
}

/** Inserts shipments of one move, each with a history entry. */
export async function insertShipments(url: string, shipments: number): Promise<void> {
  const client = await connect(url);
  await client.query(`INSERT INTO moves (id, move_code) VALUES (gen_random_uuid(), 'ABCDEF')`);
  for (let left = shipments; left > 0; left -= BATCH) {
    await client.query(
      `INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, delivery_date)
       SELECT uuidv7(), 'ABCDEF-' || $2::int + n, moves.id, 'HHG', 'SUBMITTED', CURRENT_DATE + n % 365
       FROM moves, generate_series(1, $1::int) AS n`,
      [Math.min(left, BATCH), 100 + shipments - left],
    );
  }
  await client.query('ANALYZE');
  await client.end();
}
