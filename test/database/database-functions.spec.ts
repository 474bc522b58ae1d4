// Not through PgBouncer: it connects to PostgreSQL directly, as the owner or as another role.
import { createServiceRoleDatabase, type ServiceRoleDatabase } from '../support/database/service-role.js';

interface Routine {
  readonly name: string;
  readonly search_path: string | null;
  readonly bound: boolean;
  readonly definer: boolean;
  readonly is_trigger: boolean;
  readonly anybody: boolean;
  readonly owner: string;
}

let database: ServiceRoleDatabase;
let routines: readonly Routine[];

beforeAll(async () => {
  database = await createServiceRoleDatabase();
});
afterAll(() => database.drop());

async function read(): Promise<readonly Routine[]> {
  const { rows } = await database.owner.query<Routine>(`
    SELECT oid::regprocedure::text AS name, prosqlbody IS NOT NULL AS bound, prosecdef AS definer,
      (SELECT substr(setting, 13) FROM unnest(proconfig) setting WHERE setting LIKE 'search_path=%') AS search_path,
      prorettype = 'trigger'::regtype AS is_trigger, proowner::regrole::text AS owner,
      EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0) AS anybody
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`);
  return rows;
}

/** Functions whose names a caller could redirect: neither resolved at their creation nor looked up in a fixed order. */
function redirectable(all: readonly Routine[]): string[] {
  return all.filter(({ bound, search_path }) => !bound && search_path !== 'public, pg_temp').map(({ name }) => name);
}

/** Trigger functions, and functions with the owner's rights, that anybody may execute or put on a table. */
function open(all: readonly Routine[]): string[] {
  return all.filter(({ anybody, definer, is_trigger }) => anybody && (definer || is_trigger)).map(({ name }) => name);
}

test('no caller can redirect the names that a function uses, and nobody else may use what runs as the owner', async () => {
  routines = await read();
  expect(routines.length).toBeGreaterThan(9);
  expect(new Set(routines.map(({ owner }) => owner))).toEqual(new Set([database.ownerRole]));
  expect([redirectable(routines), open(routines)]).toEqual([[], []]);
});

test('this spec finds a function that lacks it', async () => {
  await database.owner.query(`
    CREATE FUNCTION looks_up() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE FUNCTION looks_up_temporary_first() RETURNS int LANGUAGE sql SET search_path = public AS 'SELECT 1';
    CREATE FUNCTION runs_as_owner() RETURNS int LANGUAGE sql SECURITY DEFINER RETURN 1`);
  const all = await read();
  expect(redirectable(all)).toEqual(['looks_up()', 'looks_up_temporary_first()']);
  expect(open(all)).toEqual(['looks_up()', 'runs_as_owner()']);
});

test('a function whose body is bound keeps its meaning under any search_path', async () => {
  const { owner } = database;
  const value = async () =>
    (await owner.query<object>(`SELECT public.etag_of('2026-01-01Z'), public.iso_ms('2026-01-01Z')`)).rows;
  const before = await value();
  await owner.query(`
    CREATE SCHEMA mine;
    CREATE FUNCTION mine.iso_ms(timestamptz) RETURNS text LANGUAGE sql RETURN 'x';
    CREATE FUNCTION mine.to_char(timestamp, text) RETURNS text LANGUAGE sql RETURN 'x';
    CREATE FUNCTION mine.sha256(bytea) RETURNS bytea LANGUAGE sql RETURN 'x'::bytea;
    SET search_path = mine, public, pg_catalog`);
  expect(await value()).toEqual(before);
  await owner.query('RESET search_path');
});
