import type { Json } from '../support/http/api.js';
import { createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function idsOf(path: string): Promise<string[]> {
  const { status, body } = await service.api.get(path);
  expect(status).toBe(200);
  return body.map(({ id }: Json) => id);
}

/** Shipments of one move, so that a test sees its own only. */
async function family(...each: object[]): Promise<{ shipments: Json[]; path: string }> {
  const { id: moveID } = await createMove(service.api);
  const shipments: Json[] = [];
  for (const fields of each) shipments.push(await createShipment(service.api, { moveID, ...fields }));
  return { shipments, path: `/v1/shipments?moveID=${moveID}` };
}

describe('shipments', () => {
  test('by moveID: those of that move only', async () => {
    const { shipments, path } = await family({}, {});
    await createShipment(service.api);
    expect(await idsOf(path)).toEqual(shipments.map(({ id }) => id).reverse());
  });

  test('by status: one, or any of several', async () => {
    const { shipments, path } = await family({}, {}, {});
    const [submitted, approved, canceled] = shipments as [Json, Json, Json];
    for (const [{ id, eTag }, status] of [
      [approved, 'APPROVED'],
      [canceled, 'CANCELED'],
    ]) {
      await service.api.patch(`/prime/v1/shipments/${id}/updateStatus`, eTag, { status });
    }
    expect(await idsOf(`${path}&status=APPROVED`)).toEqual([approved.id]);
    for (const several of ['status=CANCELED&status=SUBMITTED', 'status=CANCELED,SUBMITTED']) {
      expect(await idsOf(`${path}&${several}`)).toEqual([canceled.id, submitted.id]);
    }
    const all = [canceled.id, approved.id, submitted.id];
    expect(await idsOf(`${path}&status=APPROVED,CANCELED&status=SUBMITTED`)).toEqual(all);
    expect(await idsOf(`${path}&status=DELIVERED`)).toEqual([]);
  });

  test('by shipmentType: exactly that one', async () => {
    const { shipments, path } = await family({ shipmentType: 'HHG' }, { shipmentType: 'HHG_INTO_NTS' });
    expect(await idsOf(`${path}&shipmentType=HHG`)).toEqual([shipments[0].id]);
    expect(await idsOf(`${path}&shipmentType=hhg`)).toEqual([]);
    expect(await idsOf(`${path}&shipmentType=HH%25`)).toEqual([]);
  });

  test('by deliveryDateFrom and deliveryDateTo: both days included, those without a date left out', async () => {
    const days = ['2026-01-01', '2026-01-02', '2026-01-03', null];
    const { shipments, path } = await family(...days.map((deliveryDate) => ({ deliveryDate })));
    const [first, second, third] = shipments as [Json, Json, Json];
    expect(await idsOf(`${path}&deliveryDateFrom=2026-01-02`)).toEqual([second.id, third.id]);
    expect(await idsOf(`${path}&deliveryDateTo=2026-01-02`)).toEqual([first.id, second.id]);
    expect(await idsOf(`${path}&deliveryDateFrom=2026-01-02&deliveryDateTo=2026-01-02`)).toEqual([second.id]);
    expect(await idsOf(`${path}&deliveryDateFrom=2026-02-01&deliveryDateTo=2026-01-01`)).toEqual([]);
  });

  test('by all filters at once: only what passes every one', async () => {
    const { shipments, path } = await family(
      { shipmentType: 'A', deliveryDate: '2026-01-01' },
      { shipmentType: 'A', deliveryDate: '2026-02-01' },
      { shipmentType: 'B', deliveryDate: '2026-01-01' },
    );
    const query = '&status=SUBMITTED&shipmentType=A&deliveryDateFrom=2026-01-01&deliveryDateTo=2026-01-31';
    expect(await idsOf(path + query)).toEqual([shipments[0].id]);
    const changed = `&status=SUBMITTED&shipmentType=A&updatedSince=${shipments[1].updatedAt}`;
    expect(await idsOf(path + changed)).toEqual([shipments[1].id]);
  });
});

describe('moves', () => {
  test('by orderID: exactly that one', async () => {
    const { id } = await createMove(service.api, { orderID: 'Order 1/ä' });
    await createMove(service.api, { orderID: 'Order 1' });
    expect(await idsOf(`/v1/moves?orderID=${encodeURIComponent('Order 1/ä')}`)).toEqual([id]);
  });
});

describe.each([
  ['moves', createMove],
  ['shipments', createShipment],
])('%s by updatedSince', (name, create) => {
  const path = `/v1/${name}?updatedSince=`;

  test('that moment included, a millisecond later not', async () => {
    const { id, updatedAt } = await create(service.api);
    const later = new Date(Date.parse(updatedAt) + 1).toISOString();
    expect(await idsOf(path + updatedAt)).toContain(id);
    expect(await idsOf(path + later)).not.toContain(id);
  });

  test('a change brings a record back', async () => {
    const { id, eTag, updatedAt } = await create(service.api);
    const later = new Date(Date.parse(updatedAt) + 1).toISOString();
    await service.api.patch(`/v1/${name}/${id}`, eTag, {});
    expect(await idsOf(path + later)).toContain(id);
  });

  test('any offset and precision of RFC 3339 names the same moment', async () => {
    const { id } = await create(service.api);
    await service.sql.query('SET session_replication_role = replica');
    await service.sql.query(`UPDATE ${name} SET updated_at = '2030-06-01T10:00:00Z' WHERE id = $1`, [id]);
    await service.sql.query('SET session_replication_role = DEFAULT');
    for (const moment of ['2030-06-01T10:00:00Z', '2030-06-01T12:00:00%2B02:00', '2030-06-01T05:00:00.000000-05:00']) {
      expect(await idsOf(path + moment)).toEqual([id]);
    }
    expect(await idsOf(`${path}2030-06-01T10:00:00.001Z`)).toEqual([]);
    await service.api.delete(`/v1/${name}/${id}`);
  });
});
