import type { Answer, Json } from '../support/http/api.js';
import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { ADDRESS, createAgent, createShipment, UNKNOWN_ID } from '../support/records/records.js';
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
    for (const to of refused) {
      const shipment = await shipmentThatIs(from);
      const problem = expectProblem(await updateStatus(shipment, to), 409, 'STATUS_TRANSITION');
      expect(problem.allowedStatuses).toEqual(allowed);
      expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
    }
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

describe('rejectionReason', () => {
  test('200 with REJECTED keeps it', async () => {
    const rejected = await updateStatus(await createShipment(service.api), 'REJECTED', { rejectionReason: 'no room' });
    expect(rejected).toMatchObject({ status: 200, body: { status: 'REJECTED', rejectionReason: 'no room' } });
  });

  test.each([
    ['absent', undefined, 'REQUIRED'],
    ['null', null, 'REQUIRED'],
    ['empty', '', 'BLANK'],
    ['too long', 'x'.repeat(2001), 'TOO_LONG'],
    ['no text', 7, 'WRONG_TYPE'],
  ])('422 with REJECTED when it is %s', async (_, rejectionReason, code) => {
    const answer = await updateStatus(await createShipment(service.api), 'REJECTED', { rejectionReason });
    expect(expectInvalid(answer)).toEqual([`/rejectionReason ${code}`]);
  });

  test('422 with any other status', async () => {
    const shipment = await createShipment(service.api);
    for (const status of STATUSES.filter((each) => each !== 'REJECTED')) {
      const answer = await updateStatus(shipment, status, { rejectionReason: 'because' });
      expect(expectInvalid(answer)).toEqual(['/rejectionReason NOT_ALLOWED']);
    }
  });
});

test.each([
  ['LOST', 'NOT_ALLOWED'],
  ['approved', 'NOT_ALLOWED'],
  ['', 'NOT_ALLOWED'],
  ['toString', 'NOT_ALLOWED'],
  [1, 'WRONG_TYPE'],
  [null, 'REQUIRED'],
  [undefined, 'REQUIRED'],
])('422 for %p, which is no status at all', async (status, code) => {
  expect(expectInvalid(await updateStatus(await createShipment(service.api), status))).toEqual([`/status ${code}`]);
});

test('422 naming a field that is not its business', async () => {
  const answer = await updateStatus(await createShipment(service.api), 'APPROVED', { actualWeight: 5 });
  expect(expectInvalid(answer)).toEqual(['/actualWeight UNKNOWN_FIELD']);
});

test('422 when an ordinary PATCH or PUT tries to change the status', async () => {
  const { id, eTag, shipmentType } = await createShipment(service.api);
  const path = `/v1/shipments/${id}`;
  expect(expectInvalid(await service.api.patch(path, eTag, { status: 'APPROVED' }))).toEqual(['/status READ_ONLY']);
  const answer = await service.api.put(path, eTag, { shipmentType, status: 'APPROVED' });
  expect(expectInvalid(answer)).toEqual(['/status READ_ONLY']);
});

describe('preconditions', () => {
  test('428 without If-Match', async () => {
    const { id } = await createShipment(service.api);
    expectProblem(await updateStatus({ id }, 'APPROVED'), 428, 'PRECONDITION_REQUIRED');
  });

  test('412 with an outdated eTag, before the body or the step is looked at', async () => {
    const shipment = await createShipment(service.api);
    const { body: approved } = await updateStatus(shipment, 'APPROVED');
    for (const status of ['IN_TRANSIT', 'DELIVERED', 'LOST']) {
      const problem = expectProblem(await updateStatus(shipment, status), 412, 'PRECONDITION_FAILED');
      expect(problem.currentETag).toBe(approved.eTag);
    }
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(approved);
  });

  test('404 for an unknown shipment', async () => {
    expectProblem(await updateStatus({ id: UNKNOWN_ID, eTag: '*' }, 'APPROVED'), 404, 'NOT_FOUND');
  });
});

test('404 without the prefix, 404 in another case', async () => {
  const { id, eTag } = await createShipment(service.api);
  for (const path of [`/v1/shipments/${id}/updateStatus`, `/prime/v1/shipments/${id}/updatestatus`]) {
    expectProblem(await service.api.patch(path, eTag, { status: 'APPROVED' }), 404, 'NOT_FOUND');
  }
});
