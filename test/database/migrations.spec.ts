import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { ENTITIES } from '../../src/resources.js';
import { openDatabase } from '../../src/open-database.js';
import { readConfig } from '../../src/config/config.js';
import { dataSourceOf } from '../../src/database/data-source.js';
import { MIGRATIONS } from '../../migrations/migrations.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const EMPTY = 'template1';
const config = readConfig({ POOL_SIZE: '2' });

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase(EMPTY);
});
afterEach(() => database.drop());

async function query(sql: string): Promise<unknown[]> {
  const client = await connect(database.url);
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Everything the migrations make, as PostgreSQL describes it. */
function schema(): Promise<unknown[]> {
  return query(`
    SELECT 'column' AS kind, table_name || '.' || column_name AS name, concat_ws(' ', data_type, character_maximum_length, datetime_precision, is_nullable, column_default) AS definition
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'function', proname, regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g') FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1, 2, 3`);
}

test('the same schema after up, down, up; nothing but the list of migrations in between', async () => {
  const { dataSource } = await openDatabase(config, database.url);
  const first = await schema();
  for (let left = MIGRATIONS.length; left > 0; left--) await dataSource.undoLastMigration();
  const between = await query(`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
    UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`);
  await dataSource.runMigrations();
  const second = await schema();
  await dataSource.destroy();
  expect(between).toEqual([{ name: 'migrations' }]);
  expect(first.length).toBeGreaterThan(80);
  expect(second).toEqual(first);
});

test('each migration can be reverted on its own, and restores the previous schema', async () => {
  const dataSource = await dataSourceOf(config, database.url, ENTITIES).initialize();
  const runner = dataSource.createQueryRunner();
  for (const migration of MIGRATIONS.map((Migration) => new Migration())) {
    const before = await schema();
    await migration.up(runner);
    expect(await schema()).not.toEqual(before);
    await migration.down(runner);
    expect([migration.constructor.name, await schema()]).toEqual([migration.constructor.name, before]);
    await migration.up(runner);
  }
  await runner.release();
  await dataSource.destroy();
});

test('entities and tables have the same columns; only migrations state constraints and indexes', async () => {
  const { dataSource } = await openDatabase(config, database.url);
  const differences = async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query: text }) => text).filter((text) => !/ DROP CONSTRAINT |^DROP INDEX /.test(text));
  };
  expect(await differences()).toEqual([]);
  await dataSource.query('ALTER TABLE moves ALTER remarks SET NOT NULL, ALTER order_id TYPE varchar(65)');
  expect((await differences()).join()).toMatch(/"order_id".*"remarks"/);
  await dataSource.destroy();
});

test('replicas that start together migrate once', async () => {
  const replicas = await Promise.all(Array.from({ length: 4 }, () => openDatabase(config, database.url)));
  await Promise.all(replicas.map(({ dataSource }) => dataSource.destroy()));
  expect(await query('SELECT FROM migrations')).toHaveLength(MIGRATIONS.length);
});

test('a failing migration leaves the database as it was', async () => {
  const dataSource = await dataSourceOf(config, database.url, ENTITIES).initialize();
  await dataSource.query('CREATE TABLE shipments (id integer)');
  await expect(dataSource.runMigrations({ transaction: 'each' })).rejects.toThrow(/shipments/);
  const columns = await query(`SELECT column_name FROM information_schema.columns WHERE table_name = 'shipments'`);
  await dataSource.destroy();
  expect(columns).toEqual([{ column_name: 'id' }]);
});

/** Tables that a migration indexes while writers wait, although it has not created them. */
function blockedTables(text: string): string[] {
  const indexed = [...text.matchAll(/CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY).*? ON (\w+)/g)].map(
    ([, table]) => table ?? '',
  );
  return [...new Set(indexed)].filter((table) => !text.includes(`CREATE TABLE ${table} `));
}

test('a migration after the baseline indexes tables that have rows concurrently', () => {
  const files = readdirSync('migrations').filter((file) => /^\d/.test(file));
  expect(files.filter((file) => blockedTables(readFileSync(`migrations/${file}`, 'utf8')).length > 0)).toEqual([]);
  expect(blockedTables('CREATE INDEX late_idx ON shipments (status)')).toEqual(['shipments']);
});

test('released migrations are unchanged: a database that has run one never runs it again', () => {
  const files = readdirSync('migrations')
    .filter((file) => file.endsWith('.ts') && file !== 'migrations.ts')
    .sort();
  const sums = files.map((file) => {
    const hash = createHash('sha256').update(readFileSync(`migrations/${file}`));
    return `${hash.digest('hex')}  ${file}\n`;
  });
  expect(sums.join('')).toBe(readFileSync('migrations/SHA256SUMS', 'utf8'));
});
