import { Client } from 'pg';
import { openDatabase } from '../src/app.setup.js';
import { readCommandLine } from '../src/config/command-line.js';
import { readConfig } from '../src/config/config.js';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { cpuOfServer, median, postmasterOf } from './cpu-time.js';

const USAGE = `Measures what each part of writing history costs PostgreSQL.

  npm run bench:history-variants -- [--rounds N] [--updates N]

  --rounds N    of all variants, taking turns (7)
  --updates N   in each round (2000)`;

/**
 * What each part of writing history costs PostgreSQL: the same update of one shipment in databases that differ in one thing.
 *
 *   npm run bench:history-variants -- --rounds 9 --updates 3000
 */
const KEEP = `
  CREATE OR REPLACE FUNCTION keep_history() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    author text := current_setting('waybill.author', true);
    request text := nullif(split_part(author, ' ', 1), '');
    subject text := coalesce(nullif(substr(author, length(request) + 2), ''), 'sql:' || session_user);
  BEGIN
    INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, request_id, changed_at)
    VALUES (NEW.id, 'shipment', NEW.id, CASE WHEN NEW.status <> OLD.status THEN 'statusChanged' ELSE 'updated' END,
      decode(etag_of(NEW.updated_at), 'hex'), jsonb_strip_nulls(to_jsonb(NEW)), subject, request, NEW.updated_at);
    RETURN NULL;
  END
  $$;`;
const PLAIN_TABLE = `
  ALTER TABLE history RENAME TO partitioned;
  CREATE TABLE history (LIKE partitioned INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY);
  ALTER TABLE history ADD PRIMARY KEY (root_id, position, changed_at);
  CREATE INDEX ON history (record_id, e_tag);`;
const UPDATE = 'UPDATE shipments SET estimated_weight = $1 WHERE id = $2 RETURNING etag_of(updated_at)';
const UPDATE_AND_KEEP = `
  WITH changed AS (UPDATE shipments SET estimated_weight = $1 WHERE id = $2 RETURNING *),
  kept AS (
    INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, request_id, changed_at)
    SELECT id, 'shipment', id, 'updated', decode(etag_of(updated_at), 'hex'), jsonb_strip_nulls(to_jsonb(changed)),
      'subject', 'request', updated_at FROM changed
  )
  SELECT etag_of(updated_at) FROM changed`;

interface Variant {
  readonly change: string;
  readonly update?: string;
}

const VARIANTS: Record<string, Variant> = {
  'as it is': { change: '' },
  'no history': { change: 'ALTER TABLE shipments DISABLE TRIGGER shipments_history' },
  'with the rights of the writer': { change: KEEP.replace('SECURITY DEFINER SET search_path = public, pg_temp', '') },
  'nulls kept: to_jsonb': { change: KEEP.replace('jsonb_strip_nulls(to_jsonb(NEW))', 'to_jsonb(NEW)') },
  'text: row_to_json as json': {
    change: `ALTER TABLE history ALTER record TYPE json; ${KEEP.replace('jsonb_strip_nulls(to_jsonb(NEW))', 'row_to_json(NEW)')}`,
  },
  'no record at all': { change: KEEP.replace('jsonb_strip_nulls(to_jsonb(NEW))', 'NULL') },
  'no version index': { change: 'DROP INDEX history_version_idx' },
  'no eTag': { change: KEEP.replace(`decode(etag_of(NEW.updated_at), 'hex')`, 'NULL') },
  'eTag not by way of hex': {
    change: KEEP.replace(
      `decode(etag_of(NEW.updated_at), 'hex')`,
      `sha256(convert_to(iso_ms(NEW.updated_at), 'UTF8'))`,
    ),
  },
  'author not taken apart': {
    change: KEEP.replace('subject, request,', 'author, NULL,').replace(/\n {4}(request|subject) text.*/g, ''),
  },
  'not partitioned': { change: PLAIN_TABLE },
  'one statement instead of a trigger': {
    change: 'ALTER TABLE shipments DISABLE TRIGGER shipments_history',
    update: UPDATE_AND_KEEP,
  },
  'records compressed': {
    change: `DO $$ DECLARE part regclass; BEGIN
      FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'history'::regclass LOOP
        EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = 256)', part); END LOOP; END $$`,
  },
  'no history, updates in place (no index on updated_at)': {
    change: `ALTER TABLE shipments DISABLE TRIGGER shipments_history; DROP INDEX shipments_status_updated_at_idx;
      ALTER TABLE shipments SET (fillfactor = 50)`,
  },
  'updates in place (no index on updated_at)': {
    change: 'DROP INDEX shipments_status_updated_at_idx; ALTER TABLE shipments SET (fillfactor = 50)',
  },
};

async function run(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: { rounds: { type: 'string', default: '7' }, updates: { type: 'string', default: '2000' } },
  });
  const [rounds, updates] = [Number(values.rounds), Number(values.updates)];
  const server = await startThrowawayPostgres({ full_page_writes: 'on', autovacuum: 'off', shared_buffers: '256MB' });
  const clients = new Map<string, Client>();
  try {
    await (await openDatabase(readConfig({}), server.url)).dataSource.destroy();
    for (const [index, name] of Object.keys(VARIANTS).entries())
      clients.set(name, await prepare(server.url, index, name));
    const figures = new Map<string, number[]>(Object.keys(VARIANTS).map((name) => [name, []]));
    const postmaster = await postmasterOf([...clients.values()][0] as unknown as Client);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, client] of clients) {
        const seconds = await measure(client, VARIANTS[name]?.update ?? UPDATE, updates, postmaster);
        // The first round warms up.
        if (round > 0) figures.get(name)?.push((seconds * 1e6) / updates);
      }
      process.stderr.write(`round ${round} of ${rounds}\n`);
    }
    const none = median(figures.get('no history') ?? []);
    for (const [name, cost] of figures) {
      const middle = median(cost);
      process.stdout.write(
        `${name.padEnd(54)} ${middle.toFixed(0).padStart(5)} µs per update, ${(middle - none).toFixed(0).padStart(5)} µs more than none\n`,
      );
    }
  } finally {
    for (const client of clients.values()) await client.end();
    await server.stop();
  }
}

async function prepare(url: string, index: number, name: string): Promise<Client> {
  const admin = new Client({ connectionString: url.replace('/waybill?', '/postgres?') });
  await admin.connect();
  await admin.query(`CREATE DATABASE variant_${index} TEMPLATE waybill`);
  await admin.end();
  const client = new Client({ connectionString: url.replace('/waybill?', `/variant_${index}?`) });
  await client.connect();
  await client.query(`INSERT INTO moves (id, move_code) VALUES (gen_random_uuid(), 'ABCDEF')`);
  await client.query(`
    INSERT INTO shipments (id, move_id, shipment_type, status, pickup_date, delivery_date, estimated_weight,
      pickup_address_id, pickup_address_street_address1, pickup_address_city, pickup_address_state, pickup_address_postal_code,
      destination_address_id, destination_address_street_address1, destination_address_city, destination_address_state,
      destination_address_postal_code, customer_remarks)
    SELECT gen_random_uuid(), (SELECT id FROM moves), 'HHG', 'SUBMITTED', '2026-03-01', '2026-03-05', 4500,
      gen_random_uuid(), '1420 Beverley Road', 'McLean', 'VA', '22101',
      gen_random_uuid(), '2500 East Second Street', 'Reno', 'NV', '89595', 'Please call an hour before you arrive.'
    FROM generate_series(1, 100)`);
  await client.query(VARIANTS[name]?.change ?? '').catch(async (error: unknown) => {
    await client.end();
    throw new Error(name, { cause: error });
  });
  return client;
}

async function measure(client: Client, update: string, updates: number, postmaster: number): Promise<number> {
  await client.query('VACUUM shipments');
  const { rows } = await client.query<{ id: string }>('SELECT id FROM shipments');
  const before = cpuOfServer(postmaster);
  for (let turn = 0; turn < updates; turn += 1) {
    const id = rows[turn % rows.length]?.id;
    await client.query(`BEGIN; SET LOCAL waybill.author = '019e2b9c-6f1f-7c3e-9c63-1f0b7f6f9b11 ops@example.com'`);
    await client.query({ name: 'update', text: update, values: [1 + turn, id] });
    await client.query('COMMIT');
  }
  return cpuOfServer(postmaster) - before;
}

await run();
