import { WaybillClient } from '../../client/src/waybill.js';
import { expectProblem } from '../support/http/problem.js';
import { ADDRESS, createShipment, KINDS, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** An eTag is opaque: one that differs is stale, whatever it looks like. */
const NEVER_VERSIONS = [
  'stale',
  'abc123',
  'd41d8cd98f00b204e9800998ecf8427e',
  '0198c0de-0000-7000-8000-000000000000',
  'MjAyNi0wMS0wMVQwMDowMDowMFo=',
  'W/abc',
  '*stale',
  "it's",
  '{{eTag}}',
  'é',
];

const MISSING_VALUES = ['null', 'undefined', 'None', '"null"', '"undefined"'];
const EMPTY_VALUES = ['', '""'];
const MALFORMED = ['two words', '"open', 'half"', 'a,b', 'stale, "b"', 'tab\there'];

const WEBHOOK = { url: 'https://receiver.example/events', enabled: false };

const DETAILS: [string, RegExp][] = [
  ...NEVER_VERSIONS.map((tag): [string, RegExp] => [tag, /This record never had the version in If-Match/]),
  ...MISSING_VALUES.map((tag): [string, RegExp] => [tag, /variable without a value/]),
  ...EMPTY_VALUES.map((tag): [string, RegExp] => [tag, /If-Match is empty/]),
];

const service = useService();

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  /** The record whose version counts. */
  readonly record: string;
}

/** Every kind of conditional write, of new records. */
async function everyWrite(): Promise<Write[]> {
  const { api } = service;
  const kinds = KINDS.map(async ({ path, body, create }) => ({ record: `${path}/${(await create(api)).id}`, body }));
  const { body: webhook } = await api.post('/v1/webhooks', WEBHOOK);
  const records = [...(await Promise.all(kinds)), { record: `/v1/webhooks/${webhook.id}`, body: WEBHOOK }];
  const { id, destinationAddress } = await createShipment(api, { destinationAddress: ADDRESS });
  const shipment = `/v1/shipments/${id}`;
  const address = `/v1/mto-shipment/${id}/address/${destinationAddress.id}`;
  return [
    ...records.flatMap(({ record, body }) => [
      { method: 'PATCH', path: record, body, record },
      { method: 'PUT', path: record, body, record },
      { method: 'DELETE', path: record, record },
    ]),
    { method: 'PATCH', path: `/prime${shipment}/updateStatus`, body: { status: 'APPROVED' }, record: shipment },
    { method: 'PUT', path: address, body: ADDRESS, record: shipment },
    { method: 'POST', path: `/v1/webhooks/${webhook.id}/rotateSecret`, record: `/v1/webhooks/${webhook.id}` },
  ];
}

test.each(DETAILS)('412 for If-Match: %s on every conditional write, and nothing changes', async (ifMatch, detail) => {
  for (const { method, path, body, record } of await everyWrite()) {
    const before = await service.api.get(record);
    const answer = await service.api.send(method, path, body, { 'If-Match': ifMatch });
    const problem = expectProblem(answer, 412, 'PRECONDITION_FAILED');
    expect(problem).toMatchObject({ detail: expect.stringMatching(detail) as string, currentETag: before.body.eTag });
    expect(await service.api.get(record)).toMatchObject({ status: 200, body: before.body });
  }
});

test.each(MALFORMED)('400 for If-Match: %s on every conditional write', async (ifMatch) => {
  for (const { method, path, body } of await everyWrite()) {
    const answer = await service.api.send(method, path, body, { 'If-Match': ifMatch });
    expectProblem(answer, 400, 'INVALID_HEADER');
  }
});

test.each(DETAILS)('412 for an item of a bulk with ifMatch %j', async (ifMatch, detail) => {
  const items = await Promise.all(
    [{ op: 'update', patch: {} }, { op: 'updateStatus', status: 'APPROVED' }, { op: 'delete' }].map(async (item) => {
      return { ...item, id: (await createShipment(service.api)).id, ifMatch };
    }),
  );
  const { status, body } = await service.api.post('/v1/shipments/bulk', { atomic: false, items });
  expect(status).toBe(207);
  for (const { problem } of body.items) {
    expect(problem).toMatchObject({ status: 412, detail: expect.stringMatching(detail) as string });
  }
});

test('400 for an item of a bulk whose ifMatch could not be sent in a header', async () => {
  const { id } = await createShipment(service.api);
  const items = [{ op: 'delete', id, ifMatch: '\u4e00\n' }];
  const { body } = await service.api.post('/v1/shipments/bulk', { items });
  expect(body.items[0]).toMatchObject({ status: 400, problem: { code: 'INVALID_HEADER' } });
});

test.each(DETAILS)('412 for a read with If-Match: %s, which says why', async (ifMatch, detail) => {
  const { id, eTag } = await createShipment(service.api);
  const answer = await service.api.get(`/v1/shipments/${id}`, { 'If-Match': ifMatch });
  const problem = expectProblem(answer, 412, 'PRECONDITION_FAILED');
  expect(problem).toMatchObject({ currentETag: eTag, detail: expect.stringMatching(detail) as string });
});

test('If-None-Match takes the bare eTag: 304 for a read, 412 for a write, and nothing for another version', async () => {
  for (const kind of KINDS) {
    const { id, eTag } = await kind.create(service.api);
    const path = `${kind.path}/${id}`;
    expect((await service.api.get(path, { 'If-None-Match': eTag })).status).toBe(304);
    expect((await service.api.get(path, { 'If-None-Match': 'stale' })).status).toBe(200);
    const excluded = await service.api.patch(path, eTag, kind.body, { 'If-None-Match': eTag });
    expectProblem(excluded, 412, 'PRECONDITION_FAILED');
    expect((await service.api.patch(path, eTag, kind.body, { 'If-None-Match': 'stale' })).status).toBe(200);
  }
});

test('412 for a POST whose If-Match is any bare value', async () => {
  for (const kind of KINDS.slice(0, 2)) {
    const answer = await service.api.post(kind.path, kind.body, { 'If-Match': 'stale' });
    expectProblem(answer, 412, 'PRECONDITION_FAILED');
  }
});

test('404 for an unknown record, whatever If-Match says', async () => {
  for (const { path, body } of KINDS) {
    expectProblem(await service.api.patch(`${path}/${UNKNOWN_ID}`, 'stale', body), 404, 'NOT_FOUND');
  }
});

test('the client reports a version that the record never had, and overwrites nothing', async () => {
  const client = new WaybillClient({ baseUrl: service.url });
  const { id, eTag } = await createShipment(service.api);
  const patch = client.shipments.patch(id, { estimatedWeight: 1 }, { ifMatch: 'stale' });
  await expect(patch).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', problem: { currentETag: eTag } });
  const update = client.shipments.update(
    { ...(await client.shipments.get(id)), eTag: 'stale' },
    { estimatedWeight: 1 },
  );
  await expect(update).rejects.toMatchObject({ name: 'ConflictError', changes: [] });
  expect((await client.shipments.get(id)).eTag).toBe(eTag);
});
