import { randomBytes } from 'node:crypto';
import { Client, type PoolClient } from 'pg';
import { sendBatch } from '../../src/database/internals/batch.js';
import type { BoundStatement, Statement } from '../../src/database/statement.js';
import { untilBlocking } from '../support/database/activity.js';
import { connect, urlOf } from '../support/database/test-database.js';

/**
 * A statement in the middle of a batch waits for a lock, and is interrupted while PostgreSQL handles one of its messages. Each time, what
 * was before it is undone, nothing behind it runs, and the connection knows which statements it has prepared.
 */
const OPTIONS = { prepared: true, keepsDescriptions: true, settings: {} };

let table: string;
let sql: Client;
let client: PoolClient;

beforeEach(async () => {
  table = `boxes_${randomBytes(4).toString('hex')}`;
  sql = await connect(urlOf('postgres'));
  await sql.query(`CREATE TABLE ${table} (id int PRIMARY KEY, name text); INSERT INTO ${table} VALUES (0, 'old')`);
  const connected = new Client({ connectionString: urlOf('postgres'), pipeline: true });
  await connected.connect();
  client = connected as unknown as PoolClient;
});
afterEach(async () => {
  await (client as unknown as Client).end();
  await sql.query(`ROLLBACK; DROP TABLE ${table}`);
  await sql.end();
});

const bound = (statement: Statement, ...values: unknown[]): BoundStatement => ({ statement, values });
const send = (statements: readonly BoundStatement[]) => sendBatch(client, statements, OPTIONS);
const command = (text: string) => bound({ name: text.toLowerCase(), text });
const before = () => bound({ name: 'before', text: 'SELECT 1 AS value' });
const update = () =>
  bound({ name: 'update', text: `UPDATE ${table} SET name = $1 WHERE id = 0 RETURNING name` }, 'new');
const after = () => bound({ name: 'after', text: 'SELECT 2 AS value' });
const write = () => send([command('BEGIN'), before(), update(), after(), command('COMMIT')]);

/** Which message waits, whether its statement was prepared before, and the lock it waits for. */
const MESSAGES = [
  ['Parse', false, () => `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`],
  ['Bind', true, () => `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`],
  ['Execute, of a statement that the batch prepares', false, () => `SELECT FROM ${table} FOR UPDATE`],
  ['Execute', true, () => `SELECT FROM ${table} FOR UPDATE`],
] as const;

/** Sent on the connection of the batch before, or by another one while the message waits. */
const INTERRUPTIONS = [
  ['is cancelled', '57014', undefined, 'SELECT pg_cancel_backend($1)'],
  ['reaches the statement timeout', '57014', 'SET statement_timeout = 1000', undefined],
  ['reaches the lock timeout', '55P03', 'SET lock_timeout = 50', undefined],
  ['loses its session', '57P01', undefined, 'SELECT pg_terminate_backend($1)'],
] as const;

describe.each(MESSAGES)('nothing is written, and nothing behind it runs, when its %s', (_, isPrepared, lock) => {
  test.each(INTERRUPTIONS)('%s', async (__, code, setting, interrupt) => {
    client.on('error', () => undefined);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    if (isPrepared) await write();
    await sql.query(`UPDATE ${table} SET name = 'old'`);
    if (setting !== undefined) await client.query(setting);
    await sql.query(`BEGIN; ${lock()}`);
    const written = write();
    if (interrupt !== undefined) {
      await untilBlocking(sql);
      await sql.query(interrupt, [rows[0]?.pid]);
    }
    const { executed, failure } = await written;
    expect(failure).toMatchObject({ code });
    expect(executed.map((each) => each.command)).toEqual(['BEGIN', 'SELECT']);
    await sql.query('COMMIT');
    expect((await sql.query(`SELECT name FROM ${table}`)).rows).toEqual([{ name: 'old' }]);
    if (code === '57P01') return;

    expect(client.getTransactionStatus()).toBe('E');
    await send([command('ROLLBACK')]);
    const again = await write();
    expect(again.failure).toBeUndefined();
    expect(again.executed.map((each) => each.rows)).toEqual([
      [],
      [{ value: 1 }],
      [{ name: 'new' }],
      [{ value: 2 }],
      [],
    ]);
  });
});
