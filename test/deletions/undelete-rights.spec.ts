import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { grantServiceRights } from '../../tools/migrate/grant-rights.js';
import { createServiceRoleDatabase, type ServiceRoleDatabase } from '../support/database/service-role.js';
import { OWN_TABLES } from '../../src/model/resources.js';

/** What the service's role can do to deletions with statements of its own. */

let database: ServiceRoleDatabase;
let role: Client;
let id: string;
let deletedAt: string;

beforeAll(async () => {
  database = await createServiceRoleDatabase();
  role = await database.connect();
});
afterAll(async () => {
  await role.end();
  await database.drop();
});

const AUTHOR = `SELECT set_config('waybill.author', 'request-1 somebody', true)`;

/** Runs statements in one transaction, as the service does. */
async function inTransaction(...statements: readonly string[]): Promise<void> {
  await role.query('BEGIN');
  try {
    for (const statement of [AUTHOR, ...statements]) await role.query(statement);
    await role.query('COMMIT');
  } catch (error) {
    await role.query('ROLLBACK');
    throw error;
  }
}

const create = (more = '') =>
  `INSERT INTO moves (id, move_code, remarks) VALUES ('${id}', '${codeOf(id)}', 'before') ${more}`;
const codeOf = (text: string) =>
  text
    .replace(/-/g, '')
    .toUpperCase()
    .replace(/[01IO]/g, 'Z')
    .slice(0, 6);

beforeEach(async () => {
  id = randomUUID();
  await inTransaction(create(), `DELETE FROM moves WHERE id = '${id}'`);
  const { rows } = await role.query<{ at: string }>(
    'SELECT iso_ms(deleted_at) AS at FROM deletions WHERE record_id = $1',
    [id],
  );
  deletedAt = rows[0]?.at ?? '';
});

const typesOf = async () => {
  const { rows } = await role.query<{ type: string }>(
    'SELECT type FROM history WHERE record_id = $1 ORDER BY position',
    [id],
  );
  return rows.map(({ type }) => type);
};
const naming = (at: string, kind = 'move') =>
  `INSERT INTO undeletions (record_kind, record_id, deleted_at) VALUES ('${kind}', '${id}', '${at}')`;

test('it names a deletion, and the record comes back', async () => {
  await inTransaction(naming(deletedAt));
  expect((await role.query('SELECT remarks FROM moves WHERE id = $1', [id])).rows).toEqual([{ remarks: 'before' }]);
  expect(await typesOf()).toEqual(['created', 'deleted', 'restored']);
});

test.each([
  ['another time', () => naming('2026-01-01T00:00:00Z')],
  ['another kind', () => naming(deletedAt, 'shipment')],
])('%s names no deletion', async (_, statement) => {
  await expect(inTransaction(statement())).rejects.toMatchObject({ code: '40001' });
  expect(await typesOf()).toEqual(['created', 'deleted']);
});

test.each([
  ['add a deletion', () => `INSERT INTO deletions SELECT * FROM deletions`],
  ['choose its values', () => `UPDATE deletions SET record = '{}'`],
  ['drop one', () => 'DELETE FROM deletions'],
  ['lock one', () => 'SELECT FROM deletions FOR UPDATE'],
  ['empty the table', () => 'TRUNCATE deletions'],
  ['choose values through the view', () => `UPDATE undeletions SET record_kind = 'move'`],
  ['call the functions of the trigger', () => `SELECT lock_deletions('${id}')`],
])('it may not %s', async (_, statement) => {
  await expect(inTransaction(statement())).rejects.toMatchObject({ code: '42501' });
});

test('it cannot pass a creation for a restoration, nor keep a version of its choice', async () => {
  await inTransaction(
    `INSERT INTO moves (id, move_code, created_at, updated_at) VALUES ('${id}', '${codeOf(randomUUID())}', '2020-01-01', '2020-01-01')`,
  );
  expect(await typesOf()).toEqual(['created', 'deleted', 'created']);
  const { rows } = await role.query<{ year: number }>(
    'SELECT extract(year FROM updated_at)::int AS year FROM moves WHERE id = $1',
    [id],
  );
  expect(rows[0]?.year).toBeGreaterThan(2020);
});

test('nor with a trigger of its own, if it may create temporary tables', async () => {
  await database.owner.query(`GRANT TEMPORARY ON DATABASE ${database.name} TO ${database.serviceRole}`);
  const temporary = await database.connect();
  await temporary.query(`
    CREATE TEMPORARY TABLE own (id int);
    CREATE FUNCTION pg_temp.forge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.moves (id, move_code, remarks) VALUES ('${id}', '${codeOf(randomUUID())}', 'forged');
      RETURN NULL;
    END $$;
    CREATE TRIGGER own AFTER INSERT ON own FOR EACH ROW EXECUTE FUNCTION pg_temp.forge();
    SET waybill.author = 'request-1 somebody';
    INSERT INTO own VALUES (1)`);
  await temporary.end();
  await database.owner.query(grantServiceRights(database.serviceRole, OWN_TABLES));
  expect(await typesOf()).toEqual(['created', 'deleted', 'created']);
});

test('a restoration without an author is refused', async () => {
  await expect(role.query(naming(deletedAt))).rejects.toThrow('has no author');
});

test('a record whose clock was ahead comes back later than its deletion', async () => {
  await database.owner.query(`UPDATE deletions SET deleted_at = now() + interval '1 year' WHERE record_id = $1`, [id]);
  const { rows } = await role.query<{ at: string }>(
    'SELECT iso_ms(deleted_at) AS at FROM deletions WHERE record_id = $1',
    [id],
  );
  const at = rows[0]?.at ?? '';
  await inTransaction(naming(at));
  const { rowCount } = await role.query('SELECT FROM moves WHERE id = $1 AND updated_at > $2', [id, at]);
  expect(rowCount).toBe(1);
});

test('the code of a deleted move stays reserved', async () => {
  const code = codeOf(id);
  const again = `INSERT INTO moves (id, move_code) VALUES (gen_random_uuid(), '${code}')`;
  await expect(inTransaction(again)).rejects.toMatchObject({ constraint: 'moves_move_code_key' });
  await inTransaction(naming(deletedAt));
  await expect(inTransaction(again)).rejects.toMatchObject({ constraint: 'moves_move_code_key' });
});
