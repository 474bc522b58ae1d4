import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { archive } from '../../tools/archive/archive.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { Month } from '../../tools/archive/month.js';
import { restore } from '../../tools/archive/restore.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

let database: TestDatabase;
let sql: Client;
let folder: string;
let said: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  sql = await connect(database.url);
  folder = await mkdtemp(join(tmpdir(), 'waybill-orders-'));
  said = [];
});
afterEach(async () => {
  await sql.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const say = (line: string) => void said.push(line);
const fileIn = (where: string, month: string) => MonthFile.in(where, Month.parse(month).partition);
const moveOut = (before: string, where = folder, client = sql) =>
  archive(client, { before: Month.parse(before), folder: where, dryRun: false, say });
const bringBack = (month: string, where = folder) => restore(sql, fileIn(where, month), say);

async function write(moment: string): Promise<void> {
  await sql.query('SELECT prepare_history($1, $1)', [moment]);
  await sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
     SELECT id, 'move', id, 'deleted', 'somebody', $1 FROM (SELECT gen_random_uuid() AS id) made`,
    [moment],
  );
}

const number = () => sql.query('SELECT number_events()');

async function entriesOf(month: string): Promise<string[]> {
  const { rows } = await sql.query<{ moment: string }>(
    `SELECT iso_ms(changed_at) AS moment FROM history
     WHERE date_trunc('month', changed_at AT TIME ZONE 'UTC') = $1::timestamp ORDER BY changed_at`,
    [`${month}-01`],
  );
  return rows.map(({ moment }) => moment.slice(0, 10));
}

test('a rejected restore leaves nothing that a later archive into the same folder stumbles over', async () => {
  await write('2023-01-10');
  await number();
  await moveOut('2023-02');
  const { path, manifestPath } = fileIn(folder, '2023-01');
  const [rows, manifest] = [await readFile(path), await readFile(manifestPath)];
  await sql.query(`BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE events SET record_id = gen_random_uuid() WHERE moment < '2023-02-01'; COMMIT`);
  await expect(bringBack('2023-01')).rejects.toThrow('1 of 1 entries of 2023-01 are not events of this database');
  await write('2023-02-10');
  await number();
  await moveOut('2023-03');
  expect(said).toContain('2023-01: no entries, so no file was written');
  expect(await readdir(folder)).toContain('history_2023_02.tsv.gz');
  expect([await readFile(path), await readFile(manifestPath)]).toEqual([rows, manifest]);
});

test('an entry that can never become an event is not archived, because it could not be restored', async () => {
  await write('2023-03-10');
  await number();
  // The sequence is lost, so the next entry has the position of an event.
  const { rows } = await sql.query<{ last: string }>('SELECT last_value AS last FROM history_position_seq');
  await sql.query(`SELECT setval('history_position_seq', $1, false)`, [rows[0]?.last]);
  await write('2023-03-11');
  await expect(moveOut('2023-04')).rejects.toThrow(
    /2023-03 has entries that are not events yet\..*"Repairing the feed" in docs\/history\.md/,
  );
  expect(await entriesOf('2023-03')).toEqual(['2023-03-10', '2023-03-11']);
  await sql.query(`BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE history SET position = DEFAULT WHERE changed_at = '2023-03-11'; COMMIT`);
  await number();
  await moveOut('2023-04');
  expect(await bringBack('2023-03')).toBe(2);
});

test.each([
  ['first', ['', 'later']],
  ['last', ['later', '']],
])(
  'a month and the entries that came to it after it was archived are both restored, the month %s',
  async (_, order) => {
    await write('2023-05-10');
    await number();
    await moveOut('2023-06');
    await write('2023-05-31');
    await expect(bringBack('2023-05')).rejects.toThrow('History has entries of 2023-05 that are not events yet');
    await number();
    await expect(moveOut('2023-06')).rejects.toThrow('already exists with other rows');
    await moveOut('2023-06', join(folder, 'later'));
    for (const where of order) expect(await bringBack('2023-05', join(folder, where))).toBe(1);
    expect(await entriesOf('2023-05')).toEqual(['2023-05-10', '2023-05-31']);
    for (const where of order) {
      await expect(bringBack('2023-05', join(folder, where))).rejects.toThrow('already has entries of 2023-05');
    }
    expect(await entriesOf('2023-05')).toEqual(['2023-05-10', '2023-05-31']);
  },
);

test.each(['ISO, DMY', 'SQL, DMY', 'German', 'Postgres, MDY'])(
  'equal entries make equal files, and come back as they were, with the dates of a session in %s',
  async (style) => {
    await write('2023-07-05T22:30:00.123Z');
    await number();
    await moveOut('2023-08', join(folder, 'default'));
    await bringBack('2023-07', join(folder, 'default'));
    const other = await connect(database.url);
    await other.query(`SET datestyle = '${style}'; SET timezone = 'Africa/Cairo'`);
    await moveOut('2023-08', folder, other);
    await other.end();
    const [one, two] = [fileIn(folder, '2023-07'), fileIn(join(folder, 'default'), '2023-07')];
    expect(await readFile(one.manifestPath, 'utf8')).toBe(await readFile(two.manifestPath, 'utf8'));
    expect(await bringBack('2023-07')).toBe(1);
    expect(await entriesOf('2023-07')).toEqual(['2023-07-05']);
  },
);
