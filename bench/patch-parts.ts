import { readFileSync } from 'node:fs';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { Client } from 'pg';
import { openDatabase } from '../src/open-database.js';
import { readCommandLine } from '../src/config/command-line.js';
import { readConfig } from '../src/config/config.js';
import { RecordSqls } from '../src/records/record-sqls.js';
import { SHIPMENTS } from '../src/shipments/shipment.entity.js';
import { median } from './cpu-time.js';

const USAGE = `Measures what each part of a PATCH costs PostgreSQL: the same change in databases that differ in one thing.

  npm run bench:patch-parts -- [--rounds N] [--changes N] [--only TEXT]

  --rounds N    of all variants, taking turns (5)
  --changes N   in each round (1000)
  --only TEXT   only variants whose name contains it, and the unchanged one`;

interface Statements {
  readonly begin: string;
  /** Prepared, after BEGIN; the parameter is the author. */
  readonly announce?: string;
  readonly lock: string;
  readonly update: string;
}

interface Variant {
  /** Run in the variant's own database. */
  readonly schema?: string;
  readonly statements?: (usual: Statements) => Partial<Statements>;
}

const AS_IT_IS = 'as it is';
const AUTHOR_NAME = '019e2b9c-6f1f-7c3e-9c63-1f0b7f6f9b11 ops@example.com';
const AUTHOR = `SET LOCAL waybill.author = '${AUTHOR_NAME}'`;

/** The trigger function as it is, with one text of it replaced. */
function historyWith(found: string, replacement: string): string {
  return `
    DO $do$
    DECLARE
      definition text := pg_get_functiondef('keep_history()'::regprocedure);
      changed text := replace(definition, $found$${found}$found$, $new$${replacement}$new$);
    BEGIN
      IF changed = definition THEN RAISE EXCEPTION 'the trigger function has no such text'; END IF;
      EXECUTE changed;
    END $do$`;
}

const INDEXES = ['move_id', 'status', 'shipment_type', 'updated_at', 'delivery', 'status_delivery'];

const VARIANTS: Readonly<Record<string, Variant>> = {
  [AS_IT_IS]: {},
  'no transaction id in BEGIN': { statements: () => ({ begin: `BEGIN; ${AUTHOR}` }) },
  'author and id as a prepared statement': {
    statements: () => ({
      begin: 'BEGIN',
      announce: `SELECT pg_current_xact_id()::text AS id, set_config('waybill.author', $1, true)`,
    }),
  },
  'id as a prepared statement': {
    statements: () => ({
      begin: `BEGIN; ${AUTHOR}`,
      announce: `SELECT pg_current_xact_id()::text AS id, $1::text`,
    }),
  },
  'locked row: version only': {
    statements: ({ lock }) => ({ lock: lock.replace('row_to_json(r) AS row', 'r.updated_at') }),
  },
  'locked row: columns': { statements: ({ lock }) => ({ lock: lock.replace('row_to_json(r) AS row', 'r.*') }) },
  'lock does not name the version': {
    statements: ({ lock }) => ({
      lock: lock.replace(/ AND etag_of.*ANY \(\$2::text\[\]\)/, ' AND $2::text[] IS NOT NULL'),
    }),
  },
  'answer: nothing': { statements: ({ update }) => ({ update: update.replace(/RETURNING[^]*/, 'RETURNING r.id') }) },
  'answer: columns': { statements: ({ update }) => ({ update: update.replace(/RETURNING[^]*/, 'RETURNING r.*') }) },
  'no transaction id in history': { schema: 'ALTER TABLE history DROP COLUMN transaction_id' },
  'no history': { schema: 'ALTER TABLE shipments DISABLE TRIGGER shipments_history' },
  'no new version': { schema: 'ALTER TABLE shipments DISABLE TRIGGER shipments_version' },
  'identity not kept': { schema: 'ALTER TABLE shipments DISABLE TRIGGER shipments_identity' },
  'no trigger': { schema: 'ALTER TABLE shipments DISABLE TRIGGER USER' },
  'history: rights of the writer': { schema: 'ALTER FUNCTION keep_history() SECURITY INVOKER' },
  'history: no search_path': { schema: 'ALTER FUNCTION keep_history() RESET search_path' },
  'history: nulls kept': { schema: historyWith('jsonb_strip_nulls(to_jsonb(NEW))', 'to_jsonb(NEW)') },
  'history: no record': { schema: historyWith('jsonb_strip_nulls(to_jsonb(NEW))', `jsonb_build_object('id', NEW.id)`) },
  'history: no eTag': { schema: historyWith(`decode(etag_of(NEW.updated_at), 'hex')`, 'NULL') },
  'history: no index by version': { schema: 'DROP INDEX history_version_idx' },
  ...Object.fromEntries(INDEXES.map((index) => [`no index ${index}`, { schema: `DROP INDEX shipments_${index}_idx` }])),
};

async function run(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: {
      rounds: { type: 'string', default: '5' },
      changes: { type: 'string', default: '1000' },
      only: { type: 'string', default: '' },
    },
  });
  const [rounds, changes] = [Number(values.rounds), Number(values.changes)];
  const names = Object.keys(VARIANTS).filter((name) => name === AS_IT_IS || name.includes(values.only));
  const server = await startThrowawayPostgres({ autovacuum: 'off', shared_buffers: '256MB' });
  const clients = new Map<string, Client>();
  try {
    const usual = await usualStatements(server.url);
    for (const [index, name] of names.entries()) clients.set(name, await prepare(server.url, index, name));
    const figures = new Map<string, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, client] of clients) {
        const statements = { ...usual, ...VARIANTS[name]?.statements?.(usual) };
        const microseconds = await measure(client, statements, changes);
        // The first round warms up.
        if (round > 0) figures.get(name)?.push(microseconds);
      }
      process.stderr.write(`round ${round} of ${rounds}\n`);
    }
    const whole = median(figures.get(AS_IT_IS) ?? []);
    for (const [name, costs] of figures) {
      const cost = median(costs);
      const difference = (cost - whole).toFixed(0).padStart(5);
      process.stdout.write(`${name.padEnd(34)} ${cost.toFixed(0).padStart(5)} µs  ${difference}\n`);
    }
  } finally {
    for (const client of clients.values()) await client.end();
    await server.stop();
  }
}

/** What the service sends for a PATCH of two fields. */
async function usualStatements(url: string): Promise<Statements> {
  const { dataSource } = await openDatabase(readConfig({}), url);
  const sql = new RecordSqls(({ entity }) => dataSource.getMetadata(entity), [], [SHIPMENTS], '').of(SHIPMENTS);
  await dataSource.destroy();
  return {
    begin: `BEGIN; ${AUTHOR}; SELECT pg_current_xact_id()::text AS id`,
    lock: sql.lockVersion('id').text,
    update: sql.update(['estimatedWeight', 'customerRemarks'], []).text,
  };
}

async function prepare(url: string, index: number, name: string): Promise<Client> {
  const admin = new Client({ connectionString: url.replace('/waybill?', '/postgres?') });
  await admin.connect();
  await admin.query(`CREATE DATABASE variant_${index} TEMPLATE waybill`);
  await admin.end();
  const client = new Client({ connectionString: url.replace('/waybill?', `/variant_${index}?`) });
  await client.connect();
  await client.query('SET plan_cache_mode = force_generic_plan');
  await client.query(`INSERT INTO moves (id, move_code) VALUES (gen_random_uuid(), 'ABCDEF')`);
  await client.query(`
    INSERT INTO shipments (id, move_id, shipment_type, status, pickup_date, delivery_date, estimated_weight,
      pickup_address_id, pickup_address_street_address1, pickup_address_city, pickup_address_state, pickup_address_postal_code,
      destination_address_id, destination_address_street_address1, destination_address_city, destination_address_state,
      destination_address_postal_code, customer_remarks)
    SELECT gen_random_uuid(), (SELECT id FROM moves), 'HHG', 'SUBMITTED', DATE '2026-03-01' + n % 90, DATE '2026-03-05' + n % 90, 4500,
      gen_random_uuid(), '1420 Beverley Road', 'McLean', 'VA', '22101',
      gen_random_uuid(), '2500 East Second Street', 'Reno', 'NV', '89595', 'Please call an hour before you arrive.'
    FROM generate_series(1, 5000) n`);
  await client.query(VARIANTS[name]?.schema ?? '').catch(async (error: unknown) => {
    await client.end();
    throw new Error(name, { cause: error });
  });
  return client;
}

/** Processor time of the connection's own process for one change, in microseconds. */
async function measure(
  client: Client,
  { begin, announce, lock, update }: Statements,
  changes: number,
): Promise<number> {
  await client.query('VACUUM ANALYZE shipments');
  const { rows } = await client.query<{ id: string; eTag: string; at: string; pid: number }>(`
    SELECT id, etag_of(updated_at) AS "eTag", iso_ms(updated_at) AS at, pg_backend_pid() AS pid
    FROM shipments ORDER BY random() LIMIT ${changes}`);
  const pid = rows[0]?.pid ?? 0;
  const before = nanosecondsOf(pid);
  for (const [turn, { id, eTag, at }] of rows.entries()) {
    await client.query(begin);
    if (announce !== undefined) await client.query({ name: 'announce', text: announce, values: [AUTHOR_NAME] });
    await client.query({ name: 'lock', text: lock, values: [id, [eTag]] });
    await client.query({ name: 'update', text: update, values: [id, at, 1 + turn, `Call before arrival, ${turn}.`] });
    await client.query('COMMIT');
  }
  return (nanosecondsOf(pid) - before) / 1000 / rows.length;
}

function nanosecondsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]);
}

await run();
