import { untilBlocked } from '../support/database/activity.js';
import { csvOf, imported, rowsOf, untilApplied } from '../support/records/imports.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { eventually } from '../support/races/eventually.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();
const COLUMNS = ['id', 'customerRemarks', 'eTag'];

/** Two shipments, and an import that is being applied to both: it holds the first one and waits for the second. */
async function applying(before: string, after: string) {
  const { api } = service;
  const [first, second] = [await createShipment(api, { customerRemarks: before }), await createShipment(api)];
  const [low, high] = [first, second].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rows = [first, second].map(({ id, eTag }) => [id, after, eTag]);
  const upload = await imported(api, csvOf(COLUMNS, rows), { 'Idempotency-Key': 'an-upload' });
  const blocker = await service.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [high?.id]);
  await api.send('POST', `/v1/imports/${upload.id}/apply`);
  await untilBlocked(service.sql);
  return {
    target: [first, second].find(({ id }) => id === low?.id)?.id as string,
    upload,
    proceed: async () => {
      await blocker.query('COMMIT');
      await blocker.end();
    },
  };
}

test('a shipment that is erased while an import changes it leaves no former value', async () => {
  const { target, upload, proceed } = await applying('Q1-Dougal', 'Q1-Zebedee');
  const erasing = erased(service, { recordID: target });
  const waiting = async () => {
    const { rowCount } = await service.sql.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%imports%FOR NO KEY UPDATE'`,
    );
    return rowCount === 1;
  };
  await eventually(waiting, 15_000, 'the erasure waits for the import');
  await proceed();
  const { said } = await erasing;
  await untilApplied(service.api, upload.id);
  expect(await rowsOf(service.api, upload)).toMatchObject([{ outcome: 'changed' }, { outcome: 'changed' }]);
  const { entries } = await erased(service, { recordID: target }, { dryRun: true });
  if (entries > 0) expect(said).toContain('Run the command again');
  await erased(service, { recordID: target });
  expect(await tablesWith(service.sql, 'Q1-Dougal')).toEqual([]);
  expect((await service.api.get(`/v1/shipments/${target}`)).body.customerRemarks).toBe('Q1-Zebedee');
});
