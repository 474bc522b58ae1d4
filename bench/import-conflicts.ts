import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { Client } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { readCommandLine } from '../src/config/command-line.js';
import { measured } from './memory.js';
import { Replica } from '../test/support/service/replica.js';
import { cpuOfProcess, cpuOfServer, postmasterOf } from './cpu-time.js';

const USAGE = `Uploads a file in which every row conflicts, and prints what its dry run costs.

  npm run bench:import-conflicts -- [--rows N] [--build FOLDER]

  --rows N        how many rows the file has (100000)
  --build FOLDER  the folder whose dist/ is measured, to compare two builds (this one)`;

const { values } = readCommandLine(USAGE, {
  options: { rows: { type: 'string', default: '100000' }, build: { type: 'string' } },
});
const rows = Number(values.rows);

const server = await startThrowawayPostgres();
const replica = await Replica.start(
  { NODE_ENV: 'production', AUTH_MODE: 'off', DATABASE_URL: server.url },
  values.build,
);
const sql = new Client({ connectionString: server.url });
await sql.connect();
try {
  const file = await insertConflicts();
  const postmaster = await postmasterOf(sql);
  const before = [cpuOfProcess(replica.pid), cpuOfServer(postmaster)] as const;
  const [answer, { seconds, parts }] = await measured(replica.pid, () => upload(file));
  const service = cpuOfProcess(replica.pid) - before[0];
  const database = cpuOfServer(postmaster) - before[1];
  say(`${rows} rows, ${(file.length / 1e6).toFixed(1)} MB: ${JSON.stringify(answer)}`);
  say(`${seconds.toFixed(1)} s; CPU: service ${service.toFixed(1)} s, PostgreSQL ${database.toFixed(1)} s`);
  say(`memory of the service in each tenth of it: ${parts.join(', ')} MB`);
} finally {
  await sql.end();
  await replica.kill();
  await server.stop();
}

/** Shipments that others changed after the versions that the file names. */
async function insertConflicts(): Promise<string> {
  await sql.query(
    `WITH move AS (INSERT INTO moves (id, move_code) VALUES (uuidv7(), 'AAAAAA') RETURNING id)
     INSERT INTO shipments (id, move_id, shipment_type, status, delivery_date, estimated_weight, customer_remarks,
       destination_address_id, destination_address_street_address1, destination_address_city, destination_address_state,
       destination_address_postal_code)
     SELECT uuidv7(), move.id, 'HHG', 'SUBMITTED', date '2026-01-01' + n % 365, 1 + n % 9000, 'row ' || n,
       uuidv7(), n || ' Main Street', 'Springfield', 'IL', '62701'
     FROM move, generate_series(1, $1::int) n`,
    [rows],
  );
  const { rows: named } = await sql.query<{ id: string; eTag: string }>(
    'SELECT id, etag_of(updated_at) AS "eTag" FROM shipments',
  );
  await sql.query(`UPDATE shipments SET customer_remarks = 'theirs', estimated_weight = 9001`);
  await sql.query('ANALYZE');
  const lines = named.map(({ id, eTag }) => `${id},${eTag},ours,9002\r\n`);
  return `id,eTag,customerRemarks,estimatedWeight\r\n${lines.join('')}`;
}

/** Not with fetch, which waits for an answer for 300 s at most. */
async function upload(body: string): Promise<object> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method: 'POST', headers: { 'Content-Type': 'text/csv' } };
    request(`${replica.url}/v1/imports`, options, resolve).on('error', reject).end(body);
  });
  const { refused, toChange, detail } = (await json(response)) as Record<string, unknown>;
  return { status: response.statusCode, refused, toChange, detail };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
