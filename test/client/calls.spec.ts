import { readFileSync } from 'node:fs';
import { WaybillClient, type NewService } from '../../client/src/waybill.js';
import { Gateway } from '../support/http/gateway.js';
import { ADDRESS, CHILDREN } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: `${gateway.url}/` });
});
afterAll(() => gateway.stop());

/** Operations that are for people and probes, or another spelling of one that is called. */
const NOT_CALLED = new Set([
  'checkLiveness',
  'checkReadiness',
  'readWelcome',
  'readDocument',
  'listProblems',
  'readProblem',
  'createPrefixedShipment',
]);

/** The operations of the document that the requests were for. */
function operationsOf(requests: readonly { method: string; path: string }[]): { called: string[]; wanted: string[] } {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const operations = Object.entries<Record<string, { operationId?: string }>>(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { operationId = '' }]) => ({ template, method, operationId })),
  );
  const known = operations.filter(({ method }) => /^(get|post|patch|put|delete)$/.test(method));
  const called = known.filter(({ template, method }) => {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`);
    return requests.some((request) => request.method.toLowerCase() === method && pattern.test(request.path));
  });
  const names = (list: typeof known) => list.map(({ operationId }) => operationId).sort();
  return { called: names(called), wanted: names(known.filter(({ operationId }) => !NOT_CALLED.has(operationId))) };
}

test('every operation of the document has its call, and each call does what it says', async () => {
  gateway.next();
  const { moves, shipments, agents, services, addresses, imports, events, webhooks, keys, deletions } = client;

  const move = await moves.create({ orderID: 'A-1' });
  expect(await moves.get(move.id)).toEqual(move);
  expect(await moves.get(move.moveCode)).toEqual(move);
  const patched = await moves.patch(move.id, { remarks: 'x' }, { ifMatch: move.eTag });
  expect(patched).toMatchObject({ orderID: 'A-1', remarks: 'x' });
  const replaced = await moves.replace(move.id, { remarks: 'y' }, { ifMatch: patched.eTag });
  expect(replaced).toMatchObject({ orderID: null, remarks: 'y' });
  expect(await moves.get(move.id, { version: move.eTag })).toMatchObject({ orderID: 'A-1', remarks: null });
  expect((await moves.history(move.id).page()).items).toHaveLength(3);
  expect((await moves.list().page()).items).toEqual([replaced]);

  const created = await shipments.create({ shipmentType: 'HHG', moveID: move.id, destinationAddress: ADDRESS });
  expect(await shipments.get(created.shipmentCode)).toEqual(created);
  expect((await shipments.list({ q: created.shipmentCode }).page()).items).toEqual([created]);
  expect((await client.overview({ from: '2026-01-01', to: '2026-01-02' })).days).toHaveLength(2);
  const agent = await agents.create(created.id, { agentType: 'RECEIVING_AGENT', firstName: 'Ada', phone: '1' });
  const packing = await services.create(created.id, { code: 'PACK' });
  const expanded = await shipments.get(created.id, { expand: ['agents', 'services', 'move'] });
  expect(expanded).toEqual({
    ...created,
    ...{ agents: [agent], agentsNext: null, services: [packing], servicesNext: null, move: replaced },
  });
  expect((await moves.get(move.id, { expand: ['shipments'] })).shipments).toEqual([created]);
  const heavy = await shipments.patch(created.id, { actualWeight: 9 }, { ifMatch: created.eTag, expand: ['agents'] });
  expect(heavy).toMatchObject({ actualWeight: 9, agents: [agent] });
  const light = await shipments.replace(
    created.id,
    { shipmentType: 'X', destinationAddress: ADDRESS },
    { ifMatch: heavy.eTag },
  );
  const approved = await shipments.patchStatus(created.id, { status: 'APPROVED' }, { ifMatch: light.eTag });
  expect(approved).toMatchObject({ shipmentType: 'X', actualWeight: null, status: 'APPROVED' });
  expect(await shipments.get(created.id, { version: heavy.eTag })).toMatchObject({ actualWeight: 9 });
  expect((await shipments.history(created.id, { limit: 1 }).page()).items).toMatchObject([{ type: 'statusChanged' }]);

  const key = { shipmentID: created.id, addressID: approved.destinationAddress?.id ?? '' };
  const address = await addresses.get(key);
  expect(address).toEqual(approved.destinationAddress);
  expect(await addresses.replace(key, { ...ADDRESS, city: 'B' }, { ifMatch: address.eTag })).toMatchObject({
    city: 'B',
  });

  const [first] = (await events.list({ limit: 1, wait: 30 }).page()).items;
  expect(first).toMatchObject({ type: 'move.created', subject: `moves/${move.id}` });
  for await (const event of events.follow()) {
    expect(event).toEqual(first);
    break;
  }

  const [bulked] = await shipments.bulk([{ op: 'create', values: { shipmentType: 'UB' } }]);
  expect(bulked).toMatchObject({ status: 201, shipment: { shipmentType: 'UB' } });
  const removed = await shipments.bulk([{ op: 'delete', id: bulked?.shipment?.id ?? '' }], { atomic: false });
  expect(removed).toEqual([{ status: 204 }]);

  const { ambiguousCells, firstFaults, firstChanges, ...file } = await imports.upload(
    'shipmentType,customerRemarks\r\n,x\r\n',
    { fileName: 'Umzüge & mehr.csv' },
  );
  expect(file).toMatchObject({ fileName: 'Umzüge & mehr.csv' });
  expect(firstFaults).toMatchObject([{ line: 2, column: 'shipmentType', code: 'REQUIRED' }]);
  expect(firstChanges).toEqual([]);
  expect(ambiguousCells).toEqual([]);
  expect(await imports.get(file.id)).toEqual(file);
  expect((await imports.list().page()).items).toEqual([file]);
  expect((await imports.rows(file.id).page()).items).toMatchObject([{ line: 2, outcome: 'refused' }]);
  await imports.apply(file.id);
  expect(await imports.wait(file.id)).toMatchObject({ state: 'applied', refused: 1 });
  expect(await new Response(await imports.result(file.id)).text()).toContain('customerRemarks,error');

  const other = await shipments.create({ shipmentType: 'NTS', customerRemarks: 'before' });
  await shipments.patch(other.id, { customerRemarks: 'theirs' }, { ifMatch: other.eTag });
  const refused = await imports.upload(`id,eTag,customerRemarks\r\n${other.id},${other.eTag},mine\r\n`);
  expect(await imports.settle(refused.id, 2)).toMatchObject({ refused: 0, changed: 1 });

  for (const { name, body, full, optional } of CHILDREN) {
    // Those of all kinds have the same methods.
    const children = client[`${name}s` as 'services'];
    const one = await children.create(other.id, full as unknown as NewService);
    expect((await children.list(other.id).page()).items).toEqual([one]);
    expect(await children.get(one.id)).toEqual(one);
    const changed = await children.patch(one.id, { [optional]: 'other' }, { ifMatch: one.eTag });
    expect(changed).toMatchObject({ ...full, [optional]: 'other' });
    const whole = await children.replace(one.id, body as unknown as NewService, { ifMatch: changed.eTag });
    expect(whole).toMatchObject({ ...body, [optional]: null });
    await children.delete(one.id);
    const [deletion] = (await deletions.list({ resourceID: one.id }).page()).items;
    expect(deletion).toMatchObject({ resource: name, shipmentID: other.id, values: { ...body, [optional]: null } });
    expect(await children.undelete(one.id, deletion?.deletionETag ?? '')).toMatchObject({ id: one.id, ...body });
    await children.delete(one.id);
  }
  await shipments.delete(other.id);

  expect((await shipments.list().page()).items).toHaveLength(1);
  await expect(shipments.delete(created.id, { ifMatch: created.eTag })).rejects.toMatchObject({ status: 412 });
  await shipments.delete(created.id);
  await moves.delete(move.id);
  const [ofMove, ofShipment] = (await deletions.list({ moveID: move.id, resource: ['move', 'shipment'] }).page()).items;
  expect(await moves.undelete(move.id, ofMove?.deletionETag ?? '')).toMatchObject({ moveCode: move.moveCode });
  const restored = await shipments.undelete(created.id, ofShipment?.deletionETag ?? '');
  expect(restored).toMatchObject({ shipmentCode: created.shipmentCode, status: 'APPROVED' });
  await expect(shipments.undelete(created.id, ofShipment?.deletionETag ?? '')).rejects.toMatchObject({
    problem: { code: 'NOT_DELETED', currentETag: restored.eTag },
  });

  const { secret, ...webhook } = await webhooks.create({ url: 'https://partner.example/hook' });
  expect(secret).toMatch(/^whsec_/);
  expect(await webhooks.get(webhook.id)).toEqual(webhook);
  expect((await webhooks.list().page()).items).toEqual([webhook]);
  const described = await webhooks.patch(webhook.id, { description: 'x' }, { ifMatch: webhook.eTag });
  const whole = await webhooks.replace(webhook.id, { url: webhook.url }, { ifMatch: described.eTag });
  expect([described.description, whole.description]).toEqual(['x', null]);
  expect((await webhooks.rotateSecret(webhook.id)).secret).not.toBe(secret);
  const ping = await webhooks.ping(webhook.id);
  expect(await webhooks.delivery(webhook.id, ping.id)).toMatchObject({ type: 'webhook.ping', state: 'pending' });
  expect((await webhooks.deliveries(webhook.id).page()).items).toMatchObject([{ id: ping.id }]);
  expect(await webhooks.redeliver(webhook.id, ping.id)).toMatchObject({ id: ping.id });
  expect(await webhooks.replay(webhook.id, { after: null, until: null })).toMatchObject({
    deliveries: expect.any(Number),
  });
  await webhooks.delete(webhook.id);
  expect((await webhooks.history(webhook.id).page()).items.map(({ type }) => type)).toEqual([
    ...['deleted', 'updated', 'updated', 'updated', 'created'],
  ]);

  const { key: text, notice, ...record } = await keys.create({ name: 'Carrier', scopes: ['shipments:read'] });
  expect([text, notice]).toEqual([expect.stringMatching(/^wb_/), expect.stringContaining('Store it now')]);
  expect(await keys.get(record.id)).toEqual(record);
  expect((await keys.list().page()).items).toEqual([record]);
  const renamed = await keys.patch(record.id, { name: 'Other' }, { ifMatch: record.eTag });
  const again = await keys.replace(record.id, { name: 'X', scopes: ['moves:read'] }, { ifMatch: renamed.eTag });
  expect([renamed.name, again.scopes]).toEqual(['Other', ['moves:read']]);
  expect((await keys.rotateKey(record.id)).key).not.toBe(text);
  await keys.delete(record.id);
  expect((await keys.history(record.id).page()).items).toHaveLength(5);

  const { called, wanted } = operationsOf(gateway.seen);
  expect(called).toEqual(wanted);
});

test('the path of the status has the prefix that the service is configured with', async () => {
  gateway.next({ status: 404 });
  const prefixed = new WaybillClient({ baseUrl: gateway.url, prefix: 'other' });
  await expect(prefixed.shipments.patchStatus('1', { status: 'APPROVED' }, { ifMatch: 'x' })).rejects.toThrow();
  expect(gateway.seen[0]?.path).toBe('/other/v1/shipments/1/updateStatus');
});
