import { execFile } from 'node:child_process';
import type { Client } from 'pg';
import { attempt } from '../../tools/check-database/check.js';
import { CHECKS } from '../../tools/check-database/checks.js';
import { Sessions } from '../../tools/check-database/sessions.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

let database: TestDatabase;
let client: Client;

beforeEach(async () => {
  database = await createTestDatabase('template1');
  client = await connect(database.url);
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

interface Report {
  readonly code: number;
  readonly text: string;
  /** The names of what is missing. */
  readonly missing: string[];
}

function check(...words: string[]): Promise<Report> {
  const program = ['dist/tools/check-database/main.js', ...words];
  return new Promise((resolve) => {
    execFile(process.execPath, program, (error, stdout, stderr) => {
      const missing = [...stdout.matchAll(/^no +(.+)$/gm)].map(([, name]) => name ?? '');
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr, missing });
    });
  });
}

/** The same without the program. */
async function missingIn(url: string): Promise<string[]> {
  const sessions = await Sessions.open(url);
  const missing: string[] = [];
  for (const each of CHECKS) if ((await attempt(each, sessions)) !== undefined) missing.push(each.name);
  await sessions.close();
  return missing;
}

test('yes to everything on a PostgreSQL that the service works with, and nothing is left behind', async () => {
  const report = await check(database.url);
  expect([report.missing, report.code]).toEqual([[], 0]);
  expect(report.text.match(/^yes /gm)?.length).toBeGreaterThan(20);
  expect(report.text).toContain('The service can use this database.');
  const { rows } = await client.query(`SELECT FROM pg_namespace WHERE nspname LIKE 'waybill_check%'`);
  expect(rows).toEqual([]);
});

/** Each takes one thing away from PostgreSQL, as another engine might not have it. */
const WITHOUT: [string, string][] = [
  [
    'transaction-level advisory locks are visible to other sessions and end with the transaction',
    `CREATE FUNCTION lenient.pg_try_advisory_xact_lock(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
  ],
  [
    'the outcome of a transaction can be queried by its id',
    `CREATE FUNCTION lenient.pg_xact_status(xid8) RETURNS text LANGUAGE sql AS $$SELECT NULL::text$$`,
  ],
  [
    'an empty commit waits for synchronous standbys',
    'REVOKE EXECUTE ON FUNCTION pg_logical_emit_message(boolean, text, text, boolean) FROM PUBLIC',
  ],
  [
    'stores any Unicode text',
    `CREATE FUNCTION lenient.current_setting(text) RETURNS text LANGUAGE sql AS $$
       SELECT CASE $1 WHEN 'server_encoding' THEN 'LATIN1' ELSE pg_catalog.current_setting($1) END$$`,
  ],
  [
    'deadlocks are detected',
    `ALTER DATABASE :name SET deadlock_timeout = '60s'; ALTER DATABASE :name SET lock_timeout = '500ms'`,
  ],
];

test.each(WITHOUT)('no: %s', async (name, statement) => {
  const [, databaseName = ''] = /\/(\w+)\?/.exec(database.url) ?? [];
  await client.query('CREATE SCHEMA lenient');
  await client.query(`CREATE ROLE ${databaseName}_user LOGIN`);
  await client.query(`GRANT CREATE ON DATABASE ${databaseName} TO ${databaseName}_user`);
  await client.query(`GRANT USAGE ON SCHEMA lenient TO PUBLIC`);
  await client.query(`ALTER DATABASE ${databaseName} SET search_path = lenient, pg_catalog`);
  await client.query(statement.replaceAll(':name', databaseName));
  const url = database.url.replace(/\/\/\w+@/, `//${databaseName}_user@`);
  const missing = await missingIn(url);
  const report = name === WITHOUT[0]?.[0] ? await check(url) : undefined;
  await client.query(
    `REVOKE ALL ON DATABASE ${databaseName} FROM ${databaseName}_user; DROP ROLE ${databaseName}_user`,
  );
  expect(missing).toEqual([name]);
  if (report !== undefined) expect([report.missing, report.code]).toEqual([[name], 1]);
});

test('one sentence for a database that cannot be reached, and the usage for what is no URL', async () => {
  expect((await check('postgres://localhost:1/nowhere')).text).toMatch(
    /^Cannot connect to the database "nowhere" at localhost:1: .*refused/,
  );
  for (const word of ['embedded', 'localhost', '']) {
    expect((await check(word)).text).toMatch(/^The URL of a database begins with postgres:/);
  }
});
