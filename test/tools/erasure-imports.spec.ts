import { untilBlocked } from '../support/database/activity.js';
import { CSV, csvOf, imported, rowsOf, untilApplied } from '../support/records/imports.js';
import type { Json } from '../support/http/api.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { eventually } from '../support/races/eventually.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();
const COLUMNS = ['id', 'customerRemarks', 'eTag'];

interface Named {
  readonly upload: Json;
  readonly shipment: Json;
  readonly name: string;
}

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

const FILE = 'Moves of Zebedee.csv';

test.each([
  ['the import', ({ upload }: Named) => ({ recordID: upload.id })],
  ['a shipment that it changes', ({ shipment }: Named) => ({ recordID: shipment.id })],
  ['the person who uploaded it', ({ name }: Named) => ({ name })],
])('the name of a file is erased with %s', async (what, targetOf) => {
  const name = `Florence, for ${what}`;
  const florence = service.api.as({ 'X-Display-Name': name });
  const shipment = await createShipment(service.api);
  const file = csvOf(COLUMNS, [[shipment.id, 'from a file', shipment.eTag]]);
  const path = `/v1/imports?fileName=${encodeURIComponent(FILE)}`;
  const { body: upload } = await florence.post(path, file, { ...CSV, 'Idempotency-Key': shipment.id });
  await florence.send('POST', `/v1/imports/${upload.id}/apply`, undefined, { 'Idempotency-Key': upload.id });
  await untilApplied(service.api, upload.id);
  expect(await tablesWith(service.sql, FILE)).toEqual(
    expect.arrayContaining(['idempotency_keys', 'imports', expect.stringMatching(/^history_/)]),
  );
  const { said } = await erased(service, targetOf({ upload, shipment, name }));
  expect(said).toContain('Nothing is left in this database.');
  expect(await tablesWith(service.sql, FILE)).toEqual([]);
  expect((await service.api.get(`/v1/imports/${upload.id}`)).body).toMatchObject({ fileName: null, changed: 1 });
  await allNumbered(service.sql);
  const { body: events } = await service.api.get(`/v1/events?resourceID=${upload.id}&limit=1000`);
  expect(events.filter(({ type }: Json) => type === 'import.erased')).toHaveLength(1);
});
