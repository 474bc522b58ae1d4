import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { readCommandLine } from '../src/config/command-line.js';
import { Replica } from '../test/support/replica.js';

const USAGE = `Exports many shipments as CSV and as JSON lines, and prints the memory of the service while it does.

  npm run bench:export-memory -- [--rows N]

  --rows N  how many shipments there are (1000000)`;

const SAMPLES = 10;

const { values } = readCommandLine(USAGE, { options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);

const server = await startThrowawayPostgres({ autovacuum: 'off' });
const replica = await Replica.start({ NODE_ENV: 'production', AUTH_MODE: 'off', DATABASE_URL: server.url });
try {
  await insertShipments(server.url, rows);
  say(`before: ${memoryOf(replica.pid)} MB`);
  for (const type of ['text/csv', 'application/jsonl', 'text/csv']) await measureExport(type);
} finally {
  await replica.kill();
  await server.stop();
}

/** Straight into the tables, without their triggers: a million requests would take an hour. */
async function insertShipments(url: string, count: number): Promise<void> {
  const sql = new Client({ connectionString: url });
  await sql.connect();
  await sql.query('SET session_replication_role = replica');
  await sql.query(
    `WITH move AS (INSERT INTO moves (id, move_code) VALUES (gen_random_uuid(), 'AAAAAA') RETURNING id)
     INSERT INTO shipments (id, move_id, shipment_type, status, delivery_date, estimated_weight, customer_remarks,
       destination_address_id, destination_address_street_address1, destination_address_city, destination_address_state,
       destination_address_postal_code)
     SELECT gen_random_uuid(), move.id, 'HHG', 'SUBMITTED', date '2026-01-01' + n % 365, 1 + n % 9000, '=row ' || n,
       gen_random_uuid(), n || ' Main Street', 'Springfield', 'IL', '62701'
     FROM move, generate_series(1, $1::int) n`,
    [count],
  );
  await sql.query('ANALYZE shipments');
  await sql.end();
}

async function measureExport(type: string): Promise<void> {
  const began = performance.now();
  const response = await fetch(`${replica.url}/v1/shipments`, { headers: { Accept: type } });
  if (response.body === null) throw new Error(`The export was answered with ${response.status}`);
  const firstMs = performance.now() - began;
  const samples: number[] = [];
  let [lines, bytes] = [0, 0];
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
    if (lines > ((samples.length + 1) * rows) / SAMPLES - 1) samples.push(memoryOf(replica.pid));
  }
  const seconds = (performance.now() - began) / 1000;
  const speed = `${(lines / seconds / 1000).toFixed(1)} thousand rows a second`;
  say(`${type}: ${lines} lines, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ${speed}`);
  say(`  the first after ${firstMs.toFixed(0)} ms; memory along the way: ${samples.join(', ')} MB`);
}

function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
