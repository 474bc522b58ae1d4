import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { createService, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

test('200 with a JSON array of the services of that shipment only, newest first', async () => {
  const shipment = await createShipment(service.api);
  await createService(service.api);
  const packing = await createService(service.api, {}, shipment);
  const crating = await createService(service.api, { code: 'CRATE' }, shipment);
  const { status, body } = await service.api.get(`/v1/shipments/${shipment.id}/services`);
  expect({ status, body }).toEqual({ status: 200, body: [crating, packing] });
});

test('201 also for a code that the shipment has already', async () => {
  const shipment = await createShipment(service.api);
  const [first, second] = [
    await createService(service.api, {}, shipment),
    await createService(service.api, {}, shipment),
  ];
  expect(second).toMatchObject({ code: first.code, shipmentID: shipment.id, description: null });
  expect(second.id).not.toBe(first.id);
});

test('201 with exactly the fields of a service', async () => {
  const created = await createService(service.api, { description: 'with care' });
  expect(created).toEqual({
    id: expect.any(String),
    shipmentID: expect.any(String),
    code: 'PACK',
    description: 'with care',
    createdAt: expect.any(String),
    updatedAt: created.createdAt,
    eTag: expect.any(String),
  });
});

test.each(['GET', 'POST'])('404 on %s when there is no such shipment', async (method) => {
  const body = method === 'POST' ? { code: 'PACK' } : undefined;
  const answers = [UNKNOWN_ID, 'nonsense'].map((id) => service.api.send(method, `/v1/shipments/${id}/services`, body));
  for (const answer of await Promise.all(answers)) expectProblem(answer, 404, 'NOT_FOUND');
});

test.each([
  ['', 'BLANK'],
  [null, 'REQUIRED'],
  [7, 'WRONG_TYPE'],
])('422 with the code %p', async (code, fault) => {
  const { id, eTag } = await createService(service.api);
  expect(expectInvalid(await service.api.patch(`/v1/services/${id}`, eTag, { code }))).toEqual([`/code ${fault}`]);
});

test('a service cannot be moved to another shipment', async () => {
  const { id, eTag, shipmentID } = await createService(service.api);
  const answer = await service.api.patch(`/v1/services/${id}`, eTag, { shipmentID: UNKNOWN_ID });
  expect(expectInvalid(answer)).toEqual(['/shipmentID READ_ONLY']);
  expect((await service.api.get(`/v1/services/${id}`)).body).toMatchObject({ shipmentID, eTag });
});
