import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from '../../tools/archive/archive.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { Month } from '../../tools/archive/month.js';
import { restore } from '../../tools/archive/restore.js';
import { ifMatchAmongTwo } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { expectProblem } from '../support/http/problem.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const OLD = 'history_2024_05';

const service = useService();
let folder: string;
let file: MonthFile;
let said: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-archive-'));
  file = MonthFile.in(folder, OLD);
  said = [];
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
  await service.sql.query(`
    BEGIN;
    SET LOCAL session_replication_role = replica;
    DROP TABLE IF EXISTS history_2024_04, history_2024_05, history_2024_06;
    DELETE FROM events WHERE number < 0;
    COMMIT`);
});

const say = (line: string) => void said.push(line);

function moveOut(before = '2024-06', dryRun = false): Promise<number> {
  return archive(service.sql, { before: Month.parse(before), folder, dryRun, say });
}

/** A shipment whose creation is told to have been in May 2024, with all that COPY has to escape. */
async function oldShipment(): Promise<{ id: string; eTag: string }> {
  const remarks = 'tab\tline\nback\\slash "quoted" \u00e9\u{1f69a}';
  const shipment = await createShipment(service.api, { customerRemarks: remarks });
  await service.sql.query(`SELECT prepare_history('2024-04-01', '2024-06-01')`);
  await service.sql.query(
    `INSERT INTO history (root_id, position, record_kind, record_id, type, e_tag, record, changed_by, changed_at)
     OVERRIDING SYSTEM VALUE
     SELECT root_id, -position, record_kind, record_id, type, sha256('old'), record, E'a\\tb', '2024-05-17T12:00:00.123Z'
     FROM history WHERE record_id = $1`,
    [shipment.id],
  );
  await service.sql.query(
    `INSERT INTO events (number, root_id, position, moment, kind, type, record_id)
     SELECT position, root_id, position, changed_at, record_kind, record_kind || '.' || type, record_id
     FROM history WHERE position < 0`,
  );
  return shipment;
}

async function contents(): Promise<unknown[]> {
  return (await service.sql.query('SELECT * FROM history ORDER BY position')).rows;
}

async function tables(): Promise<string[]> {
  const { rows } = await service.sql.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'history'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

test('whole months go to files, and come back as they were', async () => {
  const { id } = await oldShipment();
  const before = await contents();

  expect(await moveOut()).toBe(2);

  expect((await readdir(folder)).sort()).toEqual(['history_2024_05.json', 'history_2024_05.tsv.gz']);
  expect(await tables()).not.toContain(OLD);
  expect(await tables()).toContain('history_2024_06');
  expect(await contents()).toHaveLength(before.length - 1);
  expect(await file.verified()).toMatchObject({ month: '2024-05', rows: 1 });

  expect(await restore(service.sql, file, say)).toBe(1);
  expect(await contents()).toEqual(before);
  expect((await service.api.get(`/v1/shipments/${id}/history`)).body).toHaveLength(2);
  await expect(service.sql.query(`DELETE FROM ${OLD}`)).rejects.toThrow('history is append-only');
  await expect(service.sql.query(`TRUNCATE ${OLD}`)).rejects.toThrow('history is append-only');
});

test('versions of an archived month are no longer available, and the record is usable as before', async () => {
  const { id, eTag } = await oldShipment();
  const { rows } = await service.sql.query<{ tag: string }>(`SELECT encode(sha256('old'), 'hex') AS tag`);
  const old = String(rows[0]?.tag);
  const path = `/v1/shipments/${id}`;
  expect((await service.api.get(`${path}?version=${old}`)).status).toBe(200);
  // The explanation of a single version is cached for a minute.
  const ifMatch = ifMatchAmongTwo(old);
  expect((await service.api.patch(path, undefined, {}, ifMatch)).body.changes).toBeDefined();

  await moveOut();

  expectProblem(await service.api.get(`${path}?version=${old}`), 404, 'NOT_FOUND');
  const refused = await service.api.patch(path, undefined, {}, ifMatch);
  expectProblem(refused, 412, 'PRECONDITION_FAILED');
  expect(refused.body.currentETag).toBe(eTag);
  expect(refused.body.changes).toBeUndefined();
  expect((await service.api.patch(path, eTag, {})).status).toBe(200);
});

test('a dry run lists what would be archived and changes nothing', async () => {
  await oldShipment();
  const before = await contents();
  expect(await moveOut('2024-06', true)).toBe(0);
  expect(said.join('\n')).toMatch(/2024-05: 1 entries, .*would be moved to/);
  expect(await readdir(folder)).toEqual([]);
  expect(await contents()).toEqual(before);
});

test.each(['2026-02', '2026-03'])('this month and later ones are refused: in February 2026, %s', async (month) => {
  jest.spyOn(Month, 'current').mockReturnValue(Month.parse('2026-02'));
  await expect(moveOut(month)).rejects.toThrow('must be a past month');
  expect(await moveOut('2026-01')).toBe(0);
});

test('a file that is there with other rows is never overwritten, and its month stays', async () => {
  await oldShipment();
  await moveOut();
  await oldShipment();
  await expect(moveOut()).rejects.toThrow('already exists with other rows');
  expect(await tables()).toContain(OLD);
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a month stays when its file cannot be written', async () => {
  await oldShipment();
  await rm(folder, { recursive: true });
  await writeFile(folder, 'not a folder');
  await expect(moveOut()).rejects.toThrow();
  expect(await tables()).toContain(OLD);
});

test('a month waits for a reader in the way, without holding up writers for long', async () => {
  const { id, eTag } = await oldShipment();
  const [reader, observer] = [await service.connect(), await service.connect()];
  const { rows } = await service.sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const archiver = rows[0]?.pid ?? 0;
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM history');
  const moving = moveOut();
  const waits = `SELECT FROM pg_locks WHERE NOT granted AND pid = ${archiver}`;
  await eventually(async () => (await observer.query(waits)).rowCount === 1, 30_000, 'the month waits for the reader');
  const patched = await service.api.patch(`/v1/shipments/${id}`, eTag, {});
  expect(patched.status).toBe(200);
  await reader.query('COMMIT');
  await Promise.all([reader.end(), observer.end()]);
  expect(await moving).toBe(2);
});

test('a damaged file, and a month that is there, are not restored', async () => {
  await oldShipment();
  await moveOut();
  const whole = await readFile(file.path);
  await writeFile(file.path, whole.subarray(0, whole.length - 12));
  await expect(restore(service.sql, file, say)).rejects.toThrow();
  await writeFile(file.path, whole);
  await restore(service.sql, file, say);
  await expect(restore(service.sql, file, say)).rejects.toThrow('already has entries of 2024-05');
});

// Last, because this month no longer belongs to the history then.
test('a record whose whole history was archived has an empty one, not a 404', async () => {
  const { id } = await oldShipment();
  const { rows } = await service.sql.query<{ month: string }>(
    'SELECT tableoid::regclass::text AS month FROM history WHERE record_id = $1 ORDER BY changed_at DESC LIMIT 1',
    [id],
  );
  await service.sql.query(`ALTER TABLE history DETACH PARTITION ${rows[0]?.month ?? ''}`);
  await moveOut();
  const { status, body } = await service.api.get(`/v1/shipments/${id}/history`);
  expect([status, body]).toEqual([200, []]);
});
