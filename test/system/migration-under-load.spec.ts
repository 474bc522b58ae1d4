import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Client } from 'pg';
import { measured } from '../../tools/evidence/measured.mjs';
import { eventually } from '../support/races/eventually.js';
import { notThereOnce } from '../support/races/exactly-once.js';
import { Load } from '../support/races/load.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { createMigratedDatabase, insertShipments } from '../support/database/large-database.js';
import { migrateToNextVersion } from '../support/database/next-migrations.js';
import { connect } from '../support/database/test-database.js';
import { Replica } from '../support/service/replica.js';
import { keptConnections } from '../support/http/send.js';

const PATIENCE_MS = 60_000;
const ROWS = Number(process.env['TEST_ROWS'] ?? 20_000);
const TEMPLATE = 'migrated';

let server: PostgresServer;
let url: string;
let name: string;

beforeAll(async () => {
  server = await PostgresServer.start({ settings: { shared_buffers: '256MB', max_wal_size: '4GB' } });
  await createMigratedDatabase(server, TEMPLATE);
});
afterAll(() => server.remove());

/** A new database with the current schema and so many shipments. */
async function databaseWith(shipments: number): Promise<void> {
  name = `migrated_${randomBytes(4).toString('hex')}`;
  await server.sql(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  url = server.urlOf(name);
  await insertShipments(url, shipments);
}

function sql<Row extends object>(text: string): Promise<Row[]> {
  return server.sql<Row>(text, [], name);
}

/** Of the indexes that were begun, those that PostgreSQL does not use. */
async function invalidIndexes(): Promise<string[]> {
  const rows = await sql<{ index: string }>(
    'SELECT indexrelid::regclass::text AS index FROM pg_index WHERE NOT indisvalid',
  );
  return rows.map(({ index }) => index);
}

/** A transaction that is older than the migration: no index is ready before it has ended. */
async function oldTransaction(statement: string): Promise<Client> {
  const client = await connect(url);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query(statement);
  return client;
}

async function expectMigrated(): Promise<void> {
  expect(await invalidIndexes()).toEqual([]);
  const [row] = await sql<{ index: string | null }>(`SELECT to_regclass('next_version_idx') AS index`);
  expect(row?.index).toBe('next_version_idx');
}

const isIndexing = async () => {
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting for%'`,
  );
  return row?.count === 1;
};

test(`no request fails while ${ROWS} shipments are migrated`, async () => {
  await databaseWith(ROWS);
  const replica = await Replica.launch({ DATABASE_URL: url, MIGRATE_ON_START: 'off', DRAIN_DELAY_MS: '0' });
  await eventually(async () => (await replica.readiness()) !== undefined, PATIENCE_MS, 'the replica answers');
  const { send, close } = keptConnections(replica.url);
  const load = new Load(send, { writers: 4, readers: 2, pauseMs: 20 }).start();
  try {
    await eventually(() => load.accepted.length > 50, PATIENCE_MS, 'the load runs');
    const accepted = load.accepted.length;
    const began = performance.now();
    await migrateToNextVersion(url);
    const migrationSeconds = (performance.now() - began) / 1000;
    measured({ figures: { shipments: ROWS, migrationSeconds, acceptedMeanwhile: load.accepted.length - accepted } });
    expect(load.accepted.length).toBeGreaterThan(accepted);
    await replica.untilReady();
  } finally {
    await load.stop();
    close();
    await replica.stop();
  }
  expect(load.faults).toEqual([]);
  expect(load.count(/ (412|503)$/)).toBe(0);
  expect(await notThereOnce(server, load.accepted, name)).toEqual([]);
  await expectMigrated();
});

test('writers do not wait while an index waits for a transaction that is older', async () => {
  await databaseWith(100);
  const old = await oldTransaction('SELECT FROM moves LIMIT 1');
  const migration = migrateToNextVersion(url);
  await eventually(isIndexing, PATIENCE_MS, 'the index waits');
  await sql(`SET lock_timeout = '5s'; UPDATE shipments SET customer_remarks = 'written meanwhile'`);
  await old.end();
  await migration;
  await expectMigrated();
});

test('writers wait for a moment at most behind a migration that waits for their table', async () => {
  await databaseWith(100);
  const old = await oldTransaction('SELECT FROM history LIMIT 1');
  const migration = migrateToNextVersion(url);
  const waits = `SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'`;
  for (let seen = 0; seen < 3; seen += 1) {
    await eventually(async () => (await sql(waits)).length > 0, PATIENCE_MS, 'the migration waits for its lock');
    await sql(`SET lock_timeout = '5s'; UPDATE shipments SET customer_remarks = 'written meanwhile'`);
    await eventually(async () => (await sql(waits)).length === 0, PATIENCE_MS, 'the migration steps back');
  }
  await old.end();
  await migration;
  await expectMigrated();
});

test('a migration that was killed in the middle of an index is done again, and leaves no broken index', async () => {
  await databaseWith(100);
  const old = await oldTransaction('SELECT FROM moves LIMIT 1');
  const program = ['scripts/typescript.mjs', 'test/support/database/migrate-to-next-version.ts'];
  const first = spawn(process.execPath, program, { env: { ...process.env, DATABASE_URL: url }, stdio: 'inherit' });
  await eventually(isIndexing, PATIENCE_MS, 'the index waits');
  first.kill('SIGKILL');
  await once(first, 'exit');
  const gone = async () => (await sql('SELECT FROM pg_stat_progress_create_index')).length === 0;
  await eventually(gone, PATIENCE_MS, 'PostgreSQL notices that nobody waits for the index');
  expect(await invalidIndexes()).toHaveLength(1);
  await old.end();
  await migrateToNextVersion(url);
  await expectMigrated();
});

test('migrations that are started together do not wait for each other for ever', async () => {
  await databaseWith(100);
  await Promise.all([1, 2, 3].map(() => migrateToNextVersion(url)));
  await expectMigrated();
});
