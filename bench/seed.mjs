// Migrates an empty database and fills it, both by the programs of a checkout.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A move has three shipments on average; a few moves more make sure that there are enough. */
const SHIPMENTS_OF_A_MOVE = 2.95;

/** So that a load can choose among them; the oldest shipment has the number 1. */
const NUMBERED = `
  CREATE TABLE bench_shipments AS SELECT row_number() OVER (ORDER BY id) AS n, id FROM shipments;
  ALTER TABLE bench_shipments ADD PRIMARY KEY (n);
  CREATE FUNCTION bench_shipment_id(number bigint) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT id FROM bench_shipments WHERE n = number)`;

/**
 * The same number and moment give the same records in every database.
 * @param {import('pg').Client} client
 */
export async function seed(url, client, { checkout, shipments, until = new Date() }) {
  const program = join(checkout, 'dist/tools/seed/main.js');
  const moves = String(Math.ceil(shipments / SHIPMENTS_OF_A_MOVE));
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  const words = [program, '--moves', moves, '--seed', '1', '--until', until.toISOString()];
  await promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname, env });
  await client.query(NUMBERED);
  await client.query('VACUUM ANALYZE');
}
