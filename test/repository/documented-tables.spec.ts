import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { ALL_RESOURCES } from '../../src/model/resources.js';
import { CHANGE_TYPES } from '../../src/history/change-types.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const history = readFileSync('docs/history.md', 'utf8');
const scaling = readFileSync('docs/scaling.md', 'utf8');
const events = readFileSync('docs/events.md', 'utf8');

let database: TestDatabase;
let sql: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await connect(database.url);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

function section(document: string, heading: string): string {
  const [, text = ''] = document.split(`\n## ${heading}\n`);
  return text.replace(/\n## [^]*/, '');
}

/** The code spans in the first cells of a section's tables. */
function firstCells(text: string): string[] {
  const cells = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span));
}

async function values(statement: string): Promise<string[]> {
  const { rows } = await sql.query<{ value: string }>(statement);
  return rows.map(({ value }) => value).sort();
}

/** The indexes of tables, each as `name (keys)`. */
async function indexesOf(...tables: string[]): Promise<string[]> {
  const indexes = await values(`
    SELECT format('%s (%s)', indexrelid::regclass, (
      SELECT string_agg(pg_get_indexdef(indexrelid, n, true), ', ' ORDER BY n) FROM generate_series(1, indnkeyatts) n
    )) AS value
    FROM pg_index WHERE indrelid IN (${tables.map((table) => `'${table}'::regclass`).join()})`);
  return indexes.map((index) => index.replaceAll(/::\w+|"/g, '').replace('COALESCE', 'coalesce'));
}

const indexesIn = (text: string) => firstCells(text).filter((span) => /_(?:pkey|key|idx) \(/.test(span));

test.each([
  ['history', 'The table'],
  ['deletions', 'Deleted records'],
])('docs/history.md explains every column of %s', async (table, heading) => {
  const columns = firstCells(section(history, heading)).filter((span) => /^\w+$/.test(span));
  const existing = await values(
    `SELECT attname AS value FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  expect(columns.toSorted()).toEqual(existing);
});

test('docs/history.md names every table with a history, and every type of entry', async () => {
  const text = section(history, 'The table');
  const [, tables = ''] = /Triggers on the tables ([^]*?) write/.exec(text) ?? [];
  const tracked = await values(
    `SELECT tgrelid::regclass::text AS value FROM pg_trigger WHERE tgname LIKE '%\\_history'`,
  );
  expect([...tables.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted()).toEqual(tracked);
  const [row = ''] = /^\| `type`.*$/m.exec(text) ?? [];
  expect([...row.matchAll(/`(\w+)`/g)].map(([, name]) => name).slice(1)).toEqual([...CHANGE_TYPES]);
});

test('docs/history.md lists every index of history', async () => {
  expect(indexesIn(section(history, 'The table')).toSorted()).toEqual(await indexesOf('history'));
});

test('docs/scaling.md lists every index of moves and shipments', async () => {
  expect(indexesIn(section(scaling, 'What a list costs')).toSorted()).toEqual(await indexesOf('moves', 'shipments'));
});

test('docs/events.md says which scope shows the events of which resource', () => {
  const rows = [...section(events, 'Who sees what').matchAll(/^\| `([\w:]+)` +\| ([^|]+?) +\|/gm)];
  const shown = rows.flatMap(([, scope, kinds = '']) =>
    kinds
      .replaceAll('`', '')
      .split(', ')
      .map((kind) => [kind, scope]),
  );
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries(ALL_RESOURCES.map(({ name, readScope }) => [name, readScope])),
  );
});

test('docs/operations.md says what to do about every alert', () => {
  const rules = readFileSync('deploy/helm/waybill/alerts.yaml', 'utf8');
  const alerts = [...rules.matchAll(/alert: (\w+)[^]*?severity: (\w+)/g)].map(([, name = '', severity]) =>
    severity === 'page' ? `${name} (page)` : name,
  );
  const rows = section(readFileSync('docs/operations.md', 'utf8'), 'Alerts').matchAll(
    /^\| `(Waybill\w+)`( \(page\))?/gm,
  );
  expect([...rows].map(([, name = '', page = '']) => name + page).toSorted()).toEqual(alerts.toSorted());
});
