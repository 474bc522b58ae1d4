// Not through PgBouncer: it connects to PostgreSQL directly, as the owner or as another role.
import type { Client } from 'pg';
import { grantServiceRights } from '../../tools/migrate/grant-rights.js';
import { FAULTS } from '../support/database/numbering-world.js';
import { createServiceRoleDatabase, type ServiceRoleDatabase } from '../support/database/service-role.js';
import { OWN_TABLES } from '../../src/model/resources.js';

const EVENT = `(number, root_id, position, moment) VALUES (1000000, gen_random_uuid(), 1000000, now())`;

let database: ServiceRoleDatabase;
let service: Client;

beforeAll(async () => {
  database = await createServiceRoleDatabase();
  service = await database.connect();
  await service.query(`SET waybill.author = 'r-1 mallory'`);
  await service.query(
    `INSERT INTO moves (id, move_code) VALUES (gen_random_uuid(), 'AAAAAA'), (gen_random_uuid(), 'AAAAAB')`,
  );
  await service.query('SELECT number_events()');
});
afterAll(async () => {
  await service.end();
  await database.drop();
});

const events = async () => (await database.owner.query<object>('SELECT * FROM events ORDER BY number')).rows;

describe('the role of the service cannot forge, renumber, hide or delete events by', () => {
  test.each([
    `INSERT INTO events ${EVENT}`,
    'COPY events FROM STDIN',
    `MERGE INTO events USING (SELECT 1) one ON false WHEN NOT MATCHED THEN INSERT ${EVENT}`,
    'UPDATE events SET number = -number',
    `UPDATE events SET gaps = '[]'`,
    'DELETE FROM events',
    'TRUNCATE events',
    'SELECT FROM events FOR UPDATE',
    'LOCK TABLE events IN ACCESS EXCLUSIVE MODE',
    'ALTER TABLE events DISABLE TRIGGER ALL',
    'ALTER TABLE events OWNER TO CURRENT_USER',
    'DROP TABLE events',
    'DROP TRIGGER events_append_only ON events',
    'CREATE RULE swallow AS ON INSERT TO events DO INSTEAD NOTHING',
    'CREATE POLICY hide ON events USING (false)',
    'CREATE OR REPLACE FUNCTION number_events() RETURNS integer LANGUAGE sql AS $$ SELECT 0 $$',
    'DROP FUNCTION number_events()',
    'ALTER FUNCTION number_events() SECURITY INVOKER',
    'ALTER FUNCTION number_events() RESET ALL',
    'CREATE TRIGGER swallow BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION refuse_change_of_events()',
    'DROP INDEX history_position_idx',
  ])('%s', async (statement) => {
    const before = await events();
    await service.query('BEGIN');
    await expect(service.query(statement)).rejects.toThrow(/permission denied|must be owner/);
    await service.query('ROLLBACK');
    expect(await events()).toEqual(before);
  });

  test('numbering changes of its own that are not committed', async () => {
    const before = await events();
    await service.query('BEGIN');
    await service.query(`UPDATE moves SET remarks = 'x'`);
    await expect(service.query('SELECT number_events()')).rejects.toThrow('needs a transaction of its own');
    await service.query('ROLLBACK');
    expect(await events()).toEqual(before);
  });

  test('objects of its own that have the names of ours', async () => {
    await database.owner.query(`GRANT TEMPORARY ON DATABASE ${database.name} TO ${database.serviceRole}`);
    const misled = await database.connect();
    await misled.query(`SET waybill.author = 'r-2 mallory'`);
    await misled.query(`UPDATE public.moves SET remarks = 'y'`);
    await misled.query('CREATE TEMPORARY TABLE events (number bigint, position bigint, gaps jsonb)');
    await misled.query(
      `CREATE TEMPORARY TABLE history AS SELECT gen_random_uuid() AS root_id, 9 AS position, now() AS changed_at`,
    );
    await misled.query('SET search_path = pg_temp, public');
    await misled.query('SELECT public.number_events()');
    await misled.end();
    await database.owner.query(grantServiceRights(database.serviceRole, OWN_TABLES));
    const { rows } = await database.owner.query<{ fault: string }>(FAULTS);
    expect([rows, await events()]).toEqual([[], expect.any(Array)]);
    expect(await events()).toHaveLength(5);
  });
});

test.each([`UPDATE events SET number = number + 1`, 'DELETE FROM events', 'TRUNCATE events'])(
  'not even the owner can do it by accident: %s',
  async (statement) => {
    await expect(database.owner.query(statement)).rejects.toThrow('events is append-only');
  },
);

test('migrate takes the right to write events away, and fails when it comes through another role', async () => {
  const { owner, serviceRole } = database;
  await owner.query(`GRANT INSERT ON events TO ${serviceRole}`);
  await owner.query(grantServiceRights(serviceRole, OWN_TABLES));
  await expect(service.query(`INSERT INTO events ${EVENT}`)).rejects.toThrow('permission denied');
  await owner.query('GRANT INSERT ON events TO PUBLIC');
  await expect(owner.query(grantServiceRights(serviceRole, OWN_TABLES))).rejects.toThrow('it may write events');
  await owner.query('ROLLBACK; REVOKE INSERT ON events FROM PUBLIC');
});
