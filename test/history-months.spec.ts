import { createShipment } from './support/records.js';
import { startService, type TestService } from './support/service.js';

let service: TestService;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const THIS_MONTH = `history_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;

/** Where the entries of a record are kept. */
async function partitionsOf(id: string): Promise<string[]> {
  const { rows } = await service.sql.query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM history WHERE record_id = $1 ORDER BY position',
    [id],
  );
  return rows.map(({ name }) => name);
}

/** As if nobody had prepared this month in time. */
async function forgetThisMonth(): Promise<void> {
  await service.sql.query(`DROP TABLE ${THIS_MONTH}`);
}

function prepare(): Promise<unknown> {
  return service.sql.query('SELECT prepare_history(now(), now())');
}

test('each entry goes to the partition of its month', async () => {
  const { id } = await createShipment(service.api);
  expect(await partitionsOf(id)).toEqual([THIS_MONTH]);
  await service.sql.query(`
    INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at) VALUES
      ('${id}', 'shipment', '${id}', 'updated', 'x', date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'),
      ('${id}', 'shipment', '${id}', 'updated', 'x',
        (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC')`);
  const [, first, next] = await partitionsOf(id);
  expect(first).toBe(THIS_MONTH);
  expect(next).toMatch(/^history_\d{4}_\d{2}$/);
  expect(next).not.toBe(THIS_MONTH);
});

test('a month that nobody prepared makes no write fail, and gets its entries back when it is prepared', async () => {
  await forgetThisMonth();
  const shipment = await createShipment(service.api);
  expect(await partitionsOf(shipment.id)).toEqual(['history_default']);
  const before = await service.api.get(`/v1/shipments/${shipment.id}/history`);

  await prepare();

  expect(await partitionsOf(shipment.id)).toEqual([THIS_MONTH]);
  expect(await service.api.get(`/v1/shipments/${shipment.id}/history`)).toMatchObject({ body: before.body });
  const patched = await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { estimatedWeight: 1 });
  expect(patched.status).toBe(200);
  expect(await partitionsOf(shipment.id)).toEqual([THIS_MONTH, THIS_MONTH]);
});

test('entries of any other month in the default partition get one too', async () => {
  const { id } = await createShipment(service.api);
  await service.sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
     VALUES ($1, 'shipment', $1, 'updated', 'x', '2024-02-29T23:59:59.999Z')`,
    [id],
  );
  await prepare();
  expect(await partitionsOf(id)).toEqual([THIS_MONTH, 'history_2024_02']);
});

test('replicas that prepare the same months at once all succeed', async () => {
  await forgetThisMonth();
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

describe.each([[THIS_MONTH], ['history_default']])('%s addressed by its own name', (partition) => {
  test.each([['UPDATE % SET changed_by = $$nobody$$'], ['DELETE FROM %'], ['TRUNCATE %']])(
    'refuses %s',
    async (statement) => {
      if (partition === 'history_default') await forgetThisMonth();
      await createShipment(service.api);
      await expect(service.sql.query(statement.replace('%', partition))).rejects.toThrow('history is append-only');
    },
  );
});

test('a partition that was filled from the default one refuses changes as any other', async () => {
  await forgetThisMonth();
  await createShipment(service.api);
  await prepare();
  for (const table of [THIS_MONTH, 'history_default']) {
    await expect(service.sql.query(`TRUNCATE ${table}`)).rejects.toThrow('history is append-only');
  }
  await expect(service.sql.query(`DELETE FROM ${THIS_MONTH}`)).rejects.toThrow('history is append-only');
});
