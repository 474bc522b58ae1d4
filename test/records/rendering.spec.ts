import { Database } from '../../src/database/database.js';
import { Records, RELATIONS } from '../../src/records/records.js';
import type { Relation, Resource } from '../../src/records/resource.js';
import { ALL_RESOURCES } from '../../src/model/resources.js';
import { addRandomRows } from '../support/database/random-rows.js';
import { postgresJson } from '../support/records/postgres-json.js';
import { startApp, useService, type TestService } from '../support/service/service.js';

const ROWS = 40;

const service = useService();

type App = TestService['app'];

function metadataOf(resource: Resource) {
  return service.app.get(Database).dataSource.getMetadata(resource.entity);
}

/** The ids of a kind of record, and their JSON, newest first, as PostgreSQL renders it. */
async function expectedOf(resource: Resource, expand: Relation[] = []) {
  const json = postgresJson(service.app.get(Database).dataSource, resource, 'r', expand);
  const text = `SELECT r.id, ${json}::text AS json, etag_of(r.updated_at) AS "eTag" FROM ${metadataOf(resource).tableName} r ORDER BY r.id DESC`;
  return (await service.sql.query<{ id: string; json: string; eTag: string }>(text)).rows;
}

/** What the service shows of them: the pages of a list, and single records. */
async function shownOf(app: App, resource: Resource, ids: readonly string[], expand?: readonly string[]) {
  const records = app.get(Records);
  const page = await records.page(resource, { limit: 200, sort: '-createdAt', expand });
  const single = await Promise.all(ids.map((id) => records.read(resource, id, expand)));
  return { page: page.records, single: single.map(({ json, eTag }) => ({ json, eTag })) };
}

async function expectSameBytes(app: App, resource: Resource, expand: Relation[] = []): Promise<void> {
  const expected = await expectedOf(resource, expand);
  expect(expected.length).toBeGreaterThan(ROWS / 2);
  const names = expand.map(({ name }) => name);
  const shown = await shownOf(
    app,
    resource,
    expected.map(({ id }) => id),
    names,
  );
  expect(shown.single).toEqual(expected.map(({ json, eTag }) => ({ json, eTag })));
  expect(shown.page).toBe(expected.map(({ json }) => json).join(','));
}

beforeAll(async () => {
  for (const resource of ALL_RESOURCES) await addRandomRows(service.sql, metadataOf(resource).tableName, ROWS);
  // Half of the random references are to records.
  await service.sql.query(`
    SET session_replication_role = replica;
    UPDATE shipments SET move_id = (SELECT id FROM moves WHERE shipments.id IS NOT NULL ORDER BY random() LIMIT 1) WHERE random() < 0.5;
    UPDATE agents SET shipment_id = (SELECT id FROM shipments WHERE agents.id IS NOT NULL ORDER BY random() LIMIT 1) WHERE random() < 0.5;
    UPDATE services SET shipment_id = (SELECT id FROM shipments WHERE services.id IS NOT NULL ORDER BY random() LIMIT 1) WHERE random() < 0.5;
    -- Housekeeping deletes expired imports.
    UPDATE imports SET expires_at = greatest(expires_at, '2500-01-01 00:00:00.12Z');
    RESET session_replication_role`);
});

describe.each(ALL_RESOURCES.map((resource) => [resource.name, resource] as const))('every %s', (_, resource) => {
  test('has the bytes that PostgreSQL would render', () => expectSameBytes(service.app, resource));

  test('has the same values when it is locked', async () => {
    const records = service.app.get(Records);
    for (const { id, json } of await expectedOf(resource)) {
      const live = Object.keys(resource.live ?? {}).map((name) => [name, undefined]);
      expect({ ...(await records.current(resource, id)) }).toEqual({
        ...JSON.parse(json),
        ...Object.fromEntries(live),
      });
    }
  });

  test('has the same bytes in history', async () => {
    const { tableName } = metadataOf(resource);
    await service.sql.query(`UPDATE ${tableName} SET updated_at = DEFAULT WHERE updated_at < now()`);
    const records = service.app.get(Records);
    for (const { id, json, eTag } of await expectedOf(resource)) {
      expect((await records.readOne(resource, id, { version: eTag })).json).toBe(json);
    }
  });
});

test('expanded records have the bytes that PostgreSQL would render', async () => {
  const relations = service.app.get<readonly Relation[]>(RELATIONS);
  for (const of of new Set(relations.map((relation) => relation.of))) {
    await expectSameBytes(
      service.app,
      of,
      relations.filter((relation) => relation.of === of),
    );
  }
});

test.each(['German', 'SQL, DMY', 'Postgres'])(
  'a database with another time zone and DateStyle %s changes nothing',
  async (style) => {
    const { rows } = await service.sql.query<{ name: string }>('SELECT current_database() AS name');
    await service.sql.query(`ALTER DATABASE ${rows[0]?.name} SET DateStyle = ${style}`);
    await service.sql.query(`ALTER DATABASE ${rows[0]?.name} SET TimeZone = 'Asia/Kathmandu'`);
    const { app } = await startApp({ WEBHOOKS: 'off' }, service.databaseUrl);
    try {
      for (const resource of ALL_RESOURCES) await expectSameBytes(app, resource);
    } finally {
      await app.close();
    }
  },
);

test('statements that are prepared still work when a migration widens and adds columns', async () => {
  for (const resource of ALL_RESOURCES) await expectSameBytes(service.app, resource);
  await service.sql.query(`
    CREATE DOMAIN pounds AS int;
    ALTER TABLE moves ALTER remarks TYPE varchar(4000), ADD added_by_a_newer_version int DEFAULT 7;
    ALTER TABLE shipments ALTER customer_remarks TYPE varchar(4000), ALTER estimated_weight TYPE pounds, ADD added_by_a_newer_version int DEFAULT 7;
    ALTER TABLE webhooks ALTER types TYPE varchar(128)[], ALTER description TYPE text`);
  for (const resource of ALL_RESOURCES) await expectSameBytes(service.app, resource);
});
