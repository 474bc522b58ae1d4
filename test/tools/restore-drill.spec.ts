import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { archive } from '../../tools/archive/archive.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { Month } from '../../tools/archive/month.js';
import { restore } from '../../tools/archive/restore.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { Api, type Json } from '../support/http/api.js';
import { nextOf, walk } from '../support/http/paging.js';
import { allIndexed, allNumbered } from '../support/records/events.js';
import { LOOPBACK } from '../support/records/webhooks.js';
import { Receiver } from '../support/http/receiver.js';
import { eventually } from '../support/races/eventually.js';
import { Replica } from '../support/service/replica.js';

const MONTHS = ['2024-01', '2024-02', '2024-03'];
/** Each a bulk of that many creations. */
const WRITES = { bulks: 10, items: 100 };

let live: TestDatabase;
let folder: string;
let receiver: Receiver;

beforeEach(async () => {
  live = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'waybill-drill-'));
  receiver = await Receiver.start();
});
afterEach(async () => {
  await live.drop();
  await receiver.stop();
  await rm(folder, { recursive: true });
});

async function on<Result>(database: TestDatabase, work: (sql: Client) => Promise<Result>): Promise<Result> {
  const sql = await connect(database.url);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Shipments whose whole history is of a month in the past. */
async function writeIn(sql: Client, month: string, count: number): Promise<void> {
  await sql.query(`SELECT prepare_history($1, $1)`, [`${month}-01`]);
  await sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, record, changed_by, changed_at)
     SELECT id, 'move', id, 'created', '{}', 'somebody', $1::timestamptz
     FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) made`,
    [`${month}-15`, count],
  );
  await sql.query('SELECT number_events()');
}

/** The pages of the feed, up to the first empty one. */
async function eventsOf(api: Api, filter: string): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let next = `/v1/events?limit=1000&${filter}`; ;) {
    const { status, body, headers } = await api.get<Json[]>(next);
    expect(status).toBe(200);
    pages.push(body);
    if (body.length === 0) return pages;
    next = nextOf(headers) ?? '';
  }
}

const moveOut = (sql: Client, before: string) =>
  archive(sql, { before: Month.parse(before), folder, dryRun: false, say: () => undefined });

const fileOf = (month: string) => MonthFile.in(folder, Month.parse(month).partition);

/** The outcome of each file, in order. */
async function offer(sql: Client, months: readonly string[]): Promise<string[]> {
  const outcomes: string[] = [];
  for (const month of months) {
    const restored = restore(sql, fileOf(month), () => undefined);
    outcomes.push(
      await restored.then(
        (rows) => `${rows} restored`,
        (error: unknown) => (error as Error).message,
      ),
    );
  }
  return outcomes;
}

test('after an older backup was restored, only months of that backup come back, and every new write is an event', async () => {
  await on(live, async (sql) => {
    await writeIn(sql, '2024-01', 5);
    await moveOut(sql, '2024-02');
    await writeIn(sql, '2024-02', 5);
  });
  const backup = await createTestDatabase(new URL(live.url).pathname.slice(1));
  await on(live, async (sql) => {
    await writeIn(sql, '2024-03', 40);
    await moveOut(sql, '2024-04');
  });
  await on(backup, async (sql) => {
    // Another line of time, whose positions are those of the months that were archived after the backup.
    await writeIn(sql, '2024-04', 3);
    expect(await offer(sql, MONTHS)).toEqual([
      '5 restored',
      'History already has entries of 2024-02 that are in the file. Nothing was restored.',
      expect.stringMatching(/^40 of 40 entries of 2024-03 are not events of this database.* Nothing was restored\.$/),
    ]);
  });

  await on(backup, async (sql) => {
    for (const outcome of await offer(sql, MONTHS.toReversed())) expect(outcome).toMatch(/Nothing was restored\.$/);
  });

  const replica = await Replica.start({ DATABASE_URL: backup.url, ...LOOPBACK });
  const api = new Api(replica.url);
  await api.post('/v1/webhooks', { url: receiver.url, types: ['shipment.created'] });
  const written: string[] = [];
  for (let bulk = 0; bulk < WRITES.bulks; bulk += 1) {
    const items = Array.from({ length: WRITES.items }, () => ({
      op: 'create',
      values: { shipmentType: 'HHG', customerRemarks: 'drilled' },
    }));
    const send = () => api.post('/v1/shipments/bulk', { items }, { 'Idempotency-Key': `drill-${bulk}` });
    // The service dies in the middle, and the request is repeated.
    if (bulk === WRITES.bulks / 2) {
      await Promise.all([send().catch(() => undefined), replica.kill()]);
      await replica.startAgain();
    }
    const { status, body } = await send();
    expect(status).toBe(200);
    written.push(...body.items.map(({ shipment }: Json) => shipment.id));
  }
  expect(new Set(written).size).toBe(WRITES.bulks * WRITES.items);
  await on(backup, async (sql) => {
    await allNumbered(sql);
    await allIndexed(sql);
  });
  const idsIn = (pages: readonly Json[][], of: (each: Json) => string) => pages.flat().map(of).toSorted();
  written.sort();
  const events = await eventsOf(api, 'type=shipment.created');
  expect(idsIn(events, ({ data }) => data.resourceID)).toEqual(written);
  const found = await walk(api, '/v1/shipments?q=drilled&limit=200');
  expect(idsIn(found, ({ id }) => id)).toEqual(written);
  const delivered = () => new Set(receiver.received.map(({ event }) => event.data.resourceID as string));
  await eventually(() => Promise.resolve(delivered().size === written.length), 300_000, 'all deliveries');
  expect([...delivered()].toSorted()).toEqual(written);
  await replica.stop();
  await backup.drop();
});

test('entries of another line of time that have the positions of events here are not restored', async () => {
  await on(live, (sql) => writeIn(sql, '2024-03', 5));
  const other = await createTestDatabase();
  await on(other, async (sql) => {
    await writeIn(sql, '2024-03', 5);
    await moveOut(sql, '2024-04');
  });
  await on(live, async (sql) => {
    await sql.query(`BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM history; COMMIT`);
    await expect(restore(sql, fileOf('2024-03'), () => undefined)).rejects.toThrow('5 of 5 entries of 2024-03');
    expect((await sql.query('SELECT FROM history')).rowCount).toBe(0);
  });
  await other.drop();
});
