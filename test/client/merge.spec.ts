import { reapply, WaybillClient, type Address, type Current, type Shipment } from '../../client/src/waybill.js';
import { Gateway } from '../support/http/gateway.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '3' });
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: gateway.url });
});
afterAll(() => gateway.stop());

/** Changes of a shipment by another user between read and write: the fields before, and the change. */
const OTHERS: [string, object, object][] = [
  ['nothing but a new version', {}, {}],
  ['a text', {}, { customerRemarks: 'theirs' }],
  ['several fields', {}, { customerRemarks: 'theirs', estimatedWeight: 9, deliveryDate: '2026-12-24' }],
  ['a field that is cleared', { estimatedWeight: 9 }, { estimatedWeight: null }],
  ['part of an address', { pickupAddress: ADDRESS }, { pickupAddress: { city: 'Theirs', country: 'X' } }],
  ['an address that is removed', { pickupAddress: ADDRESS }, { pickupAddress: null }],
  [
    'one address of two',
    { pickupAddress: ADDRESS, destinationAddress: ADDRESS },
    { pickupAddress: { streetAddress2: 'Back door' } },
  ],
];

async function readNow(id: string): Promise<Current<Shipment>> {
  const { body } = await service.api.get(`/v1/shipments/${id}`);
  const { updatedAt: _, ...current } = body as Shipment;
  return current;
}

describe('after a 412 the change gets the record as it is now, without another read', () => {
  it.each(OTHERS)('when others changed %s', async (_, before, theirs) => {
    const { id } = await createShipment(service.api, before);
    gateway.next();
    const seen: { given: unknown; real: unknown }[] = [];
    const updated = await client.shipments.update(id, async (given) => {
      if (seen.length === 0) await service.api.patch(`/v1/shipments/${id}`, '*', theirs);
      seen.push({ given, real: await readNow(id) });
      return { actualWeight: 7 };
    });
    expect(updated).toMatchObject({ actualWeight: 7 });
    expect(seen).toHaveLength(2);
    expect(seen[1]?.given).toEqual(seen[1]?.real);
    expect(gateway.seen.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'PATCH']);
  });

  it('when the status changed', async () => {
    const { id } = await createShipment(service.api);
    gateway.next();
    const statuses: string[] = [];
    await client.shipments.update(id, async ({ status }) => {
      if (statuses.push(status) === 1) {
        const path = `/prime/v1/shipments/${id}/updateStatus`;
        await service.api.patch(path, '*', { status: 'REJECTED', rejectionReason: 'No room' });
      }
      return { actualWeight: 7 };
    });
    expect(statuses).toEqual(['SUBMITTED', 'REJECTED']);
    expect(gateway.seen.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'PATCH']);
  });

  it('when the record that was given has others inside, which the change does not get, for they may be old', async () => {
    const { id } = await createShipment(service.api);
    const shown = await client.shipments.get(id, { expand: ['agents', 'services', 'move'] });
    await service.api.patch(`/v1/shipments/${id}`, '*', { estimatedWeight: 9 });
    gateway.next();
    const seen: unknown[] = [];
    await client.shipments.update(shown, (given) => {
      seen.push(given);
      return { actualWeight: 7 };
    });
    expect(seen[0]).toEqual(shown);
    expect(Object.keys(seen[1] as object)).not.toEqual(expect.arrayContaining(['agents']));
    expect(Object.keys(seen[1] as object)).not.toEqual(expect.arrayContaining(['move']));
    expect(gateway.seen.map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });
});

const OPTIONAL = { streetAddress2: 'Back door', streetAddress3: 'Third floor', country: 'X' };

describe('after a 412 the change of an address gets the address as it is now, without another read', () => {
  it.each<[string, object]>([
    ...Object.keys({ ...ADDRESS, ...OPTIONAL }).map((field): [string, object] => [
      field,
      { destinationAddress: { [field]: 'Theirs' } },
    ]),
    ['a field that is cleared', { destinationAddress: { country: null } }],
    ['the other address, which it has nothing to do with', { pickupAddress: { city: 'Theirs', postalCode: '1' } }],
    ['the shipment', { customerRemarks: 'theirs' }],
  ])('when others changed %s', async (_, theirs) => {
    const address = { ...ADDRESS, ...OPTIONAL };
    const { id, destinationAddress } = await createShipment(service.api, {
      pickupAddress: address,
      destinationAddress: address,
    });
    const key = { shipmentID: id, addressID: destinationAddress.id };
    gateway.next();
    const seen: { given: unknown; real: unknown }[] = [];
    const replace = async (given: Current<Address>) => {
      if (seen.length === 0) await service.api.patch(`/v1/shipments/${id}`, '*', theirs);
      seen.push({ given, real: (await readNow(id)).destinationAddress });
      // Only what is required: what is left out is written as null, so the service tells of changes to it all the same.
      return ADDRESS;
    };
    await client.addresses.update(key, replace, { onConflict: reapply });
    expect(seen[1]?.given).toEqual(seen[1]?.real);
    expect(gateway.seen.map(({ method }) => method)).toEqual(['GET', 'PUT', 'PUT']);
  });
});

test('the record is read again after a new address, because a 412 does not contain its id', async () => {
  const { id } = await createShipment(service.api);
  gateway.next();
  const seen: unknown[] = [];
  await client.shipments.update(id, async (given) => {
    if (seen.length === 0) await service.api.patch(`/v1/shipments/${id}`, '*', { pickupAddress: ADDRESS });
    seen.push(given);
    return { actualWeight: 7 };
  });
  expect(seen[1]).toMatchObject({ pickupAddress: { ...ADDRESS, id: expect.any(String) } });
  expect(gateway.seen.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);
});

test('an address that was removed and added again has its new id, without another read', async () => {
  const { id } = await createShipment(service.api, { pickupAddress: ADDRESS });
  gateway.next();
  const seen: { given: unknown; real: unknown }[] = [];
  await client.shipments.update(id, async (given) => {
    if (seen.length === 0) {
      await service.api.patch(`/v1/shipments/${id}`, '*', { pickupAddress: null });
      await service.api.patch(`/v1/shipments/${id}`, '*', { pickupAddress: ADDRESS });
    }
    seen.push({ given, real: await readNow(id) });
    return { actualWeight: 7 };
  });
  expect(seen[1]?.given).toEqual(seen[1]?.real);
  expect(gateway.seen.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'PATCH']);
});

describe('an address is never merged field by field into one that nobody wrote', () => {
  const APARTMENT = { ...ADDRESS, streetAddress2: 'Apt 5' };

  it.each<[string, object | null, object, object]>([
    [
      'others changed another field',
      APARTMENT,
      { streetAddress1: '9 Elm St', streetAddress2: null },
      { city: 'Austin' },
    ],
    ['both added it', null, { ...ADDRESS, streetAddress1: '9 Elm St' }, APARTMENT],
  ])('%s', async (_, before, theirs, mine) => {
    const shown = await client.shipments.create({ shipmentType: 'HHG', pickupAddress: before } as never);
    const { body } = await service.api.patch(`/v1/shipments/${shown.id}`, '*', { pickupAddress: theirs });
    await expect(client.shipments.update(shown, { pickupAddress: mine })).rejects.toMatchObject({
      name: 'ConflictError',
      theirs: { pickupAddress: body.pickupAddress },
    });
    const report = await client.shipments.updateMany([shown], { pickupAddress: mine });
    expect(report.refused.map(({ conflict }) => conflict?.theirs.pickupAddress)).toEqual([body.pickupAddress]);
    expect(await client.shipments.get(shown.id)).toEqual(body);
  });
});

test('a plain patch is written as it is, and merged like one that a function makes', async () => {
  const shown = await client.shipments.create({ shipmentType: 'HHG' });
  await service.api.patch(`/v1/shipments/${shown.id}`, '*', { customerRemarks: 'theirs' });
  const updated = await client.shipments.update(shown, { actualWeight: 7 });
  expect(updated).toMatchObject({ actualWeight: 7, customerRemarks: 'theirs' });
  await expect(client.shipments.update(shown, { customerRemarks: 'mine' })).rejects.toMatchObject({
    name: 'ConflictError',
    base: shown,
    mine: { customerRemarks: 'mine' },
    theirs: { customerRemarks: 'theirs', actualWeight: 7, eTag: updated.eTag },
  });
});
