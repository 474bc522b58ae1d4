import { reapply, WaybillClient, type Shipment } from '../../client/src/waybill.js';
import { Gateway } from '../support/http/gateway.js';
import { walk } from '../support/http/paging.js';
import { createMove, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '4' });
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: gateway.url });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.next());

async function many(count: number, customerRemarks?: string): Promise<{ moveID: string; shipments: Shipment[] }> {
  const { id: moveID } = await createMove(service.api);
  await service.sql.query(
    `INSERT INTO shipments (id, move_id, shipment_type, status, estimated_weight, customer_remarks)
     SELECT uuidv7(), $1, 'HHG', 'SUBMITTED', weight, $3 FROM generate_series(1, $2::int) weight`,
    [moveID, count, customerRemarks],
  );
  const pages = await walk(service.api, `/v1/shipments?moveID=${moveID}&sort=createdAt&limit=200`);
  return { moveID, shipments: pages.flat() };
}

const elsewhere = (shipment: Shipment | undefined, patch: object) =>
  service.api.patch(`/v1/shipments/${shipment?.id}`, shipment?.eTag, patch);
const bulksSent = () => gateway.seen.filter(({ path }) => path.endsWith('/bulk')).length;
const read = (shipments: readonly Shipment[]) => Promise.all(shipments.map(({ id }) => client.shipments.get(id)));

it('changes all matching shipments in bulks of 200 and reports progress', async () => {
  const { moveID } = await many(230);
  const steps: number[] = [];
  const report = await client.shipments.updateMany(
    { moveID },
    ({ estimatedWeight }) => ({ actualWeight: (estimatedWeight ?? 0) + 1 }),
    { onProgress: ({ updated, total }) => steps.push(updated, total) },
  );
  expect([report.updated.length, report.refused, steps]).toEqual([230, [], [200, 230, 230, 230]]);
  expect(bulksSent()).toBe(2);
  for await (const { estimatedWeight, actualWeight } of client.shipments.list({ moveID })) {
    expect(actualWeight).toBe((estimatedWeight ?? 0) + 1);
  }
});

it('changes a shipment once that is named twice', async () => {
  const { shipments } = await many(1);
  const id = shipments[0]?.id ?? '';
  const { updated } = await client.shipments.updateMany([id, id], { actualWeight: 2 });
  expect(updated).toMatchObject([{ id, actualWeight: 2 }]);
});

it('merges what others changed, and sends only that again', async () => {
  const { shipments } = await many(5);
  await elsewhere(shipments[1], { customerRemarks: 'theirs' });
  const { updated, refused } = await client.shipments.updateMany(shipments, { actualWeight: 9 });
  expect([updated.length, refused, bulksSent()]).toEqual([5, [], 2]);
  const [, second] = await read(shipments);
  expect(second).toMatchObject({ customerRemarks: 'theirs', actualWeight: 9 });
});

it('reports a conflict with who and what when nobody resolves it, and the others are changed', async () => {
  const { shipments } = await many(3);
  await elsewhere(shipments[0], { actualWeight: 4 });
  const { updated, refused } = await client.shipments.updateMany(shipments, { actualWeight: 9 });
  expect(updated).toHaveLength(2);
  expect(refused).toMatchObject([
    {
      id: shipments[0]?.id,
      error: { code: 'PRECONDITION_FAILED' },
      conflict: { mine: { actualWeight: 9 }, theirs: { actualWeight: 4 }, changes: [{ changedBy: 'anonymous' }] },
    },
  ]);
});

it('lets onConflict decide, also when values are too long for a bulk', async () => {
  const { shipments } = await many(2, 'ä'.repeat(1000));
  for (const shipment of shipments) await elsewhere(shipment, { customerRemarks: 'ö'.repeat(1900) });
  const add = ({ customerRemarks }: { customerRemarks: string | null }) => ({ customerRemarks: `${customerRemarks}!` });
  const { updated, refused } = await client.shipments.updateMany(shipments, add, { onConflict: reapply });
  expect([updated.length, refused]).toEqual([2, []]);
  for (const { customerRemarks } of await read(shipments)) expect(customerRemarks).toBe(`${'ö'.repeat(1900)}!`);
});

it('reports errors that no retry can fix: a deleted shipment, an invalid value, an invalid transition', async () => {
  const { shipments } = await many(2);
  await client.shipments.delete(shipments[0]?.id ?? '');
  const gone = await client.shipments.updateMany(shipments, { actualWeight: 0 });
  expect(gone.refused.map(({ error }) => error.code)).toEqual(['NOT_FOUND', 'VALIDATION_FAILED']);
  const steps = await client.shipments.updateStatusMany(shipments.slice(1), { status: 'DELIVERED' });
  expect(steps.refused.map(({ error }) => error.code)).toEqual(['STATUS_TRANSITION']);
  const some = await client.shipments.updateMany([UNKNOWN_ID, shipments[1]?.id ?? ''], { actualWeight: 1 });
  expect(some).toMatchObject({ updated: [{ actualWeight: 1 }], refused: [{ id: UNKNOWN_ID, error: { status: 404 } }] });
});

it('writes nothing twice when an answer is lost', async () => {
  const { shipments } = await many(60);
  gateway.next('lose the answer', 'lose the answer');
  const { updated } = await client.shipments.updateMany(shipments, ({ estimatedWeight }) => {
    return { estimatedWeight: (estimatedWeight ?? 0) + 100 };
  });
  expect(updated.map(({ estimatedWeight }) => estimatedWeight)).toEqual(shipments.map((_, index) => index + 101));
  const { rows } = await service.sql.query(
    `SELECT count(*)::int AS count FROM history WHERE type = 'updated' AND record_id = ANY ($1)`,
    [shipments.map(({ id }) => id)],
  );
  expect(rows).toEqual([{ count: 60 }]);
});

it('reports apart the shipments whose outcome stays unknown', async () => {
  const { shipments } = await many(3);
  const done = { status: 200, shipment: shipments[0] };
  const unknown = { status: 503, problem: { code: 'OUTCOME_UNKNOWN' } };
  const untried = { status: 503, problem: { code: 'UNAVAILABLE' } };
  const answer = {
    status: 207,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ items: [done, unknown, untried] }),
  };
  gateway.next(...Array.from({ length: 10 }, () => answer));
  const report = await client.shipments.updateMany(shipments, { actualWeight: 3 });
  expect(report.updated.map(({ id }) => id)).toEqual([shipments[0]?.id]);
  expect(report.unknown).toMatchObject([{ id: shipments[1]?.id, error: { code: 'OUTCOME_UNKNOWN' } }]);
  expect(report.refused).toMatchObject([{ id: shipments[2]?.id, error: { code: 'UNAVAILABLE' } }]);
});

it('continues under the same key when the service could not finish', async () => {
  const { shipments } = await many(2);
  const unfinished = { items: shipments.map(() => ({ status: 503, problem: { code: 'UNAVAILABLE' } })) };
  gateway.next({ status: 207, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(unfinished) });
  const { updated } = await client.shipments.updateMany(shipments, { actualWeight: 3 });
  expect(updated).toHaveLength(2);
  const keys = gateway.seen.map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});
