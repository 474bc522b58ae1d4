import { ConflictError, reapply, WaybillClient, type Shipment } from '../../client/src/waybill.js';
import { Gateway } from '../support/http/gateway.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: service.url });
});
afterAll(() => gateway.stop());

/** Somebody else, who changes the record whatever version it has. */
async function meddle(id: string, change: object, path = '/v1/shipments'): Promise<void> {
  const { status } = await service.api.patch(`${path}/${id}`, '*', change);
  expect(status).toBe(200);
}

/** A change during which, the first times it is made, somebody else does something. */
function during<R, P>(change: (record: R) => P, ...others: (() => Promise<unknown>)[]) {
  return async (record: R) => {
    await others.shift()?.();
    return change(record);
  };
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a field that nobody else writes', () => {
  it('is changed although another one changed meanwhile, and both changes stay', async () => {
    const { id } = await createShipment(service.api);
    const change = during(
      () => ({ estimatedWeight: 7 }),
      () => meddle(id, { customerRemarks: 'theirs' }),
    );
    const updated = await client.shipments.update(id, change);
    expect(updated).toMatchObject({ estimatedWeight: 7, customerRemarks: 'theirs' });
    expect((await service.api.get(`/v1/shipments/${id}`)).body).toEqual(updated);
  });

  it('is computed anew from what the record has become', async () => {
    const { id } = await createShipment(service.api, { estimatedWeight: 10 });
    const change = during(
      ({ estimatedWeight }: Pick<Shipment, 'estimatedWeight'>) => ({ actualWeight: (estimatedWeight ?? 0) * 2 }),
      () => meddle(id, { estimatedWeight: 50 }),
    );
    expect(await client.shipments.update(id, change)).toMatchObject({ estimatedWeight: 50, actualWeight: 100 });
  });

  it('is no conflict when somebody else wrote the same value', async () => {
    const { id } = await createShipment(service.api);
    const change = during(
      () => ({ estimatedWeight: 7 }),
      () => meddle(id, { estimatedWeight: 7 }),
    );
    expect(await client.shipments.update(id, change)).toMatchObject({ estimatedWeight: 7 });
  });
});

describe('a field that somebody else changed', () => {
  it('is a ConflictError that holds all there is to know, and nothing is written', async () => {
    const { id } = await createShipment(service.api, { estimatedWeight: 1 });
    const change = during(
      () => ({ estimatedWeight: 7 }),
      () => meddle(id, { estimatedWeight: 9, customerRemarks: 'theirs' }),
    );
    const error = await rejection(client.shipments.update(id, change));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({
      code: 'PRECONDITION_FAILED',
      base: { estimatedWeight: 1 },
      mine: { estimatedWeight: 7 },
      theirs: { estimatedWeight: 9, customerRemarks: 'theirs' },
    });
    const by = { changedBy: 'anonymous', changedAt: expect.any(String) };
    expect((error as ConflictError<unknown, unknown>).changes).toEqual([
      { field: 'estimatedWeight', base: 1, yours: 7, current: 9, conflicting: true, ...by },
      { field: 'customerRemarks', base: null, current: 'theirs', conflicting: false, ...by },
    ]);
    expect((await service.api.get(`/v1/shipments/${id}`)).body).toMatchObject({ estimatedWeight: 9 });
  });

  it('gets what onConflict returns; undefined gives up', async () => {
    const { id } = await createShipment(service.api, { estimatedWeight: 1 });
    const heavier = during(
      () => ({ estimatedWeight: 7 }),
      () => meddle(id, { estimatedWeight: 9 }),
    );
    const onConflict = jest.fn(({ mine, theirs }) => ({
      estimatedWeight: Math.max(mine.estimatedWeight ?? 0, theirs.estimatedWeight ?? 0),
    }));
    expect(await client.shipments.update(id, heavier, { onConflict })).toMatchObject({ estimatedWeight: 9 });
    expect(onConflict).toHaveBeenCalledTimes(1);

    const other = during(
      () => ({ estimatedWeight: 7 }),
      () => meddle(id, { estimatedWeight: 10 }),
    );
    const givingUp = client.shipments.update(id, other, { onConflict: () => undefined });
    expect(await rejection(givingUp)).toBeInstanceOf(ConflictError);
  });

  it('keeps what onConflict decided when another field changes after that', async () => {
    const { id } = await createShipment(service.api);
    const change = during(
      () => ({ estimatedWeight: 7, actualWeight: 7 }),
      () => meddle(id, { estimatedWeight: 9 }),
    );
    const onConflict = async () => {
      await meddle(id, { customerRemarks: 'later' });
      return { actualWeight: 7 };
    };
    const updated = await client.shipments.update(id, change, { onConflict });
    expect(updated).toMatchObject({ estimatedWeight: 9, actualWeight: 7, customerRemarks: 'later' });
  });

  it('is asked about again when it changes again', async () => {
    const { id } = await createShipment(service.api);
    let next = 10;
    const onConflict = jest.fn(async () => {
      if (next < 13) await meddle(id, { estimatedWeight: (next += 1) });
      return { estimatedWeight: 7 };
    });
    const change = during(
      () => ({ estimatedWeight: 7 }),
      () => meddle(id, { estimatedWeight: next }),
    );
    expect(await client.shipments.update(id, change, { onConflict })).toMatchObject({ estimatedWeight: 7 });
    expect(onConflict).toHaveBeenCalledTimes(4);
  });

  it('is added to with reapply', async () => {
    const { id } = await createShipment(service.api, { customerRemarks: 'a' });
    const change = during(
      ({ customerRemarks }: Pick<Shipment, 'customerRemarks'>) => ({ customerRemarks: `${customerRemarks ?? ''}c` }),
      () => meddle(id, { customerRemarks: 'ab' }),
    );
    const updated = await client.shipments.update(id, change, { onConflict: reapply });
    expect(updated).toMatchObject({ customerRemarks: 'abc' });
  });

  it('is given up after the attempts that were allowed', async () => {
    const { id } = await createShipment(service.api);
    let weight = 10;
    let made = 0;
    const alwaysLate = async () => {
      made += 1;
      await meddle(id, { estimatedWeight: (weight += 1) });
      return { estimatedWeight: 7 };
    };
    const updating = client.shipments.update(id, alwaysLate, { onConflict: reapply, attempts: 3 });
    expect(await rejection(updating)).toBeInstanceOf(ConflictError);
    expect(made).toBe(3);
  });

  it('is noticed if it changes while the record is read again, because the 412 lacks details', async () => {
    const { id } = await createShipment(service.api);
    // A new address has an id, which no change tells.
    const change = during(
      () => ({ estimatedWeight: 7 }),
      () => meddle(id, { pickupAddress: ADDRESS }),
    );
    const { shipments } = new WaybillClient({ baseUrl: service.url });
    const get = shipments.get.bind(shipments);
    const reading = jest.spyOn(shipments, 'get').mockImplementation(async (...args) => {
      if (reading.mock.calls.length === 2) await meddle(id, { estimatedWeight: 9 });
      return get(...args);
    });
    expect(await rejection(shipments.update(id, change))).toBeInstanceOf(ConflictError);
  });

  it('is taken for granted when the service no longer knows the version', async () => {
    const shipment = await client.shipments.create({ shipmentType: 'HHG' });
    const { body } = await service.api.patch(`/v1/shipments/${shipment.id}`, '0'.repeat(64), {});
    expect(body.changes).toBeUndefined();
    gateway.next({ status: 412, headers: { 'Content-Type': 'application/problem+json' }, body: JSON.stringify(body) });
    const { shipments } = new WaybillClient({ baseUrl: gateway.url });
    const error = await rejection(shipments.update(shipment, () => ({ estimatedWeight: 7 })));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ theirs: shipment, changes: [] });
  });
});

describe('the same holds for', () => {
  it('moves', async () => {
    const { id } = await client.moves.create({});
    const change = during(
      () => ({ remarks: 'mine' }),
      () => meddle(id, { orderID: 'theirs' }, '/v1/moves'),
    );
    expect(await client.moves.update(id, change)).toMatchObject({ remarks: 'mine', orderID: 'theirs' });
  });

  it('agents and services', async () => {
    const { id } = await createShipment(service.api);
    const agent = await client.agents.create(id, { agentType: 'RELEASING_AGENT', firstName: 'Ada', phone: '1' });
    const renamed = during(
      () => ({ lastName: 'L' }),
      () => meddle(agent.id, { phone: '2' }, '/v1/agents'),
    );
    expect(await client.agents.update(agent.id, renamed)).toMatchObject({ lastName: 'L', phone: '2' });
    const packing = await client.services.create(id, { code: 'PACK' });
    const described = during(
      () => ({ description: 'mine' }),
      () => meddle(packing.id, { description: 'theirs' }, '/v1/services'),
    );
    expect(await rejection(client.services.update(packing.id, described))).toBeInstanceOf(ConflictError);
  });

  it('addresses, which are replaced', async () => {
    const { id, destinationAddress } = await client.shipments.create({
      shipmentType: 'X',
      destinationAddress: ADDRESS,
    });
    const key = { shipmentID: id, addressID: destinationAddress?.id ?? '' };
    const change = during(
      (address: typeof ADDRESS) => ({ ...address, city: 'Mine' }),
      () => meddle(id, { customerRemarks: 'theirs' }),
    );
    expect(await client.addresses.update(key, change)).toMatchObject({ ...ADDRESS, city: 'Mine' });
    // A replacement writes every field, so that somebody else changed any of them is a conflict.
    const moved = during(
      (address: typeof ADDRESS) => ({ ...address, city: 'Again' }),
      () => meddle(id, { destinationAddress: { postalCode: '1' } }),
    );
    const updated = await client.addresses.update(key, moved, { onConflict: reapply });
    expect(updated).toMatchObject({ city: 'Again', postalCode: '1' });
  });

  it('the status', async () => {
    const { id } = await createShipment(service.api);
    const change = during(
      () => ({ status: 'APPROVED' as const }),
      () => meddle(id, { customerRemarks: 'theirs' }),
    );
    const updated = await client.shipments.updateStatus(id, change);
    expect(updated).toMatchObject({ status: 'APPROVED', customerRemarks: 'theirs' });
  });
});
