import type { Json } from '../support/http/api.js';
import { deleted, undelete } from '../support/records/deletions.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** The response that is stored for a bulk's Idempotency-Key: successes as they are, refusals without values. */
const service = useService();

const REMARKS = 'x'.repeat(1900);

async function staleItems(count: number): Promise<Json[]> {
  const items: Json[] = [];
  for (let number = 0; number < count; number += 1) {
    const { id, eTag } = await createShipment(service.api, { customerRemarks: REMARKS });
    await service.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: `${REMARKS} theirs` });
    items.push({ op: 'update', id, ifMatch: eTag, patch: { customerRemarks: 'ours' } });
  }
  return items;
}

function send(items: readonly Json[], key: string) {
  return service.api.post('/v1/shipments/bulk', { atomic: false, items }, { 'Idempotency-Key': key });
}

async function bytesKept(key: string): Promise<number> {
  const { rows } = await service.sql.query<{ bytes: number }>(
    'SELECT octet_length(body) AS bytes FROM idempotency_keys WHERE key = $1',
    [key],
  );
  return Number(rows[0]?.bytes);
}

test('less than 1 kB is kept for each refused item, whatever the values are', async () => {
  const items = [
    ...(await staleItems(10)),
    ...Array.from({ length: 10 }, () => ({
      op: 'create',
      values: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${'unknown'.repeat(10)}${n}`, n])),
    })),
  ];
  const { status, body } = await send(items, 'refusals');
  expect(status).toBe(207);
  expect(body.items.map((item: Json) => item.status)).toEqual(items.map(({ op }) => (op === 'create' ? 422 : 412)));
  expect(await bytesKept('refusals')).toBeLessThan(1000 * items.length);
});

test('a repeated refusal has status, code, detail and currentETag, and says what it is kept without', async () => {
  const [stale = {}] = await staleItems(1);
  const unknown = { op: 'create', values: { shipmentType: 'HHG', weight: 1, color: 'red' } };
  const made = { op: 'create', values: { shipmentType: 'HHG' } };
  const first = await send([stale, unknown, made], 'replayed');
  const again = await send([stale, unknown, made], 'replayed');
  expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([207, 'true']);
  const [conflict, fault, created] = first.body.items as [Json, Json, Json];
  const { changes, ...rest } = conflict.problem;
  const { errors, ...others } = fault.problem;
  expect([changes.length, errors.length]).toEqual([1, 2]);
  expect(again.body.items).toEqual([
    {
      ...conflict,
      problem: { ...rest, detail: `${String(rest.detail)} This stored response omits "changes".` },
    },
    {
      ...fault,
      problem: { ...others, detail: `${String(others.detail)} This stored response omits "errors".` },
    },
    created,
  ]);
});

test('the name of the person who restored a record is not kept: an erasure of the person finds no trace', async () => {
  const name = 'Zebedee Restorer';
  const { id } = await createShipment(service.api);
  const path = `/v1/shipments/${id}`;
  const { deletionETag } = await deleted(service.api, path);
  const person = service.api.as({ 'X-Display-Name': encodeURIComponent(name) });
  expect((await undelete(person, path, deletionETag)).status).toBe(200);
  const { body } = await send([{ op: 'undelete', id, ifMatch: deletionETag }], 'restored');
  expect(body.items).toMatchObject([{ status: 409, problem: { code: 'NOT_DELETED', restoredBy: name } }]);
  await erased(service, { name });
  expect(await tablesWith(service.sql, name)).toEqual([]);
});
