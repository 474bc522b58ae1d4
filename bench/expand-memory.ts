import { Client } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { readCommandLine } from '../src/config/command-line.js';
import { measured } from './memory.js';
import { Replica } from '../test/support/service/replica.js';

const USAGE = `Reads moves with many shipments inside, and prints the memory of the service meanwhile.

  npm run bench:expand-memory -- [--build FOLDER]

  --build FOLDER  the folder whose dist/ is measured, to compare two builds (this one)`;

const LARGE = 20_000;
const [MOVES, SHIPMENTS] = [200, 200];

const { values } = readCommandLine(USAGE, { options: { build: { type: 'string' } } });
const server = await startThrowawayPostgres();
const environment = {
  NODE_ENV: 'production',
  AUTH_MODE: 'off',
  DATABASE_URL: server.url,
  STATEMENT_TIMEOUT_MS: '60000',
};
const replica = await Replica.start({ ...environment, REQUEST_DEADLINE_MS: '120000' }, values.build);
try {
  await insertMoves();
  await measure('a move', '/v1/moves/AAAAAA');
  await measure(`a move with ${LARGE} shipments`, '/v1/moves/AAAAAA?expand=shipments');
  await measure(
    `${MOVES} moves with ${SHIPMENTS} shipments each`,
    `/v1/moves?orderID=many&expand=shipments&limit=${MOVES}`,
  );
} finally {
  await replica.kill();
  await server.stop();
}

async function insertMoves(): Promise<void> {
  const sql = new Client({ connectionString: server.url });
  await sql.connect();
  await sql.query('SET session_replication_role = replica');
  await sql.query(`INSERT INTO moves (id, move_code) VALUES (uuidv7(), 'AAAAAA')`);
  await sql.query(
    `INSERT INTO moves (id, move_code, order_id)
     SELECT uuidv7(), translate(lpad(n::text, 6, '0'), '01', 'XY'), 'many' FROM generate_series(1, $1::int) n`,
    [MOVES],
  );
  await sql.query(
    `INSERT INTO shipments (id, move_id, shipment_type, status, customer_remarks)
     SELECT uuidv7(), m.id, 'HHG', 'SUBMITTED', repeat('x', 200)
     FROM moves m, generate_series(1, CASE WHEN m.order_id IS NULL THEN $1::int ELSE $2 END)`,
    [LARGE, SHIPMENTS],
  );
  await sql.query('ANALYZE');
  await sql.end();
}

async function measure(about: string, path: string): Promise<void> {
  const [{ status, bytes }, { seconds, parts }] = await measured(replica.pid, async () => {
    const response = await fetch(replica.url + path);
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  });
  const megabytes = (bytes / 1e6).toFixed(1);
  say(`${about}: ${status} with ${megabytes} MB in ${seconds.toFixed(1)} s; memory ${Math.max(...parts)} MB`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
