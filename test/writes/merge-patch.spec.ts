import type { Answer, Json } from '../support/http/api.js';
import { expectInvalid } from '../support/http/problem.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
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

test.each(['application/json', 'application/merge-patch+json', 'Application/Merge-Patch+JSON; charset=UTF-8'])(
  'absent keeps and null clears, as %s',
  async (type) => {
    const before = await createShipment(service.api, FULL);
    const changes = { customerRemarks: null, actualWeight: 5 };
    const { status, body } = await patch(before, changes, { 'Content-Type': type });
    expect(status).toBe(200);
    expect(content(body)).toEqual({ ...content(before), ...changes });
  },
);

test('every optional field can be cleared', async () => {
  const before = await createShipment(service.api, FULL);
  const cleared = Object.fromEntries(Object.keys(FULL).map((name) => [name, null]));
  expect(content((await patch(before, cleared)).body)).toEqual(content({ ...before, ...cleared }));
});

test.each([{}, { pickupAddress: {} }])('%j changes no value', async (changes) => {
  const before = await createShipment(service.api, FULL);
  const { status, body } = await patch(before, changes);
  expect(status).toBe(200);
  expect(content(body)).toEqual(content(before));
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

  test.each([{}, { city: 'Springfield' }])('422 when the first one is only %p', async (destinationAddress) => {
    const missing = Object.keys(ADDRESS).filter((name) => !(name in destinationAddress));
    const shipment = await createShipment(service.api);
    const faults = expectInvalid(await patch(shipment, { destinationAddress }));
    expect(faults.sort()).toEqual(missing.map((name) => `/destinationAddress/${name} REQUIRED`).sort());
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
  });

  test('200 when id and eTag are echoed, 422 when they differ', async () => {
    const shipment = await createShipment(service.api, { pickupAddress: ADDRESS, destinationAddress: ADDRESS });
    const { pickupAddress, destinationAddress } = shipment;
    const swapped = await patch(shipment, { pickupAddress: destinationAddress });
    expect(expectInvalid(swapped)).toEqual(['/pickupAddress/id READ_ONLY']);
    expect((await patch(shipment, { pickupAddress })).status).toBe(200);
  });
});
