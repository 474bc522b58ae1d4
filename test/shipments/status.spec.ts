// Not through PgBouncer: it checks functions and answers that no connection affects.
import type { Answer, Json } from '../support/http/api.js';
import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { ADDRESS, createAgent, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const STEPS: Record<string, readonly string[]> = {
  SUBMITTED: ['APPROVED', 'REJECTED', 'CANCELED'],
  APPROVED: ['IN_TRANSIT', 'DIVERSION_REQUESTED', 'CANCELLATION_REQUESTED'],
  DIVERSION_REQUESTED: ['APPROVED', 'CANCELLATION_REQUESTED'],
  IN_TRANSIT: ['DELIVERED', 'DIVERSION_REQUESTED'],
  CANCELLATION_REQUESTED: ['CANCELED', 'APPROVED'],
  REJECTED: [],
  CANCELED: [],
  DELIVERED: [],
};
const STATUSES = Object.keys(STEPS);

const WAYS: Record<string, readonly string[]> = {
  SUBMITTED: [],
  APPROVED: ['APPROVED'],
  DIVERSION_REQUESTED: ['APPROVED', 'DIVERSION_REQUESTED'],
  IN_TRANSIT: ['APPROVED', 'IN_TRANSIT'],
  CANCELLATION_REQUESTED: ['APPROVED', 'CANCELLATION_REQUESTED'],
  REJECTED: ['REJECTED'],
  CANCELED: ['CANCELED'],
  DELIVERED: ['APPROVED', 'IN_TRANSIT', 'DELIVERED'],
};

function updateStatus({ id, eTag }: Json, status: unknown, more: object = {}): Promise<Answer<Json>> {
  const reason = status === 'REJECTED' ? { rejectionReason: 'too heavy' } : {};
  return service.api.patch(`/prime/v1/shipments/${id}/updateStatus`, eTag, { status, ...reason, ...more });
}

async function shipmentThatIs(status: string): Promise<Json> {
  let shipment = await createShipment(service.api);
  for (const step of WAYS[status] ?? []) shipment = (await updateStatus(shipment, step)).body;
  expect(shipment.status).toBe(status);
  return shipment;
}

describe.each(STATUSES)('from %s', (from) => {
  const allowed = STEPS[from] ?? [];
  const refused = STATUSES.filter((status) => !allowed.includes(status));

  test(`200 to ${allowed.join(', ') || 'nothing'}; 409 with the allowed ones to any other`, async () => {
    const shipment = await shipmentThatIs(from);
    for (const to of refused) {
      const problem = expectProblem(await updateStatus(shipment, to), 409, 'STATUS_TRANSITION');
      expect(problem.allowedStatuses).toEqual(allowed);
    }
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
    for (const to of allowed) {
      expect(await updateStatus(await shipmentThatIs(from), to)).toMatchObject({ status: 200, body: { status: to } });
    }
  });
});

test('200 with the shipment, nothing else of it changed', async () => {
  const before = await createShipment(service.api, { pickupAddress: ADDRESS, deliveryDate: '2026-05-05' });
  await createAgent(service.api, {}, before);
  const { status, body } = await updateStatus(before, 'APPROVED');
  expect(status).toBe(200);
  const { eTag, updatedAt } = body;
  const pickupAddress = { ...before.pickupAddress, eTag };
  expect(body).toEqual({ ...before, status: 'APPROVED', pickupAddress, eTag, updatedAt });
  expect((await service.api.get(`/v1/shipments/${before.id}`)).body).toEqual(body);
});

test('422 for a reason that REJECTED lacks, or that any other status has', async () => {
  const shipment = await createShipment(service.api);
  const answer = await updateStatus(shipment, 'REJECTED', { rejectionReason: undefined });
  expect(expectInvalid(answer)).toEqual(['/rejectionReason REQUIRED']);
  for (const status of STATUSES.filter((each) => each !== 'REJECTED')) {
    const other = await updateStatus(shipment, status, { rejectionReason: 'because' });
    expect(expectInvalid(other)).toEqual(['/rejectionReason NOT_ALLOWED']);
  }
});

test('422 without a status, and naming a field that is not its business', async () => {
  const answer = await updateStatus(await createShipment(service.api), undefined, { actualWeight: 5 });
  expect(expectInvalid(answer).sort()).toEqual(['/actualWeight UNKNOWN_FIELD', '/status REQUIRED']);
});

test('404 without the prefix, 404 in another case', async () => {
  const { id, eTag } = await createShipment(service.api);
  for (const path of [`/v1/shipments/${id}/updateStatus`, `/prime/v1/shipments/${id}/updatestatus`]) {
    expectProblem(await service.api.patch(path, eTag, { status: 'APPROVED' }), 404, 'NOT_FOUND');
  }
});
