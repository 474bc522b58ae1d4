import { WaybillClient } from '../../client/src/waybill.js';
import { countQueries } from '../support/database/queries.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ PUBLIC_URL: 'https://waybill.example/base' });
const COUNT = 7;
let client: WaybillClient;
let ids: string[];

beforeAll(async () => {
  client = new WaybillClient({ baseUrl: service.url });
  const { id: moveID } = await client.moves.create({});
  const all = [];
  for (let n = 0; n < COUNT; n += 1) {
    all.push(await createShipment(service.api, { moveID, shipmentType: n % 2 ? 'ODD' : 'EVEN' }));
  }
  ids = all.map(({ id }) => String(id)).reverse();
});

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const found = [];
  for await (const { id } of list) found.push(id);
  return found;
}

test.each([1, 3, 7, 50])('all records come, newest first, however many a page has: %i', async (limit) => {
  expect(await idsOf(client.shipments.list({ limit }))).toEqual(ids);
});

test('no page is asked for before it is needed', async () => {
  for await (const { id } of client.shipments.list({ limit: 1 })) {
    // With the next page the walk would end in a 404 instead.
    expect(id).toBe(ids[0]);
    break;
  }
});

test('single pages, each leading to the next', async () => {
  const list = client.shipments.list({ limit: 4 });
  const first = await list.page();
  const second = await list.page(first.next);
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  expect([first.items.length, second.next]).toEqual([4, undefined]);
});

test('the number of records on all pages, with the first page, if it is requested', async () => {
  const list = client.shipments.list({ limit: 4, count: true });
  const first = await list.page();
  expect(first.count).toEqual({ count: COUNT, more: false });
  expect((await list.page(first.next)).count).toBeUndefined();
  expect((await client.shipments.list().page()).count).toBeUndefined();
  expect((await client.moves.list({ count: true }).page()).count).toEqual({ count: 1, more: false });
  expect(await idsOf(client.shipments.list({ limit: 2, count: true }))).toEqual(ids);
});

test('filters, also those with several values', async () => {
  expect(await idsOf(client.shipments.list({ shipmentType: 'ODD' }))).toHaveLength(3);
  const [id = ''] = ids;
  await client.shipments.updateStatus(id, () => ({ status: 'APPROVED' }));
  expect(await idsOf(client.shipments.list({ status: ['APPROVED'] }))).toEqual([id]);
  expect(await idsOf(client.shipments.list({ status: ['APPROVED', 'SUBMITTED'], limit: 2 }))).toEqual(ids);
});

test('another order, also over several pages', async () => {
  expect(await idsOf(client.shipments.list({ sort: 'createdAt', limit: 3 }))).toEqual(ids.toReversed());
  expect(await idsOf(client.shipments.list({ sort: 'deliveryDate', limit: 3 }))).toEqual(ids.toReversed());
});

test('related records with expand, several at once', async () => {
  const { items } = await client.shipments.list({ expand: ['agents', 'move'], limit: 1 }).page();
  expect(items[0]).toMatchObject({ agents: [], move: { id: items[0]?.moveID } });
  const [move] = (await client.moves.list({ expand: ['shipments'] }).page()).items;
  expect(move?.shipments).toHaveLength(COUNT);
});

test('history and the parts of a shipment are lists too', async () => {
  const [id = ''] = ids;
  await client.services.create(id, { code: 'A' });
  await client.services.create(id, { code: 'B' });
  expect(await idsOf(client.services.list(id, { limit: 1 }))).toHaveLength(2);
  const types = [];
  for await (const { type } of client.shipments.history(id, { limit: 1 })) types.push(type);
  expect(types).toEqual(['created', 'created', 'statusChanged', 'created']);
});

test('all expanded records come, also those that did not fit inside', async () => {
  const { id: moveID } = await client.moves.create({});
  await service.sql.query(
    `INSERT INTO shipments (id, move_id, shipment_type, status)
     SELECT uuidv7(), $1, 'MANY', 'SUBMITTED' FROM generate_series(1, 405)`,
    [moveID],
  );
  const move = await client.moves.get(moveID, { expand: ['shipments'] });
  expect([move.shipments.length, typeof move.shipmentsNext]).toEqual([200, 'string']);
  const all = await idsOf(client.moves.all(move, 'shipments'));
  expect(all).toHaveLength(405);
  expect(all).toEqual(await idsOf(client.shipments.list({ moveID })));
});

test('all expanded records come without another request when they are inside', async () => {
  const shipment = await client.shipments.create({ shipmentType: 'FEW' });
  const codes = ['PACK', 'LOAD'];
  for (const code of codes) await client.services.create(shipment.id, { code });
  const expanded = await client.shipments.get(shipment.id, { expand: ['services', 'move'] });
  const queries = await countQueries(async () => {
    const found = [];
    for await (const { code } of client.shipments.all(expanded, 'services')) found.push(code);
    expect(found).toEqual(codes.reverse());
  });
  expect([queries, expanded.servicesNext]).toEqual([0, null]);
});

test('the last page since a moment has the moment of the next poll, which finds what was written later', async () => {
  const list = client.shipments.list({ updatedSince: '2020-01-01T00:00:00Z', limit: 4 });
  let page = await list.page();
  while (page.next !== undefined) {
    expect(page.monitor).toBeUndefined();
    page = await list.page(page.next);
  }
  const { id, eTag } = await createShipment(service.api);
  // It repeats what changed since the oldest transaction of the server began, which may be more than a page.
  const found = [];
  for await (const item of client.shipments.list({ updatedSince: page.monitor ?? '' }))
    found.push([item.id, item.eTag]);
  expect(found).toContainEqual([id, eTag]);
});
