// Not through PgBouncer: it connects to PostgreSQL directly, as the owner or as another role.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENTITIES } from '../../src/model/resources.js';
import { openDatabase } from '../../src/open-database.js';
import { readConfig } from '../../src/config/read-config.js';
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

test('a database that unknown migrations have made is rejected, and stays as it is', async () => {
  await query(`
    CREATE TABLE migrations (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL);
    INSERT INTO migrations ("timestamp", name) VALUES (1762900000002, 'Moves1762900000002')`);
  await expect(openDatabase(config, database.url)).rejects.toThrow('with the migration Moves1762900000002');
  expect(await query(`SELECT name, to_regclass('moves') AS moves FROM migrations`)).toEqual([
    { name: 'Moves1762900000002', moves: null },
  ]);
});

test('no migration can be undone, and the database stays as it is', async () => {
  const { dataSource } = await openDatabase(config, database.url);
  await expect(dataSource.undoLastMigration()).rejects.toThrow('Restore a backup instead');
  await dataSource.destroy();
  const runner = undefined as unknown as QueryRunner;
  for (const migration of MIGRATIONS.map((Migration): Partial<MigrationInterface> => new Migration())) {
    await expect(migration.down?.(runner)).rejects.toThrow('Restore a backup instead');
  }
  expect(await query('SELECT FROM migrations')).toHaveLength(MIGRATIONS.length);
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
  for (const version of readdirSync('test/fixtures')) {
    const released = readFileSync(`test/fixtures/${version}/SHA256SUMS`, 'utf8').match(/.+\n/g) ?? [];
    expect(released.length).toBeGreaterThan(30);
    expect(released.filter((line) => !sums.includes(line))).toEqual([]);
  }
});
