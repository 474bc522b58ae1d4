// Not through PgBouncer: it connects to PostgreSQL directly, as the owner or as another role.
import { createServiceRoleDatabase, type ServiceRoleDatabase } from '../support/database/service-role.js';

const MOVE = '01900000-0000-7000-8000-0000000000a1';
const AUTHOR = `changed_by = 'erased', subject = NULL, erased = true`;
const RECORD = `record = '{"erased": true}', erased = true`;

let database: ServiceRoleDatabase;
let erasure: string;

beforeAll(async () => {
  database = await createServiceRoleDatabase();
  await database.owner.query(`INSERT INTO moves (id, move_code, remarks) VALUES ('${MOVE}', 'AAAAAA', 'ask for Ada')`);
  const { rows } = await database.owner.query<{ id: string }>(
    `INSERT INTO erasures (record_id, requested_by, until_position) VALUES ('${MOVE}', 'a spec', 1000) RETURNING id`,
  );
  erasure = String(rows[0]?.id);
});
afterAll(() => database.drop());

/** Changes the entry in a transaction that names an erasure, and takes it back. Returns how PostgreSQL refuses it. */
async function refusalOf(
  assignments: string,
  { named = erasure, name = 'waybill erase', client = database.owner, table = 'history' } = {},
): Promise<string | undefined> {
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('waybill.erasure', $1, true), set_config('application_name', $2, true)`, [
      named,
      name,
    ]);
    const { rowCount } = await client.query(`UPDATE ${table} SET ${assignments} WHERE record_id = '${MOVE}'`);
    expect(rowCount).toBe(1);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.query('ROLLBACK');
  }
}

test.each([
  ['the values', RECORD],
  ['some of the values', `record = record - 'remarks', erased = true`],
  ['one value', `record = jsonb_set(record, '{remarks}', '"erased"'), erased = true`],
  ['the author', AUTHOR],
  ['both', `${RECORD}, changed_by = 'erased', subject = NULL`],
])('the owner can redact %s in an erasure that is on record', async (_, assignments) => {
  expect(await refusalOf(assignments)).toBeUndefined();
});

test.each([
  ['another value', `record = jsonb_set(record, '{remarks}', '"ask for Bob"'), erased = true`],
  ['a value that was not there', `record = record || '{"order_id": "erased"}', erased = true`],
  ['no record at all', 'record = NULL, erased = true'],
  ['another author', `changed_by = 'Bob', erased = true`],
  ['another subject', `changed_by = 'erased', subject = 'bob', erased = true`],
  ['another moment', `${AUTHOR}, changed_at = changed_at + interval '1 second'`],
  ['another version', `${RECORD}, e_tag = sha256('')`],
  ['another type', `${RECORD}, type = 'updated'`],
  ['another request', `${RECORD}, request_id = 'r-9'`],
  ['an entry that does not say so', `record = '{"erased": true}'`],
  ['an entry that no longer says so', 'erased = false'],
])('not even in an erasure can the owner write %s', async (_, assignments) => {
  expect(await refusalOf(assignments)).toBe('history is append-only');
});

test.each([
  ['without an erasure', { named: '' }],
  ['with one that is not on record', { named: '01900000-0000-7000-8000-0000000000ff' }],
  ['with something else', { named: 'x' }],
  ['on a connection of the service', { name: 'waybill' }],
])('%s nothing can be redacted', async (_, circumstances) => {
  expect(await refusalOf(AUTHOR, circumstances)).toBe('history is append-only');
});

test('a partition by its own name is protected in the same way', async () => {
  const { rows } = await database.owner.query<{ name: string }>('SELECT tableoid::regclass::text AS name FROM history');
  const table = String(rows[0]?.name);
  expect(await refusalOf(AUTHOR, { table, named: '' })).toBe('history is append-only');
  expect(await refusalOf(AUTHOR, { table })).toBeUndefined();
});

test("the service's role cannot redact, even if it may update history and see erasures", async () => {
  const { owner, serviceRole } = database;
  const client = await database.connect();
  try {
    expect(await refusalOf(AUTHOR, { client })).toMatch('permission denied');
    await owner.query(`GRANT UPDATE ON history TO ${serviceRole}`);
    expect(await refusalOf(AUTHOR, { client })).toMatch('permission denied');
    await owner.query(`GRANT SELECT, INSERT ON erasures TO ${serviceRole}`);
    expect(await refusalOf(AUTHOR, { client })).toBe('history is append-only');
  } finally {
    await client.end();
  }
});

test.each(['DELETE FROM erasures', 'TRUNCATE erasures'])(
  '%s is refused: it is the proof of what was done',
  async (statement) => {
    await expect(database.owner.query(statement)).rejects.toThrow('the list of erasures is append-only');
  },
);
