import { expectProblem } from '../support/http/problem.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

test('two clients: the first is served with 200, the second with 412 until it has read again', async () => {
  const { id } = await createShipment(service.api, { destinationAddress: ADDRESS });
  const path = `/v1/shipments/${id}`;
  const [first, second] = [(await service.api.get(path)).body, (await service.api.get(path)).body];
  expect(first.eTag).toBe(second.eTag);

  const served = await service.api.patch(path, first.eTag, { deliveryDate: '2026-05-01' });
  expect(served).toMatchObject({ status: 200, body: { deliveryDate: '2026-05-01' } });

  const refused = await service.api.patch(path, second.eTag, { deliveryDate: '2026-06-01' });
  const { currentETag } = expectProblem(refused, 412, 'PRECONDITION_FAILED');
  const latest = (await service.api.get(path)).body;
  expect(latest).toEqual(served.body);
  expect(latest.eTag).toBe(currentETag);

  const retried = await service.api.patch(path, latest.eTag, { deliveryDate: '2026-06-01' });
  expect(retried).toMatchObject({ status: 200, body: { deliveryDate: '2026-06-01' } });
});
