// Not through PgBouncer: it connects to PostgreSQL directly, as the owner or as another role.
import { PLAIN_ATTEMPTS } from './attempts.js';
import { SHADOW_ATTEMPTS } from './shadows.js';
import { World } from './world.js';

/** Triggers with the rights of the writer and names that it can redirect, on updates only, and no check of ids. */
const UNPROTECTED = `
  ALTER FUNCTION keep_history() SECURITY INVOKER RESET search_path;
  ALTER FUNCTION advance_version() SECURITY INVOKER RESET search_path;
  ALTER FUNCTION prepare_history(timestamptz, timestamptz) SET search_path FROM CURRENT;
${['moves', 'shipments', 'agents', 'services']
  .map(
    (table) => `
  DROP TRIGGER ${table}_identity ON ${table};
  CREATE OR REPLACE TRIGGER ${table}_version BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION advance_version();`,
  )
  .join('')}
`;

let world: World;

beforeAll(async () => {
  world = await World.create();
});
afterAll(() => world.drop());

describe('with the rights that migrate grants, nothing happens to history and versions by', () => {
  test.each(PLAIN_ATTEMPTS)('$about', async (tried) => {
    const { answer, damage } = await world.outcomeOf(tried);
    expect(damage).toEqual([]);
    if (tried.refusal === undefined) expect([tried.why, answer]).toEqual([expect.any(String), 'done']);
    else expect(answer).toMatch(tried.refusal);
  });

  test.each([
    'CREATE SCHEMA mine',
    'CREATE TEMPORARY TABLE mine ()',
    'CREATE FUNCTION pg_temp.f() RETURNS int RETURN 1',
  ])('%s, without which no object of its own can mislead a function', async (statement) => {
    const { answer, damage } = await world.outcomeOf({ about: statement, statements: [statement] });
    expect([answer, damage]).toEqual([expect.stringMatching(/^permission denied/), []]);
  });
});

describe('with the right to create objects of its own as well', () => {
  beforeAll(() => grantDatabase(world));

  test.each(SHADOW_ATTEMPTS)('nothing happens to history and versions by $about', async (tried) => {
    const { answer, damage } = await world.outcomeOf(tried);
    expect(damage).toEqual([]);
    expect(answer).toMatch(tried.refusal ?? /^done$/);
  });
});

describe('without the protection, the same attempts succeed:', () => {
  beforeAll(async () => {
    await world.drop();
    world = await World.create();
    const { owner, serviceRole } = world.database;
    await owner.query(UNPROTECTED);
    await owner.query(`
      GRANT INSERT ON history TO ${serviceRole};
      GRANT EXECUTE ON FUNCTION keep_history(), advance_version() TO ${serviceRole};
    `);
    await grantDatabase(world);
  });

  test.each([
    ['INSERT INTO history', 'entries were made by nobody,probe, not by probe'],
    ['INSERT of a record with a version in the future', 'a version is not the moment of its change'],
    ['a record that is deleted and inserted again', 'a record had a version twice'],
    ['a record under another id', 'the last entry of a record is not what the record is'],
    ['pg_temp: a table history', 'entries were made by , not by probe'],
    ['pg_temp: a view history_default that runs code', 'earlier entries were changed'],
    ['mine: now_ms()', 'a version is not the moment of its change'],
  ])('%s', async (about, damage) => {
    const tried = [...PLAIN_ATTEMPTS, ...SHADOW_ATTEMPTS].find((attempt) => attempt.about.startsWith(about));
    expect((await world.outcomeOf(tried ?? { about, statements: [] })).damage).toContain(damage);
  });
});

test('with the right to execute the trigger function, a role forges entries', async () => {
  await world.drop();
  world = await World.create();
  await grantDatabase(world);
  await world.database.owner.query(`GRANT EXECUTE ON FUNCTION keep_history() TO ${world.database.serviceRole}`);
  const forgery = SHADOW_ATTEMPTS.find(({ about }) => about.endsWith('look like those of a shipment'));
  const { damage } = await world.outcomeOf(forgery ?? { about: 'not found', statements: [] });
  expect(damage).toContain('entries were made by mallory,probe, not by probe');
});

async function grantDatabase({ database: { owner, name, serviceRole } }: World): Promise<void> {
  await owner.query(`GRANT TEMPORARY, CREATE ON DATABASE ${name} TO ${serviceRole}`);
}
