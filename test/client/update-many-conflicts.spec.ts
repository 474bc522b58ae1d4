import { WaybillClient, type Shipment } from '../../client/src/waybill.js';
import { Gateway } from '../support/http/gateway.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '4' });
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: gateway.url, retries: 0 });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.next());

const create = () => client.shipments.create({ shipmentType: 'HHG' });
const elsewhere = (shipment: Shipment | undefined, patch: object) =>
  service.api.patch(`/v1/shipments/${shipment?.id}`, '*', patch);
const bulksSent = () => gateway.seen.filter(({ path }) => path.endsWith('/bulk')).length;

test('a field of the filter that changed is a conflict', async () => {
  const shipment = await client.shipments.create({ shipmentType: 'HHG', deliveryDate: '2026-05-01' });
  const { moveID } = shipment;
  const filter = { moveID, deliveryDateFrom: '2026-05-01', deliveryDateTo: '2026-05-31' };
  let isFirst = true;
  const change = async () => {
    if (isFirst) await elsewhere(shipment, { deliveryDate: '2026-07-01' });
    isFirst = false;
    return { actualWeight: 7 };
  };
  const report = await client.shipments.updateMany(filter, change);
  expect(report).toMatchObject({
    updated: [],
    refused: [{ id: shipment.id, error: { status: 412 }, conflict: { theirs: { deliveryDate: '2026-07-01' } } }],
  });
  expect((await client.shipments.get(shipment.id)).actualWeight).toBeNull();
  isFirst = true;
  await elsewhere(shipment, { deliveryDate: '2026-05-02' });
  const decided = await client.shipments.updateMany(filter, change, { onConflict: ({ mine }) => mine });
  expect(decided.updated).toMatchObject([{ id: shipment.id, actualWeight: 7 }]);
});

test('a shipment for which the change function returns undefined is left as it is', async () => {
  const [one, other] = [await create(), await create()];
  const report = await client.shipments.updateMany([one, other], ({ id }) => {
    return id === one.id ? undefined : { actualWeight: 7 };
  });
  expect(report).toMatchObject({ updated: [{ id: other.id }], refused: [], unknown: [], left: [one.id] });
  expect(await client.shipments.get(one.id)).toEqual(one);
});

test('a repeated call gets a stored 412, and reports what the first call has written', async () => {
  const shipments = [await create(), await create()];
  await elsewhere(shipments[0], { customerRemarks: 'theirs' });
  const options = { idempotencyKey: `many-${shipments[0]?.id}` };
  const first = await client.shipments.updateMany(shipments, { actualWeight: 7 }, options);
  expect(first.updated).toHaveLength(2);
  gateway.next();
  const again = await client.shipments.updateMany(shipments, { actualWeight: 7 }, options);
  expect(again).toEqual(first);
  expect(bulksSent()).toBe(2);
});

test('a read that fails does not take the report of the others along', async () => {
  const shipments = [await create(), await create()];
  const ADDRESS = { streetAddress1: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };
  // An address that others added makes the client read the record.
  await elsewhere(shipments[0], { pickupAddress: ADDRESS });
  const isRead = (url: string, init: RequestInit) => init.method === 'GET' && url.includes(shipments[0]?.id ?? '');
  const failing = new WaybillClient({
    baseUrl: gateway.url,
    retries: 0,
    fetch: (url, init) => (isRead(url, init) ? Promise.resolve(new Response('', { status: 520 })) : fetch(url, init)),
  });
  const report = await failing.shipments.updateMany(shipments, { actualWeight: 7 });
  expect(report.updated).toMatchObject([{ id: shipments[1]?.id }]);
  expect(report.refused).toMatchObject([{ id: shipments[0]?.id, error: { code: 'PRECONDITION_FAILED' } }]);
});
