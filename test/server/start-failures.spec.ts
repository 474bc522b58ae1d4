// Not through PgBouncer: it starts programs and services on a database of its own.
import { spawn } from 'node:child_process';
import { createServer, type AddressInfo, type Server } from 'node:net';
import express from 'express';
import { Client } from 'pg';
import type { App } from '../../src/app.setup.js';
import { readConfig } from '../../src/config/read-config.js';
import { connectionFailure } from '../../src/database/connection-failure.js';
import { serveManagement } from '../../src/operations/management-server.js';
import { listenFailure } from '../../src/server/listen.js';
import { freePort } from '../support/http/free-port.js';
import { shareOf } from '../support/repository/sweeps.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

/** Programs that end when the database is away; the service itself waits for it. */
const PROGRAMS = ['tools/archive/main.js', 'tools/seed/main.js', 'tools/migrate/main.js'];
const ARGUMENTS: Record<string, string[]> = {
  'tools/archive/main.js': ['archive', '--before', '2020-01', '--to', '/tmp'],
};

let taken: Server;
let takenPort: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  takenPort = String((taken.address() as AddressInfo).port);
});
afterAll(async () => {
  taken.close();
  await database.drop();
});

async function run(
  program: string,
  environment: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...environment,
  };
  const child = spawn(process.execPath, [`dist/${program}`, ...(ARGUMENTS[program] ?? [])], { env });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text: Buffer) => (said += String(text)));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, said };
}

async function expectSentence(program: string, environment: Record<string, string>, words: RegExp): Promise<string> {
  const { code, said } = await run(program, environment);
  expect([program, code, said]).toEqual([program, 1, expect.stringMatching(words)]);
  expect(said).not.toMatch(/^\s+at /m);
  return said;
}

test('a taken PORT', async () => {
  await expectSentence(
    'src/main.js',
    { DATABASE_URL: database.url, PORT: takenPort },
    /^Port \d+ on 127.0.0.1 is in use .*set PORT/,
  );
});

test('a taken MANAGEMENT_PORT', async () => {
  const config = readConfig({ HOST: '127.0.0.1', MANAGEMENT_PORT: takenPort });
  const app = { init: () => undefined, getHttpAdapter: () => ({ getInstance: () => express() }) };
  const served = serveManagement(app as unknown as App, config);
  await expect(served).rejects.toThrow(/^Port \d+ on 127.0.0.1 is in use .*set MANAGEMENT_PORT/);
});

test('a HOST that is not of this machine', async () => {
  const failed = new Promise((resolve) => createServer().once('error', resolve).listen(0, '192.0.2.1'));
  expect(String(listenFailure('PORT', 3000, '192.0.2.1', await failed))).toMatch(/192\.0\.2\.1.*set HOST/);
});

test('a database that is not there', async () => {
  const url = database.url.replace(/\/spec_\w+\?/, '/nowhere?');
  await expectSentence('src/main.js', { DATABASE_URL: url }, /"nowhere" does not exist.*DATABASE_URL/);
});

test('a database made before 0.1.0', async () => {
  const old = await createTestDatabase('template1');
  const client = new Client({ connectionString: old.url });
  await client.connect();
  try {
    await client.query(`
      CREATE TABLE migrations (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL);
      INSERT INTO migrations ("timestamp", name) VALUES (1762900000002, 'Moves1762900000002');
      CREATE TABLE moves (id uuid PRIMARY KEY)`);
    for (const program of ['src/main.js', 'tools/migrate/main.js']) {
      await expectSentence(program, { DATABASE_URL: old.url }, /Moves1762900000002.*before 0\.1\.0 cannot be upgraded/);
    }
  } finally {
    await client.end();
    await old.drop();
  }
});

test('a socket that is not there', async () => {
  const url = 'postgres:///waybill?host=/nowhere';
  const failed = await new Client({ connectionString: url }).connect().catch((error: unknown) => error);
  const words = /socket in \/nowhere.*socket does not exist.*DATABASE_URL/;
  expect(connectionFailure(url, failed).message).toMatch(words);
});

test.each(shareOf(PROGRAMS, 0, PROGRAMS.length))('a database that refuses connections: %s', async (program) => {
  const url = `postgres://me:hunter2@localhost:${await freePort()}/waybill`;
  const words = /^Cannot connect to the database "waybill" at localhost:\d+: .*refused.*DATABASE_URL/;
  expect(await expectSentence(program, { DATABASE_URL: url }, words)).not.toContain('hunter2');
});
