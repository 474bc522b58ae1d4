import { eventually } from '../support/races/eventually.js';
import { csvOf, imported, untilApplied } from '../support/records/imports.js';
import { createShipment } from '../support/records/records.js';
import { type Replica, useReplica } from '../support/service/replica.js';
import type { Json } from '../support/http/api.js';

const CHANGED = 150;
const CREATED = 2_000;
const KILLS = 3;

const service = useReplica(() => ({ POOL_SIZE: '4', LOG_LEVEL: 'warn' }));

async function file({ api }: Replica): Promise<string> {
  const shipments: Json[] = [];
  for (let count = 0; count < CHANGED; count += 1) shipments.push(await createShipment(api));
  return csvOf(
    ['id', 'eTag', 'shipmentType', 'customerRemarks'],
    [
      ...shipments.map(({ id, eTag }, index) => [id, eTag, 'HHG', `change ${index}`]),
      ...Array.from({ length: CREATED }, (_, index) => ['', '', 'CRASH', `row ${index}`]),
    ],
  );
}

test('kill -9 in the middle, as often as it may be, and another apply: every row is written once', async () => {
  const { replica, sql } = service;
  const ready = await imported(replica.api, await file(replica));
  expect(ready).toMatchObject({ toChange: CHANGED, toCreate: CREATED });
  const done = async () => {
    const { rows } = await sql.query('SELECT created + changed AS n, state FROM imports WHERE id = $1', [ready.id]);
    return rows[0] as { n: number; state: string };
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { n: before } = await done();
    expect((await replica.api.send('POST', `/v1/imports/${ready.id}/apply`)).status).toBe(202);
    await eventually(async () => (await done()).n > before, 60_000, 'some rows are written');
    await replica.kill();
    expect((await done()).state).toBe('applying');
    await replica.startAgain();
  }
  await replica.api.send('POST', `/v1/imports/${ready.id}/apply`);
  const end = await untilApplied(replica.api, ready.id);
  expect(end).toMatchObject({ created: CREATED, changed: CHANGED, refused: 0, unchanged: 0, toCreate: 0, toChange: 0 });
  const { rows: made } = await sql.query(`
    SELECT count(*)::int AS shipments, count(DISTINCT customer_remarks)::int AS remarks
    FROM shipments WHERE shipment_type = 'CRASH'`);
  expect(made).toEqual([{ shipments: CREATED, remarks: CREATED }]);
  const { rows: histories } = await sql.query(
    `
    SELECT r.outcome, count(*)::int AS entries, count(DISTINCT h.record_id)::int AS records
    FROM import_rows r JOIN history h ON h.record_id = r.record_id
    WHERE r.import_id = $1 GROUP BY 1 ORDER BY 1`,
    [ready.id],
  );
  expect(histories).toEqual([
    { outcome: 'changed', entries: 2 * CHANGED, records: CHANGED },
    { outcome: 'created', entries: CREATED, records: CREATED },
  ]);
}, 300_000);
