import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from '../../tools/archive/archive.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { Month } from '../../tools/archive/month.js';
import { restore } from '../../tools/archive/restore.js';
import { NUMBERING } from '../../src/events/events-sql.js';
import type { Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { eventually } from '../support/races/eventually.js';
import { expectProblem } from '../support/http/problem.js';
import { RawStream } from '../support/http/raw-stream.js';
import { createMove } from '../support/records/records.js';
import { startService, type TestService } from '../support/service/service.js';

let service: TestService;
let folder: string;
let all: Json[];

/** Two entries in each of three months of the past, in the order of time but for the last of May, which comes after the first of June. */
beforeEach(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'waybill-events-'));
  await service.sql.query(`SELECT prepare_history('2024-04-01', '2024-06-01')`);
  for (const moment of ['2024-04-01', '2024-04-30', '2024-05-01', '2024-06-01', '2024-05-31', '2024-06-02']) {
    await service.sql.query(
      `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
       VALUES (gen_random_uuid(), 'move', gen_random_uuid(), 'deleted', 'somebody', $1)`,
      [`${moment}T00:00:00Z`],
    );
  }
  await createMove(service.api);
  await allNumbered(service.sql);
  all = (await service.api.get('/v1/events')).body;
});
afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const moveOut = (before: string) =>
  archive(service.sql, { before: Month.parse(before), folder, dryRun: false, say: () => undefined });
const bringBack = (month: string) =>
  restore(service.sql, MonthFile.in(folder, Month.parse(month).partition), () => undefined);
const after = (cursor?: string) => service.api.get(`/v1/events${cursor === undefined ? '' : `?after=${cursor}`}`);

test('410 with the oldest cursor for a cursor into an archived month, which is valid again after a restore', async () => {
  expect(all.map(({ time }) => time.slice(0, 7))).toEqual([
    '2024-04',
    '2024-04',
    '2024-05',
    '2024-06',
    '2024-05',
    '2024-06',
    expect.any(String),
  ]);
  await moveOut('2024-06');
  // The last entry of May has the number 5, and the feed has no holes: what is kept begins with number 6.
  for (const gone of [0, 1, 3]) {
    const { oldest } = expectProblem(await after(all[gone].id), 410, 'EVENTS_GONE');
    expect((await after(oldest)).body).toEqual(all.slice(5));
  }
  // A read from the beginning starts with the oldest that is kept, and ends before the one that is missing.
  expect((await after()).body).toEqual([all[3]]);
  expect((await after(all[2].id)).body).toEqual([all[3]]);
  expect((await after(all[4].id)).body).toEqual(all.slice(5));
  const refused = RawStream.open(service, '/v1/events/stream', { 'Last-Event-ID': all[0].id });
  await refused.until(({ body }) => body.includes('EVENTS_GONE'), 'the refusal');
  refused.close();
  // With a filter only if a matching event was archived.
  const filtered = (filter: string) => service.api.get(`/v1/events?after=${all[0].id}&${filter}`);
  const { oldest: cursor } = expectProblem(await filtered('type=move.deleted'), 410, 'EVENTS_GONE');
  expect((await after(cursor)).body).toEqual(all.slice(5));
  expect((await filtered('type=move.created')).body).toEqual(all.slice(6));
  expect((await filtered('resource=service')).body).toEqual([]);

  await bringBack('2024-04');
  expect((await after()).body).toEqual(all.slice(0, 2));
  await bringBack('2024-05');
  expect((await after()).body).toEqual(all);
  for (const [index, { id }] of all.entries()) expect((await after(id)).body).toEqual(all.slice(index + 1));
  const { rows } = await service.sql.query<{ numbered: number | null }>('SELECT number_events() AS numbered');
  expect([0, null]).toContain(rows[0]?.numbered);

  // The feed continues after all months have been archived.
  await moveOut('2024-07');
  expect((await after()).body).toEqual(all.slice(6));
  const { id } = await createMove(service.api);
  await allNumbered(service.sql);
  expect((await after(all[6].id)).body.map(({ data }: Json) => data.resourceID)).toEqual([id]);
});

test('an archived event among kept ones hides none of them from a reader that starts at the beginning', async () => {
  await service.sql.query(`SELECT prepare_history('2020-01-01', '2020-01-01')`);
  const write = (moment: string) =>
    service.sql.query(
      `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
       VALUES (gen_random_uuid(), 'move', gen_random_uuid(), 'deleted', 'somebody', $1)`,
      [moment],
    );
  await write('2020-01-15');
  await createMove(service.api);
  await allNumbered(service.sql);
  await moveOut('2021-01');
  const seen = (await after()).body;
  expect(seen).toEqual(all);
  const { oldest } = expectProblem(await after(seen.at(-1).id), 410, 'EVENTS_GONE');
  expect((await after(oldest)).body).toHaveLength(1);
  // Entries of a month that was archived before they were written are kept.
  await service.sql.query(`SELECT prepare_history('2024-04-01', '2024-04-01')`);
  await moveOut('2024-05');
  await service.sql.query(`SELECT prepare_history('2024-04-01', '2024-04-01')`);
  await write('2024-04-20');
  await allNumbered(service.sql);
  expect((await after()).body[0].time.slice(0, 7)).toBe('2024-05');
});

test('a month with entries that have no number yet is not archived, whichever entries behind them have one', async () => {
  const entry = `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
    VALUES (gen_random_uuid(), 'move', gen_random_uuid(), 'deleted', 'somebody', '2024-04-03')`;
  const late = await service.connect();
  await late.query('BEGIN');
  await late.query(entry);
  await createMove(service.api);
  await eventually(async () => (await after(all.at(-1)?.id)).body.length === 1, 30_000, 'the later entry has a number');
  await service.app.close();
  await late.query('COMMIT');
  await late.end();
  const { rows } = await service.sql.query<{ unnumberedSeconds: number }>(NUMBERING.text);
  expect(rows[0]?.unnumberedSeconds).toBeGreaterThan(0);
  await expect(moveOut('2024-05')).rejects.toThrow('has entries that are not events yet');
  await service.sql.query('SELECT number_events()');
  await service.sql.query(entry);
  await expect(moveOut('2024-05')).rejects.toThrow('has entries that are not events yet');
  await service.sql.query('SELECT number_events()');
  expect(await moveOut('2024-05')).toBe(1);
});

describe('with a webhook', () => {
  const MAY = '2024-05';
  const isArchived = async () =>
    (await service.sql.query(`SELECT FROM pg_class WHERE relname = 'history_2024_05'`)).rowCount === 0;
  let webhook: Json;
  beforeEach(async () => {
    ({ body: webhook } = await service.api.post('/v1/webhooks', { url: 'https://partner.example/' }));
    await allNumbered(service.sql);
  });
  const behind = (number: number) =>
    service.sql.query('UPDATE webhook_progress SET position = $1 WHERE webhook_id = $2', [number, webhook.id]);
  const pending = (number: number, state = 'pending') =>
    service.sql.query(
      `INSERT INTO webhook_deliveries (webhook_id, event_number, type, record_id, is_next, state)
       SELECT $1, number, type, record_id, true, $3 FROM events WHERE number = $2`,
      [webhook.id, number, state],
    );

  test.each([
    ['has no deliveries of them yet', () => behind(4)],
    ['still has to send one of them', () => pending(3)],
  ])('a month stays whose events it %s, until it has sent them or is disabled', async (_, make) => {
    await make();
    await moveOut(MAY);
    await expect(moveOut('2024-06')).rejects.toThrow(`webhooks have not delivered yet: ${webhook.id}`);
    expect(await isArchived()).toBe(false);
    await service.api.patch(`/v1/webhooks/${webhook.id}`, '*', { enabled: false });
    await moveOut('2024-06');
    expect(await isArchived()).toBe(true);
  });

  test('a month is archived whose events it has sent or given up', async () => {
    await pending(3, 'delivered');
    await pending(5, 'failed');
    await pending(6);
    await moveOut('2024-06');
    expect(await isArchived()).toBe(true);
  });
});
