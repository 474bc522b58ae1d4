import type { Answer, Json } from './support/api.js';
import { countQueries } from './support/queries.js';
import { expectProblem } from './support/problem.js';
import { ADDRESS, createShipment } from './support/records.js';
import { startService, type TestService } from './support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Stale {
  readonly path: string;
  readonly base: Json;
  readonly current: Json;
}

/** A shipment that somebody changed after `base` was read. */
async function changedMeanwhile(change: object, fields: object = {}): Promise<Stale> {
  const base = await createShipment(service.api, { destinationAddress: ADDRESS, estimatedWeight: 100, ...fields });
  const path = `/v1/shipments/${base.id}`;
  const { body: current } = await service.api.patch(path, base.eTag, change);
  return { path, base, current };
}

function changesOf(answer: Answer<Json>): Json[] {
  return expectProblem(answer, 412, 'PRECONDITION_FAILED').changes;
}

test('a stale PATCH is told what changed, by whom and when, and that it may simply be repeated', async () => {
  const { path, base, current } = await changedMeanwhile({ destinationAddress: { city: 'Shelbyville' } });
  const answer = await service.api.patch(path, base.eTag, { estimatedWeight: 200 });
  expect(changesOf(answer)).toEqual([
    {
      field: 'destinationAddress/city',
      yours: 'Springfield',
      current: 'Shelbyville',
      changedBy: 'anonymous',
      changedAt: current.updatedAt,
      conflicting: false,
    },
  ]);
  expect(answer.body.currentETag).toBe(current.eTag);
  expect((await service.api.patch(path, answer.body.currentETag, { estimatedWeight: 200 })).status).toBe(200);
});

test.each([
  ['a PATCH of the same field with another value', { estimatedWeight: 300 }, true],
  ['a PATCH of the same field with the same value', { estimatedWeight: 200 }, false],
  ['a PATCH of another field', { actualWeight: 300 }, false],
  ['a PATCH that clears the field', { estimatedWeight: null }, true],
])('conflicting is told for %s', async (_, patch, conflicting) => {
  const { path, base } = await changedMeanwhile({ estimatedWeight: 200 });
  expect(changesOf(await service.api.patch(path, base.eTag, patch))).toMatchObject([
    { field: 'estimatedWeight', conflicting },
  ]);
});

test('a PATCH that clears an address is in conflict with each changed field of it', async () => {
  const { path, base } = await changedMeanwhile({ destinationAddress: { city: 'Shelbyville', state: 'KY' } });
  const changes = changesOf(await service.api.patch(path, base.eTag, { destinationAddress: null }));
  expect(changes.map(({ field, conflicting }) => [field, conflicting])).toEqual([
    ['destinationAddress/city', true],
    ['destinationAddress/state', true],
  ]);
});

test('a PUT writes every field, also those it leaves out, but none of the server', async () => {
  const { path, base, current } = await changedMeanwhile({ estimatedWeight: 200, customerRemarks: 'new' });
  await service.api.patch(`/prime${path}/updateStatus`, current.eTag, { status: 'APPROVED' });
  const changes = changesOf(await service.api.put(path, base.eTag, { shipmentType: 'HHG', estimatedWeight: 200 }));
  expect(changes.map(({ field, conflicting }) => [field, conflicting])).toEqual(
    expect.arrayContaining([
      ['status', false],
      ['estimatedWeight', false],
      ['customerRemarks', true],
    ]),
  );
  expect(changes).toHaveLength(3);
});

test('a stale PUT of an address is told which of its fields changed', async () => {
  const { base } = await changedMeanwhile({ destinationAddress: { city: 'Shelbyville' }, estimatedWeight: 200 });
  const path = `/v1/mto-shipment/${base.id}/address/${base.destinationAddress.id}`;
  const changes = changesOf(await service.api.put(path, base.eTag, { ...ADDRESS, streetAddress2: 'Door 2' }));
  expect(changes.map(({ field, conflicting }) => [field, conflicting])).toEqual(
    expect.arrayContaining([
      ['destinationAddress/city', true],
      ['estimatedWeight', false],
    ]),
  );
});

test('a stale updateStatus is told of the status it would have replaced', async () => {
  const { base, current } = await changedMeanwhile({});
  const path = `/prime/v1/shipments/${base.id}/updateStatus`;
  await service.api.patch(path, current.eTag, { status: 'REJECTED', rejectionReason: 'too far' });
  const changes = changesOf(await service.api.patch(path, base.eTag, { status: 'APPROVED' }));
  expect(changes).toMatchObject([
    { field: 'status', yours: 'SUBMITTED', current: 'REJECTED', conflicting: true },
    { field: 'rejectionReason', yours: null, current: 'too far', conflicting: true },
  ]);
});

test('of three writers in a row each field names the last one who changed it', async () => {
  const base = await createShipment(service.api, { estimatedWeight: 1, actualWeight: 1, customerRemarks: 'a' });
  const path = `/v1/shipments/${base.id}`;
  const first = await service.api.patch(path, base.eTag, { estimatedWeight: 2, actualWeight: 2 });
  const second = await service.api.patch(path, first.body.eTag, { estimatedWeight: 3, customerRemarks: 'b' });
  const third = await service.api.patch(path, second.body.eTag, { customerRemarks: 'a' });
  const changes = changesOf(await service.api.patch(path, base.eTag, { shipmentType: 'X' }));
  // The remarks are back at what the client knows: nothing to tell.
  expect(changes.map(({ field, yours, current, changedAt }) => [field, yours, current, changedAt])).toEqual([
    ['estimatedWeight', 1, 3, second.body.updatedAt],
    ['actualWeight', 1, 2, first.body.updatedAt],
  ]);
  const later = changesOf(await service.api.patch(path, second.body.eTag, { shipmentType: 'X' }));
  expect(later.map(({ field, changedAt }) => [field, changedAt])).toEqual([['customerRemarks', third.body.updatedAt]]);
});

test('a change far back is attributed behind hundreds of others', async () => {
  const base = await createShipment(service.api, { actualWeight: 1 });
  const { rows } = await service.sql.query<{ at: string }>(
    'UPDATE shipments SET actual_weight = 2 WHERE id = $1 RETURNING iso_ms(updated_at) AS at',
    [base.id],
  );
  for (let weight = 1; weight <= 250; weight += 1) {
    await service.sql.query('UPDATE shipments SET estimated_weight = $2 WHERE id = $1', [base.id, weight]);
  }
  const changes = changesOf(await service.api.patch(`/v1/shipments/${base.id}`, base.eTag, {}));
  expect(changes.find(({ field }) => field === 'actualWeight')).toMatchObject({
    changedAt: rows[0]?.at,
    changedBy: 'sql:waybill',
  });
});

/** A shipment whose every text is as long as it may be, of characters that take four bytes. */
function largest(character: string): object {
  const text = (length: number) => character.repeat(length);
  const address = {
    streetAddress1: text(255),
    streetAddress2: text(255),
    streetAddress3: text(255),
    city: text(100),
    state: text(64),
    postalCode: text(20),
    country: text(64),
  };
  return { shipmentType: text(64), pickupAddress: address, destinationAddress: address, customerRemarks: text(2000) };
}

test('the largest report has the whole values of each field once, and is no larger than the largest request', async () => {
  const { base, current } = await changedMeanwhile(largest('🚛'), largest('🚚'));
  const reject = { status: 'REJECTED', rejectionReason: '🛑'.repeat(2000) };
  await service.api.patch(`/prime/v1/shipments/${base.id}/updateStatus`, current.eTag, reject);
  const answer = await service.api.patch(`/v1/shipments/${base.id}`, base.eTag, largest('🚜'));
  const changes = changesOf(answer);
  expect(changes.map(({ field }) => field)).toHaveLength(18);
  expect(new Set(changes.map(({ field }) => field)).size).toBe(18);
  expect(changes).toContainEqual(
    expect.objectContaining({ field: 'customerRemarks', yours: '🚚'.repeat(2000), current: '🚛'.repeat(2000) }),
  );
  expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThan(65_536);
});

test('no changes for an eTag that was never a version of this record', async () => {
  const { path } = await changedMeanwhile({ estimatedWeight: 200 });
  const other = await createShipment(service.api);
  for (const eTag of ['0'.repeat(64), other.eTag, '"anything"']) {
    expect(changesOf(await service.api.patch(path, eTag, {}))).toBeUndefined();
  }
});

test('agents have a conflict report too', async () => {
  const shipment = await createShipment(service.api);
  const { body: agent } = await service.api.post(`/v1/shipments/${shipment.id}/agents`, {
    agentType: 'RELEASING_AGENT',
    firstName: 'Ada',
    phone: '555-0100',
  });
  await service.api.patch(`/v1/agents/${agent.id}`, agent.eTag, { phone: '555-0199' });
  const changes = changesOf(await service.api.delete(`/v1/agents/${agent.id}`, { 'If-Match': agent.eTag }));
  expect(changes).toMatchObject([{ field: 'phone', yours: '555-0100', current: '555-0199', conflicting: false }]);
});

test('a success costs the same statements whether there is a history or not', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  let { eTag } = shipment;
  const write = async () => {
    ({ eTag } = (await service.api.patch(path, eTag, {})).body);
  };
  const first = await countQueries(write);
  for (let turn = 0; turn < 5; turn += 1) await write();
  expect(await countQueries(write)).toBe(first);
  expect(first).toBe(4);
});
