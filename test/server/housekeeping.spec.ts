// Not through PgBouncer: it starts programs and services on a database of its own.
import type { Client } from 'pg';
import { pino } from 'pino';
import type { App } from '../../src/app.setup.js';
import { FORGET_LOCK } from '../../src/writes/idempotency/idempotency-sql.js';
import { Housekeeping } from '../../src/operations/housekeeping.js';
import { eventually } from '../support/races/eventually.js';
import {
  connect,
  createTestDatabase,
  POOLER_ENVIRONMENT,
  type TestDatabase,
} from '../support/database/test-database.js';
import { startApp } from '../support/service/service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/** More than two steps. */
const BACKLOG = 2500;
const FRESH = 10;
const STEP = 1000;

/** Long timeouts: a statement waits for its lock until the test releases it. */
const PATIENT = { ...timeoutsWithin(600_000), POOL_SIZE: '2' };

let database: TestDatabase;
let sql: Client;
let app: App;
let url: string;
let logged: string;

beforeEach(async () => {
  logged = '';
  database = await createTestDatabase();
  sql = await connect(database.url);
  await insertKeys();
});
afterEach(async () => {
  await app.close();
  await sql.end();
  await database.drop();
});

async function insertKeys(): Promise<void> {
  await sql.query(
    `INSERT INTO idempotency_keys (caller, method, path, key, fingerprint, status, headers, body, created_at)
     SELECT 'me', 'POST', '/v1/moves', n, '', 201, '{}', '{}', now() - CASE WHEN n > $1 THEN interval '1 hour' ELSE interval '25 hours' END
     FROM generate_series(1, $2::int) n`,
    [BACKLOG, BACKLOG + FRESH],
  );
}

async function start(): Promise<void> {
  const logger = pino({ level: 'warn' }, { write: (line) => void (logged += line) });
  ({ app, url } = await startApp({ ...PATIENT, ...POOLER_ENVIRONMENT }, database.serviceUrl, logger));
}

async function keys(): Promise<number> {
  const { rows } = await sql.query<{ count: number }>('SELECT count(*)::int FROM idempotency_keys');
  return rows[0]?.count ?? 0;
}

test('the start does not wait for a backlog of expired keys, which is gone in the end', async () => {
  await sql.query('BEGIN; LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE');
  await start();
  expect((await fetch(`${url}/v1/moves`)).status).toBe(200);
  await sql.query('COMMIT');
  await eventually(async () => (await keys()) === FRESH, 50_000, 'the backlog is gone');
  // One replica deletes at a time.
  await sql.query(`SELECT pg_advisory_lock(${FORGET_LOCK})`);
  await sql.query('TRUNCATE idempotency_keys');
  await insertKeys();
  await app.get(Housekeeping).tidy();
  expect(await keys()).toBe(BACKLOG + FRESH);
  await sql.query('SELECT pg_advisory_unlock_all()');
  await app.get(Housekeeping).tidy();
  expect(await keys()).toBe(FRESH);
  expect(logged).toBe('');
});

test('a shutdown waits for the step that runs, and for no other', async () => {
  await sql.query(`
    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(99); RETURN NULL; END $$;
    CREATE TRIGGER wait_for_test AFTER DELETE ON idempotency_keys EXECUTE FUNCTION wait_for_test();
    SELECT pg_advisory_lock(99)`);
  await start();
  const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 99 AND NOT granted`;
  await eventually(async () => (await sql.query(waiting)).rowCount === 1, 20_000, 'a step runs');
  // Called directly, because `app.close()` tells one module after the other, and the next step could begin before this one is told.
  const stopped = app.get(Housekeeping).beforeApplicationShutdown();
  await sql.query('SELECT pg_advisory_unlock(99)');
  await stopped;
  expect(await keys()).toBe(BACKLOG + FRESH - STEP);
  expect(logged).toBe('');
});

test('what fails is logged, and the rest is done all the same', async () => {
  await sql.query('DROP FUNCTION prepare_months_ahead()');
  await start();
  expect(logged).toMatch(/Creating history partitions failed.*prepare_months_ahead/);
  await sql.query('ALTER TABLE idempotency_keys RENAME TO elsewhere');
  await app.get(Housekeeping).tidy();
  expect(logged).toMatch(/Deleting expired idempotency keys failed.*idempotency_keys/);
});

test('the months ahead are there before the first request', async () => {
  const months = `SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'history'::regclass AND inhrelid <> 'history_default'::regclass ORDER BY 1`;
  const { rows } = await sql.query<{ name: string }>(months);
  expect(rows).not.toHaveLength(0);
  await sql.query(`DROP TABLE ${rows.map(({ name }) => name).join(', ')}`);
  await start();
  await sql.query(`INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
    VALUES (uuidv7(), 'move', uuidv7(), 'created', 'x', now())`);
  const { rows: kept } = await sql.query<{ name: string }>('SELECT tableoid::regclass::text AS name FROM history');
  expect(kept).toEqual([{ name: expect.stringMatching(/^history_\d{4}_\d{2}$/) as string }]);
  expect((await sql.query(months)).rows.length).toBeGreaterThan(1);
});
