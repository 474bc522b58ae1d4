import { expectInvalid, expectProblem } from '../support/http/problem.js';
import type { Json } from '../support/http/api.js';
import { deleted } from '../support/records/deletions.js';
import { createAgent, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const bulk = (items: readonly object[], atomic = true) => service.api.post('/v1/shipments/bulk', { atomic, items });

/** Deletes a new shipment, and returns it with the item that restores it. */
async function deletedShipment(fields = {}): Promise<{ shipment: Json; item: Json }> {
  const shipment = await createShipment(service.api, fields);
  const { deletionETag } = await deleted(service.api, `/v1/shipments/${shipment.id}`);
  return { shipment, item: { op: 'undelete', id: shipment.id, ifMatch: deletionETag } };
}

test('restores 200 shipments with their agents', async () => {
  const first = await createShipment(service.api);
  const creations = Array.from({ length: 199 }, () => ({
    op: 'create',
    values: { shipmentType: 'HHG', moveID: first.moveID },
  }));
  const { body } = await bulk(creations);
  const shipments = [first, ...body.items.map(({ shipment }: Json) => shipment)];
  const agent = await createAgent(service.api, {}, first);
  await bulk(shipments.map(({ id }) => ({ op: 'delete', id })));
  const { body: deletions } = await service.api.get(`/v1/deletions?moveID=${first.moveID}&resource=shipment&limit=200`);
  const items = deletions.map(({ resourceID, deletionETag }: Json) => {
    return { op: 'undelete', id: resourceID, ifMatch: deletionETag };
  });
  const answer = await bulk(items);
  expect(answer.status).toBe(200);
  expect(answer.body.items.map(({ status }: Json) => status)).toEqual(Array(200).fill(200));
  expect((await service.api.get(`/v1/agents/${agent.id}`)).status).toBe(200);
});

test('each item has the problem of its single request', async () => {
  const { item } = await deletedShipment();
  const { shipment: parentless, item: orphan } = await deletedShipment();
  await service.api.delete(`/v1/moves/${parentless.moveID}`);
  const living = await createShipment(service.api);
  const { item: other } = await deletedShipment();
  const { item: unnamed } = await deletedShipment();
  const { body, status } = await bulk(
    [
      item,
      orphan,
      { op: 'undelete', id: living.id, ifMatch: living.eTag },
      { op: 'undelete', id: UNKNOWN_ID, ifMatch: living.eTag },
      { ...other, ifMatch: item.ifMatch },
      { op: 'undelete', id: unnamed.id },
      { op: 'undelete', id: living.moveID, ifMatch: living.eTag },
    ],
    false,
  );
  expect(status).toBe(207);
  expect(body.items.map((result: Json) => result.problem?.code ?? result.status)).toEqual([
    200,
    'PARENT_DELETED',
    'NOT_DELETED',
    'NOT_FOUND',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
    'NOT_FOUND',
  ]);
  expect(body.items[1].problem.restorePath).toBe(`/v1/moves/${parentless.moveID}/undelete`);
});

test('one that cannot come back keeps all away', async () => {
  const { shipment, item } = await deletedShipment();
  const { item: stale } = await deletedShipment();
  expectProblem(await bulk([item, { ...stale, ifMatch: item.ifMatch }]), 409, 'BULK_REFUSED');
  expectProblem(await service.api.get(`/v1/shipments/${shipment.id}`), 404, 'NOT_FOUND');
});

test('422 for a shipment that is deleted and restored, by its id and by its code', async () => {
  const { shipment, item } = await deletedShipment();
  expect(expectInvalid(await bulk([{ op: 'delete', id: shipment.id }, item]))).toEqual(['/items/1/id DUPLICATE_ID']);
  const byCode = { ...item, id: shipment.shipmentCode.toLowerCase() };
  expect(expectInvalid(await bulk([item, byCode]))).toEqual(['/items/1/id DUPLICATE_ID']);
  expect((await bulk([byCode])).status).toBe(200);
});

describe('kept values that the rules of today do not permit', () => {
  const DETAIL =
    'The deletion keeps values that are no longer permitted, so the shipment cannot be restored. Nothing was written.';

  /** The same with a pickup after the delivery. */
  async function outdated(): Promise<{ shipment: Json; item: Json }> {
    const kept = await deletedShipment();
    const dates = JSON.stringify({ pickup_date: '2030-01-02', delivery_date: '2030-01-01' });
    await service.sql.query('UPDATE deletions SET record = record || $2 WHERE record_id = $1', [
      kept.shipment.id,
      dates,
    ]);
    return kept;
  }

  test('are 422 and say so', async () => {
    const { item } = await outdated();
    const answer = await service.api.post(`/v1/shipments/${item.id}/undelete`, undefined, { 'If-Match': item.ifMatch });
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(answer.body.detail).toBe(DETAIL);
  });

  test('refuse one of independent items, and all of dependent ones', async () => {
    const items = [await deletedShipment(), await outdated(), await deletedShipment(), await outdated()].map(
      ({ item }) => item,
    );
    const together = await bulk(items);
    expectProblem(together, 422, 'VALIDATION_FAILED');
    const { status, body } = await bulk(items, false);
    expect([status, body.items.map((result: Json) => result.problem?.detail ?? result.status)]).toEqual([
      207,
      [200, DETAIL, 200, DETAIL],
    ]);
  });
});
