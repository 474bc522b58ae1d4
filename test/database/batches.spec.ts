import { Client, type PoolClient } from 'pg';
import { MAX_PREPARED, sendBatch } from '../../src/database/internals/batch.js';
import type { BoundStatement, Statement } from '../../src/database/statement.js';
import { Transaction } from '../../src/database/transaction.js';
import { urlOf } from '../support/database/test-database.js';

/** A connection with a table of its own. */
let client: PoolClient;

beforeEach(async () => {
  const connected = new Client({ connectionString: urlOf('postgres'), pipeline: true });
  await connected.connect();
  client = connected as unknown as PoolClient;
  await client.query('CREATE TEMPORARY TABLE boxes (id int PRIMARY KEY, name text)');
});
afterEach(() => (client as unknown as Client).end());

const OPTIONS = { prepared: true, keepsDescriptions: true, settings: {} };
const FAILING: Statement = { name: 'failing', text: 'SELECT 1 / $1::int AS value' };
const INSERT: Statement = { name: 'insert', text: 'INSERT INTO boxes VALUES ($1, $2) RETURNING id, name' };
const ALL: Statement = { name: 'all', text: 'SELECT * FROM boxes ORDER BY id' };

const bound = (statement: Statement, ...values: unknown[]): BoundStatement => ({ statement, values });
const one = (at: number): Statement => ({ name: `one_${at}`, text: `SELECT ${at} AS value` });

function send(statements: readonly BoundStatement[], options: Partial<typeof OPTIONS> = {}) {
  return sendBatch(client, statements, { ...OPTIONS, ...options });
}

/** The rows of the only statement. */
async function rowsOf(statement: BoundStatement, options: Partial<typeof OPTIONS> = {}): Promise<unknown> {
  const { executed, failure } = await send([statement], options);
  return failure ?? executed[0]?.rows;
}

describe.each([true, false])('prepared: %s', (prepared) => {
  test('each statement has its rows and its command', async () => {
    const statements = [
      bound({ text: 'BEGIN' }),
      bound(INSERT, 1, 'a'),
      bound(INSERT, 2, null),
      bound({ ...ALL, name: 'all_plain', plain: true }),
      bound({ text: 'COMMIT' }),
    ];
    for (const turn of ['described', 'known']) {
      const { executed, failure } = await send(statements, { prepared });
      expect([turn, failure]).toEqual([turn, undefined]);
      expect(executed.map(({ command }) => command)).toEqual(['BEGIN', 'INSERT', 'INSERT', 'SELECT', 'COMMIT']);
      expect(executed.map(({ rows }) => rows)).toEqual([
        [],
        [{ id: 1, name: 'a' }],
        [{ id: 2, name: null }],
        [
          ['1', 'a'],
          ['2', null],
        ],
        [],
      ]);
      await client.query('TRUNCATE boxes');
    }
  });

  test('nothing behind a failure runs, COMMIT included, and the status of the transaction is known', async () => {
    const { executed, failure } = await send(
      [
        bound({ text: 'BEGIN' }),
        bound(INSERT, 1, 'a'),
        bound(FAILING, 0),
        bound(INSERT, 2, 'b'),
        bound({ text: 'COMMIT' }),
      ],
      { prepared },
    );
    expect(executed.map(({ command }) => command)).toEqual(['BEGIN', 'INSERT']);
    expect(failure).toMatchObject({ code: '22012' });
    expect(client.getTransactionStatus()).toBe('E');
    await send([bound({ text: 'ROLLBACK' })], { prepared });
    expect(await rowsOf(bound(ALL), { prepared })).toEqual([]);
  });
});

test('a statement whose Parse was skipped is prepared by the next batch', async () => {
  await send([bound(FAILING, 0), bound(one(1))]);
  expect(await rowsOf(bound(one(1)))).toEqual([{ value: 1 }]);
});

test('a batch does not rely on a Parse that another one still has to confirm', async () => {
  const [failed, others] = await Promise.all([send([bound(FAILING, 0), bound(one(1))]), rowsOf(bound(one(1)))]);
  expect(failed.failure).toBeDefined();
  expect(others).toEqual([{ value: 1 }]);
});

test('a batch may use a statement that another one prepares', async () => {
  const sent = await Promise.all([rowsOf(bound(one(1))), rowsOf(bound(one(1))), rowsOf(bound(one(1)))]);
  expect(sent).toEqual([[{ value: 1 }], [{ value: 1 }], [{ value: 1 }]]);
});

test('a transaction that a statement has ended is noticed', async () => {
  const author = { requestID: 'request', caller: { subject: 'ann' } };
  const released = Object.assign(client, { release: () => undefined });
  const transaction = new Transaction(released, author, performance.now() + 60_000, OPTIONS);
  await expect(transaction.run([bound({ text: 'COMMIT' })])).rejects.toThrow('has not begun a transaction');
  await transaction.rollback();
});

test('a value that cannot be sent fails its batch alone, and leaves nothing prepared by halves', async () => {
  const value = {
    toPostgres: () => {
      throw new Error('no text');
    },
  };
  expect(await rowsOf(bound(INSERT, 1, value))).toMatchObject({ message: 'no text' });
  expect(await rowsOf(bound(INSERT, 1, 'a'))).toEqual([{ id: 1, name: 'a' }]);
});

test('statements are closed before those of the batch, so that a failure cannot skip it', async () => {
  for (let at = 0; at < MAX_PREPARED; at += 1) await send([bound(one(at))]);
  await send([bound(FAILING, 0), bound(one(MAX_PREPARED))]);
  for (let at = 0; at <= MAX_PREPARED; at += 1) expect(await rowsOf(bound(one(at)))).toEqual([{ value: at }]);
  const count = { text: 'SELECT count(*)::int AS count FROM pg_prepared_statements' };
  expect(await rowsOf(bound(count))).toEqual([{ count: MAX_PREPARED }]);
});

test('a batch of more statements than a connection keeps runs whole', async () => {
  const many = Array.from({ length: MAX_PREPARED + 20 }, (_, at) => bound(one(at)));
  for (let turn = 0; turn < 2; turn += 1) {
    const { executed } = await send(many);
    expect(executed.map(({ rows }) => rows[0])).toEqual(many.map((_, value) => ({ value })));
  }
});

test('the description of a closed statement is forgotten', async () => {
  expect(await rowsOf(bound(ALL))).toEqual([]);
  for (let at = 0; at <= MAX_PREPARED; at += 1) await send([bound(one(at))]);
  await client.query('ALTER TABLE boxes DROP COLUMN name, ADD COLUMN weight int');
  await client.query('INSERT INTO boxes VALUES (1, 20)');
  expect(await rowsOf(bound(ALL))).toEqual([{ id: 1, weight: 20 }]);
});

test('a column that changes under a prepared statement is an error, not another value', async () => {
  await rowsOf(bound(ALL));
  await client.query('ALTER TABLE boxes ADD COLUMN weight int');
  expect(await rowsOf(bound(ALL))).toMatchObject({ code: '0A000', routine: 'RevalidateCachedQuery' });
});

test('behind a pooler, where another server may have prepared the statement, its rows are described each time', async () => {
  const pooled = { keepsDescriptions: false };
  expect(await rowsOf(bound(ALL), pooled)).toEqual([]);
  await client.query('DISCARD PLANS; DEALLOCATE ALL; ALTER TABLE boxes DROP COLUMN name, ADD COLUMN weight int');
  await client.query('INSERT INTO boxes VALUES (1, 20)');
  await client.query(`PREPARE "all" AS ${ALL.text}`);
  expect(await rowsOf(bound(ALL), pooled)).toEqual([{ id: 1, weight: 20 }]);
});

test('a notice in a batch is reported before its outcome', async () => {
  const notices: (string | undefined)[] = [];
  client.on('notice', ({ message }) => notices.push(message));
  await send([bound({ text: `DO $$ BEGIN RAISE WARNING 'seen'; END $$` }), bound(one(1))]);
  expect(notices).toEqual(['seen']);
});

test('a lost connection fails every batch on its way', async () => {
  client.on('error', () => undefined);
  const sent = [send([bound({ text: 'SELECT pg_sleep(600)' })]), send([bound(one(1))])];
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  for (const { failure } of await Promise.all(sent)) expect(failure).toMatchObject({ message: /terminated/ });
});
