import type { Json } from '../support/http/api.js';
import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { ADDRESS, createShipment, UNKNOWN_ID, UUID_V7 } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const OTHER = { streetAddress1: '9 Harbour Road', city: 'Kiel', state: 'SH', postalCode: '24103', country: 'DE' };

function pathOf({ id }: Json, address: Json): string {
  return `/v1/mto-shipment/${id}/address/${address.id}`;
}

async function withTwoAddresses(): Promise<Json> {
  return createShipment(service.api, {
    pickupAddress: { ...ADDRESS, streetAddress2: 'Door 2' },
    destinationAddress: ADDRESS,
  });
}

describe('in a shipment', () => {
  test('each has an id of its own, and the eTag of the shipment', async () => {
    const { pickupAddress, destinationAddress, eTag } = await withTwoAddresses();
    expect(destinationAddress).toEqual({
      id: expect.stringMatching(UUID_V7),
      ...ADDRESS,
      streetAddress2: null,
      streetAddress3: null,
      country: null,
      eTag,
    });
    expect(pickupAddress.id).not.toBe(destinationAddress.id);
    expect(pickupAddress.eTag).toBe(eTag);
  });

  test.each([
    ['id', 'READ_ONLY'],
    ['eTag', 'READ_ONLY'],
    ['planet', 'UNKNOWN_FIELD'],
  ])('422 when a new one brings %s', async (field, code) => {
    const answer = await service.api.post('/v1/shipments', {
      shipmentType: 'HHG',
      destinationAddress: { ...ADDRESS, [field]: 'x' },
    });
    expect(expectInvalid(answer)).toEqual([`/destinationAddress/${field} ${code}`]);
  });

  test('a changed one keeps its id', async () => {
    const { id, eTag, pickupAddress } = await withTwoAddresses();
    const { body } = await service.api.patch(`/v1/shipments/${id}`, eTag, { pickupAddress: { city: 'Kiel' } });
    expect(body.pickupAddress).toEqual({ ...pickupAddress, city: 'Kiel', eTag: body.eTag });
  });

  test('a removed one is gone, and its successor has another id', async () => {
    const shipment = await withTwoAddresses();
    const path = `/v1/shipments/${shipment.id}`;
    const removed = await service.api.patch(path, shipment.eTag, { pickupAddress: null });
    expect(removed.body.pickupAddress).toBeNull();
    expectProblem(await service.api.get(pathOf(shipment, shipment.pickupAddress)), 404, 'NOT_FOUND');
    const successor = await service.api.patch(path, removed.body.eTag, { pickupAddress: ADDRESS });
    expect(successor.body.pickupAddress).toMatchObject({ ...ADDRESS, country: null });
    expect(successor.body.pickupAddress.id).not.toBe(shipment.pickupAddress.id);
    expect(successor.body.destinationAddress.id).toBe(shipment.destinationAddress.id);
  });
});

describe('at its own path', () => {
  test('200 on GET with the address as the shipment shows it', async () => {
    const shipment = await withTwoAddresses();
    for (const address of [shipment.pickupAddress, shipment.destinationAddress]) {
      const { status, body, headers } = await service.api.get(pathOf(shipment, address));
      expect({ status, body }).toEqual({ status: 200, body: address });
      expect(headers.get('ETag')).toBe(`"${shipment.eTag}"`);
    }
  });

  test('304 on GET with the eTag of the shipment, 412 with another in If-Match, 428 on PUT without one', async () => {
    const shipment = await withTwoAddresses();
    const path = pathOf(shipment, shipment.pickupAddress);
    expect((await service.api.get(path, { 'If-None-Match': `"${shipment.eTag}"` })).status).toBe(304);
    expectProblem(await service.api.get(path, { 'If-Match': '"other"' }), 412, 'PRECONDITION_FAILED');
    expectProblem(await service.api.put(path, undefined, OTHER), 428, 'PRECONDITION_REQUIRED');
  });

  test('200 on PUT with the whole address replaced, and nothing else of the shipment', async () => {
    const shipment = await withTwoAddresses();
    const replaced = await service.api.put(pathOf(shipment, shipment.pickupAddress), shipment.eTag, OTHER);
    expect(replaced.status).toBe(200);
    const { eTag } = replaced.body;
    expect(replaced.body).toEqual({
      id: shipment.pickupAddress.id,
      ...OTHER,
      streetAddress2: null,
      streetAddress3: null,
      eTag,
    });
    const { body: after } = await service.api.get(`/v1/shipments/${shipment.id}`);
    expect(after).toEqual({
      ...shipment,
      pickupAddress: replaced.body,
      destinationAddress: { ...shipment.destinationAddress, eTag },
      updatedAt: after.updatedAt,
      eTag,
    });
    expect(eTag).not.toBe(shipment.eTag);
  });

  test('200 on PUT of what GET answered', async () => {
    const shipment = await withTwoAddresses();
    const path = pathOf(shipment, shipment.pickupAddress);
    const { body } = await service.api.get(path);
    const replaced = await service.api.put(path, body.eTag, { ...body, city: 'Shelbyville' });
    expect(replaced).toMatchObject({
      status: 200,
      body: { id: body.id, city: 'Shelbyville', streetAddress2: 'Door 2' },
    });
  });

  test.each([
    ['lacks the city', { ...ADDRESS, city: undefined }, '/city REQUIRED'],
    ['has another id', { ...ADDRESS, id: UNKNOWN_ID }, '/id READ_ONLY'],
    ['has another eTag', { ...ADDRESS, eTag: '0'.repeat(64) }, '/eTag READ_ONLY'],
    ['has an unknown field', { ...ADDRESS, planet: 'Mars' }, '/planet UNKNOWN_FIELD'],
  ])('422 on PUT of an address that %s, and nothing changes', async (_, address, fault) => {
    const shipment = await withTwoAddresses();
    const answer = await service.api.put(pathOf(shipment, shipment.pickupAddress), shipment.eTag, address);
    expect(expectInvalid(answer)).toEqual([fault]);
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
  });
});
