import type { Client } from 'pg';
import type { Json } from '../support/http/api.js';
import { untilBlocked } from '../support/database/activity.js';
import { stopWorkers } from '../support/records/events.js';
import { eventually } from '../support/races/eventually.js';
import { forgetMonths, prepareMonthOf } from '../support/database/history-months.js';
import { createShipment } from '../support/records/records.js';
import { sabotage } from '../support/races/sabotage.js';
import { useService } from '../support/service/service.js';

const service = useService();
const prepareMonths = () => service.sql.query('SELECT prepare_months_ahead()');

// They would be blocked, too. Events are numbered where they are needed.
beforeAll(() => stopWorkers(service.app));
/** Only the months ahead, without entries: those in the default partition are moved to months, and go with them. */
beforeEach(async () => {
  await prepareMonths();
  await forgetMonths(service.sql);
  await prepareMonths();
});

/** Where the entries of a record are kept, and the partitions of the months in which they were written. */
async function partitionsOf(id: string): Promise<{ kept: string[]; own: string[] }> {
  const { rows } = await service.sql.query<{ kept: string; own: string }>(
    `SELECT tableoid::regclass::text AS kept, to_char(changed_at AT TIME ZONE 'UTC', '"history_"YYYY_MM') AS own
     FROM history WHERE record_id = $1 ORDER BY position`,
    [id],
  );
  return { kept: rows.map(({ kept }) => kept), own: rows.map(({ own }) => own) };
}

test('each entry goes to the partition of its month', async () => {
  const { id } = await createShipment(service.api);
  await service.sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
     SELECT root_id, record_kind, record_id, 'updated', 'x',
       (date_trunc('month', changed_at AT TIME ZONE 'UTC') + months * interval '1 month') AT TIME ZONE 'UTC'
     FROM history, generate_series(0, 1) months WHERE record_id = $1`,
    [id],
  );
  const { kept, own } = await partitionsOf(id);
  expect(kept).toEqual(own);
  expect(new Set(kept).size).toBe(2);
});

test('a month that nobody prepared makes no write fail, and gets its entries back when it is prepared', async () => {
  await forgetMonths(service.sql);
  const shipment = await createShipment(service.api);
  expect((await partitionsOf(shipment.id)).kept).toEqual(['history_default']);
  const before = await service.api.get(`/v1/shipments/${shipment.id}/history`);

  await prepareMonthOf(service.sql, shipment.id);

  const { kept, own } = await partitionsOf(shipment.id);
  expect(kept).toEqual(own);
  expect(await service.api.get(`/v1/shipments/${shipment.id}/history`)).toMatchObject({ body: before.body });
  const patched = await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { estimatedWeight: 1 });
  expect(patched.status).toBe(200);
  expect((await partitionsOf(shipment.id)).kept).toHaveLength(2);
});

describe('entries that are moved to a month of their own while somebody looks for them', () => {
  let id: string;

  beforeEach(async () => {
    await forgetMonths(service.sql);
    ({ id } = await createShipment(service.api));
    // The entries of earlier events are gone, and the feed with them.
    await service.sql.query('SET session_replication_role = replica; DELETE FROM events WHERE number > 0; RESET ALL');
    await service.sql.query('SELECT number_events()');
  });

  /** The result of a search that begins after the entries were moved but before that is committed. */
  async function foundWhileMoved<Found>(search: () => Promise<Found>): Promise<Found> {
    await service.sql.query('BEGIN');
    await prepareMonthOf(service.sql, id);
    const found = search();
    await untilBlocked(service.sql);
    await service.sql.query('COMMIT');
    return found;
  }

  const page = async () => (await service.api.get(`/v1/shipments/${id}/history`)).body;
  const feed = async () => {
    const { body } = await service.api.get('/v1/events');
    return body.filter(({ subject }: Json) => subject === `shipments/${id}`);
  };

  describe.each([
    ['the history of their record', page],
    ['the feed', feed],
  ])('are in %s', (_, search) => {
    test('because the search waits', async () => {
      expect(await foundWhileMoved(search)).toHaveLength(1);
    });

    test('but not when only history_default is locked', async () => {
      const lock = 'LOCK TABLE ONLY history IN ACCESS EXCLUSIVE MODE;';
      const restore = await sabotage(service.sql, 'prepare_history', lock, 'NULL;');
      const found = await foundWhileMoved(search);
      await restore();
      expect(found).toEqual([]);
    });
  });
});

describe('entries of a month that has not begun, written while the clock was ahead', () => {
  let id: string;

  beforeEach(async () => {
    ({ id } = await createShipment(service.api));
  });

  async function writeAhead(client: Client): Promise<void> {
    await client.query(
      `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
       VALUES ($1, 'shipment', $1, 'updated', 'x', now() + interval '1 year')`,
      [id],
    );
  }

  /** The history of the record, asked for after its entries were moved, and before that is committed. */
  async function pageBefore(commit: Client): Promise<Json[]> {
    const page = service.api.get(`/v1/shipments/${id}/history`);
    await untilBlocked(service.sql);
    await commit.query('COMMIT');
    return (await page).body;
  }

  const isPreparationBlocked = async () => {
    const { rowCount } = await service.sql.query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT prepare_history%'`,
    );
    return rowCount === 1;
  };

  test('are not missed while they are moved', async () => {
    await writeAhead(service.sql);
    await service.sql.query('BEGIN');
    await prepareMonthOf(service.sql, id);
    expect(await pageBefore(service.sql)).toHaveLength(2);
  });

  test('nor those that are committed while the month is being prepared', async () => {
    const [writer, owner] = [await service.connect(), await service.connect()];
    await writer.query('BEGIN');
    await writeAhead(writer);
    await owner.query('BEGIN');
    const prepared = owner.query(`SELECT prepare_history(now() + interval '1 year', now() + interval '1 year')`);
    await eventually(isPreparationBlocked, 30_000, 'the preparation waits for the writer');
    await writer.query('COMMIT');
    await prepared;
    expect(await pageBefore(owner)).toHaveLength(2);
    await Promise.all([writer.end(), owner.end()]);
  });
});

test('entries of any other month in the default partition get one too', async () => {
  const { id } = await createShipment(service.api);
  await service.sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
     VALUES ($1, 'shipment', $1, 'updated', 'x', '2024-02-29T23:59:59.999Z')`,
    [id],
  );
  expect((await partitionsOf(id)).kept).toContain('history_default');
  await prepareMonthOf(service.sql, id);
  const { kept, own } = await partitionsOf(id);
  expect(kept).toEqual(own);
  expect(kept).toContain('history_2024_02');
});

test('replicas that prepare the same months at once all succeed', async () => {
  await forgetMonths(service.sql);
  await createShipment(service.api);
  const replicas = await Promise.all(Array.from({ length: 8 }, () => service.connect()));
  const outcomes = await Promise.allSettled(
    replicas.map((client) => client.query(`SELECT prepare_history('2031-01-01', '2031-06-01')`)),
  );
  await Promise.all(replicas.map((client) => client.end()));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
});

test('writers are not held up while months are prepared', async () => {
  const shipment = await createShipment(service.api);
  await service.sql.query('BEGIN');
  await service.sql.query(`SELECT prepare_history('2031-01-01', '2031-06-01')`);
  const patched = await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { estimatedWeight: 1 });
  await service.sql.query('ROLLBACK');
  expect(patched.status).toBe(200);
});

test.each(['of a month', 'for all other months'])(
  'history refuses changes, and so does its partition %s, addressed by its own name',
  async (which) => {
    if (which === 'for all other months') await forgetMonths(service.sql);
    const { kept } = await partitionsOf((await createShipment(service.api)).id);
    const [partition = ''] = kept;
    expect(partition === 'history_default').toBe(which === 'for all other months');
    for (const table of ['history', partition]) await expectAppendOnly(table);
  },
);

test('a partition that was filled from the default one refuses changes as any other', async () => {
  await forgetMonths(service.sql);
  const { id } = await createShipment(service.api);
  await prepareMonthOf(service.sql, id);
  const [filled = ''] = (await partitionsOf(id)).kept;
  expect(filled).not.toBe('history_default');
  await expectAppendOnly(filled);
  // It is empty, so that there is no row to change.
  await expect(service.sql.query('TRUNCATE history_default')).rejects.toThrow('history is append-only');
});

async function expectAppendOnly(table: string): Promise<void> {
  for (const change of [`UPDATE ${table} SET changed_by = 'nobody'`, `DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
    await expect(service.sql.query(change)).rejects.toThrow('history is append-only');
  }
}
