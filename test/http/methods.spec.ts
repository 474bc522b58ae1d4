import { expectProblem } from '../support/http/problem.js';
import {
  ADDRESS,
  createAgent,
  createMove,
  createService,
  createShipment,
  UNKNOWN_ID,
} from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const ITEM = 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT';
const COLLECTION = 'GET, HEAD, OPTIONS, POST';
const MERGE_PATCH = 'application/merge-patch+json, application/json';

const PATHS = [
  ['/v1/moves', COLLECTION],
  [`/v1/moves/${UNKNOWN_ID}`, ITEM],
  ['/v1/moves/ABC234', ITEM],
  ['/v1/shipments', COLLECTION],
  ['/prime/v1/shipments', 'OPTIONS, POST'],
  [`/v1/shipments/${UNKNOWN_ID}`, ITEM],
  [`/prime/v1/shipments/${UNKNOWN_ID}/updateStatus`, 'OPTIONS, PATCH'],
  [`/v1/mto-shipment/${UNKNOWN_ID}/address/${UNKNOWN_ID}`, 'GET, HEAD, OPTIONS, PUT'],
  [`/v1/shipments/${UNKNOWN_ID}/agents`, COLLECTION],
  [`/v1/agents/${UNKNOWN_ID}`, ITEM],
  [`/v1/shipments/${UNKNOWN_ID}/services`, COLLECTION],
  [`/v1/services/${UNKNOWN_ID}`, ITEM],
] as const;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];

describe.each(PATHS)('%s', (path, allow) => {
  const methods = allow.split(', ');
  const acceptPatch = methods.includes('PATCH') ? MERGE_PATCH : null;

  test(`204 on OPTIONS with Allow: ${allow}`, async () => {
    for (const at of [path, `${path}/`, `${path}?limit=5`]) {
      const { status, headers, body } = await service.api.send('OPTIONS', at);
      expect({ status, body }).toEqual({ status: 204, body: undefined });
      expect([headers.get('Allow'), headers.get('Accept-Patch')]).toEqual([allow, acceptPatch]);
      expect(headers.get('X-Request-ID')).toMatch(/./);
    }
  });

  test.each(METHODS.filter((method) => !methods.includes(method)))('405 on %s', async (method) => {
    const answer = await service.api.send(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe(allow);
    if (method !== 'HEAD') expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
  });

  test.each(METHODS.filter((method) => methods.includes(method)))('no 405 on %s', async (method) => {
    expect((await service.api.send(method, path)).status).not.toBe(405);
  });
});

async function readablePaths(): Promise<string[]> {
  const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
  const { moveCode } = await createMove(service.api);
  return [
    '/v1/moves',
    `/v1/moves/${shipment.moveID}`,
    `/v1/moves/${moveCode}`,
    '/v1/shipments',
    `/v1/shipments/${shipment.id}`,
    `/v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`,
    `/v1/shipments/${shipment.id}/agents`,
    `/v1/agents/${(await createAgent(service.api, {}, shipment)).id}`,
    `/v1/shipments/${shipment.id}/services`,
    `/v1/services/${(await createService(service.api, {}, shipment)).id}`,
  ];
}

test('HEAD answers like GET, without the body', async () => {
  for (const path of await readablePaths()) {
    const [get, head] = [await service.api.get(path), await service.api.send('HEAD', path)];
    expect(head.status).toBe(200);
    expect(head.body).toBeUndefined();
    for (const name of ['Content-Type', 'Content-Length', 'ETag', 'Cache-Control', 'Link']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  }
});

test('a trailing slash is accepted', async () => {
  for (const path of await readablePaths()) {
    const [without, withSlash] = [await service.api.get(path), await service.api.get(`${path}/`)];
    expect(withSlash.status).toBe(200);
    expect(withSlash.body).toEqual(without.body);
  }
  const created = await service.api.post('/prime/v1/shipments/', { shipmentType: 'HHG' });
  expect(created.status).toBe(201);
  const path = `/prime/v1/shipments/${created.body.id}/updateStatus/`;
  expect((await service.api.patch(path, created.body.eTag, { status: 'APPROVED' })).status).toBe(200);
});

test.each([
  '/v1',
  '/v2/moves',
  '/moves',
  '/V1/moves',
  '/v1/Moves',
  '/v1/SHIPMENTS',
  '/PRIME/v1/shipments',
  '/prime/v1/moves',
  `/prime/v1/shipments/${UNKNOWN_ID}`,
  '/v1//moves',
  '//v1/moves',
  '/v1/mto-shipment',
  `/v1/mto-shipments/${UNKNOWN_ID}/address/${UNKNOWN_ID}`,
  `/v1/MTO-shipment/${UNKNOWN_ID}/address/${UNKNOWN_ID}`,
  `/v1/moves/${UNKNOWN_ID}/shipments`,
  `/v1/moves/${UNKNOWN_ID}/shipments/${UNKNOWN_ID}/agents`,
  `/v1/shipments/${UNKNOWN_ID}/agents/${UNKNOWN_ID}`,
  '/v1/agents',
  '/v1/services',
])('404 for every method on %s', async (path) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    expectProblem(await service.api.send(method, path), 404, 'NOT_FOUND');
  }
});
