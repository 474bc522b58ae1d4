import type { Answer, Json } from '../support/http/api.js';
import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { ADDRESS, createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const FULL = {
  pickupDate: '2026-03-01',
  deliveryDate: '2026-03-05',
  pickupAddress: { ...ADDRESS, streetAddress2: 'Door 2', country: 'US' },
  estimatedWeight: 2000,
  customerRemarks: 'ring twice',
};

function patch({ id, eTag }: Json, changes: unknown, headers?: Record<string, string>): Promise<Answer<Json>> {
  return service.api.patch(`/v1/shipments/${id}`, eTag, changes, headers);
}

/** A record without what every new version changes. */
function content({ updatedAt: _, eTag: __, pickupAddress, destinationAddress, ...rest }: Json): Json {
  const address = (one: Json): Json => one && { ...one, eTag: undefined };
  return { ...rest, pickupAddress: address(pickupAddress), destinationAddress: address(destinationAddress) };
}

describe.each(['application/json', 'application/merge-patch+json', 'Application/Merge-Patch+JSON; charset=UTF-8'])(
  'as %s',
  (type) => {
    test('absent keeps and null clears', async () => {
      const before = await createShipment(service.api, FULL);
      const { status, body } = await patch(
        before,
        { customerRemarks: null, actualWeight: 5 },
        { 'Content-Type': type },
      );
      expect(status).toBe(200);
      expect(content(body)).toEqual({ ...content(before), customerRemarks: null, actualWeight: 5 });
    });
  },
);

test('every optional field can be cleared', async () => {
  const before = await createShipment(service.api, FULL);
  const cleared = Object.fromEntries(Object.keys(FULL).map((name) => [name, null]));
  expect(content((await patch(before, cleared)).body)).toEqual(content({ ...before, ...cleared }));
});

test('an empty object changes no value', async () => {
  const before = await createShipment(service.api, FULL);
  const { status, body } = await patch(before, {});
  expect(status).toBe(200);
  expect(content(body)).toEqual(content(before));
});

test('422 when null would clear a required field', async () => {
  const shipment = await createShipment(service.api);
  expect(expectInvalid(await patch(shipment, { shipmentType: null }))).toEqual(['/shipmentType REQUIRED']);
});

test('400 for two members with one name, which readers of JSON understand differently', async () => {
  const { id, eTag } = await createMove(service.api);
  const answer = await service.api.patch(`/v1/moves/${id}`, eTag, '{"remarks": "a", "remarks": "b"}');
  expectProblem(answer, 400, 'MALFORMED_JSON');
});

describe('an address', () => {
  test('merges: absent keeps, null clears, its id stays', async () => {
    const before = await createShipment(service.api, FULL);
    const { body } = await patch(before, { pickupAddress: { city: 'Shelbyville', country: null } });
    expect(body.pickupAddress).toEqual({
      ...before.pickupAddress,
      city: 'Shelbyville',
      country: null,
      eTag: body.eTag,
    });
    expect(body.destinationAddress).toBeNull();
  });

  test('may be an empty object, which changes nothing of it', async () => {
    const before = await createShipment(service.api, FULL);
    expect(content((await patch(before, { pickupAddress: {} })).body)).toEqual(content(before));
  });

  test('200 when the first one is complete', async () => {
    const { body } = await patch(await createShipment(service.api), { destinationAddress: ADDRESS });
    expect(body.destinationAddress).toMatchObject({ ...ADDRESS, country: null });
  });

  test.each([{}, { city: 'Springfield' }])('422 when the first one is only %p', async (destinationAddress) => {
    const missing = Object.keys(ADDRESS).filter((name) => !(name in destinationAddress));
    const shipment = await createShipment(service.api);
    const faults = expectInvalid(await patch(shipment, { destinationAddress }));
    expect(faults.sort()).toEqual(missing.map((name) => `/destinationAddress/${name} REQUIRED`).sort());
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
  });

  test('422 when null would clear a field it must have', async () => {
    const shipment = await createShipment(service.api, FULL);
    const faults = expectInvalid(await patch(shipment, { pickupAddress: { postalCode: null } }));
    expect(faults).toEqual(['/pickupAddress/postalCode REQUIRED']);
  });

  test('200 when id and eTag are echoed, 422 when they differ', async () => {
    const shipment = await createShipment(service.api, { pickupAddress: ADDRESS, destinationAddress: ADDRESS });
    const { pickupAddress, destinationAddress } = shipment;
    const swapped = await patch(shipment, { pickupAddress: destinationAddress });
    expect(expectInvalid(swapped)).toEqual(['/pickupAddress/id READ_ONLY']);
    expect((await patch(shipment, { pickupAddress })).status).toBe(200);
  });
});

test('422 for one field leaves the others unchanged too', async () => {
  const before = await createShipment(service.api, FULL);
  expectInvalid(await patch(before, { customerRemarks: 'new', actualWeight: -1 }));
  expect((await service.api.get(`/v1/shipments/${before.id}`)).body).toEqual(before);
});
