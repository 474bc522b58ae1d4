import { ADDRESS, createAgent, createMove, createService, createShipment } from '../support/records/records.js';
import { BODIES } from './bodies.js';
import { ENDPOINTS } from './places.js';
import {
  BAD_KEYS,
  BAD_QUERIES,
  BAD_TAGS,
  BROKEN_ENCODINGS,
  BROKEN_NAMES,
  BROKEN_QUERIES,
  FOREIGN_TAGS,
  UNKNOWN_NAMES,
} from './requests.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useHostileService } from './suite.js';

const hostile = useHostileService();
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Every path with an id in it, and the methods it takes. */
const ITEMS: [path: string, methods: string[]][] = [
  ['/v1/moves/{id}', ['GET', 'PATCH', 'PUT', 'DELETE']],
  ['/v1/moves/{id}/history', ['GET']],
  ['/v1/shipments/{id}', ['GET', 'PATCH', 'PUT', 'DELETE']],
  ['/v1/shipments/{id}/history', ['GET']],
  ['/v1/shipments/{id}/agents', ['GET', 'POST']],
  ['/v1/shipments/{id}/services', ['GET', 'POST']],
  ['/v1/agents/{id}', ['GET', 'PATCH', 'PUT', 'DELETE']],
  ['/v1/services/{id}', ['GET', 'PATCH', 'PUT', 'DELETE']],
  ['/v1/mto-shipment/{id}/address/01900000-0000-7000-8000-000000000000', ['GET', 'PUT']],
  ['/v1/mto-shipment/01900000-0000-7000-8000-000000000000/address/{id}', ['GET', 'PUT']],
  ['/prime/v1/shipments/{id}/updateStatus', ['PATCH']],
];

test.each(ENDPOINTS)('4xx for every unreadable body of $name, and nothing is stored', async (endpoint) => {
  const { method, prepare } = endpoint;
  const { path, eTag } = await prepare(hostile.api);
  const common = { ...JSON_TYPE, ...(eTag !== undefined && { 'If-Match': eTag }) };
  const bodies = shareOf(BODIES, ENDPOINTS.indexOf(endpoint), ENDPOINTS.length);
  const cases = bodies.map(({ headers, ...rest }) => ({ ...rest, method, path, headers: { ...common, ...headers } }));
  expect(await hostile.refusedAll(cases)).toEqual([]);
});

test.each(ENDPOINTS)('400 for every malformed header of $name, and nothing is stored', async (endpoint) => {
  const { method, prepare } = endpoint;
  const { path, eTag, body } = await prepare(hostile.api);
  const sent = { method, path, body: JSON.stringify(body), refusal: { status: 400, code: 'INVALID_HEADER' } };
  const ifMatch = eTag === undefined ? undefined : { 'If-Match': eTag };
  const headers = [
    ...BAD_KEYS.map((key) => ({ 'Idempotency-Key': key, ...ifMatch })),
    ...(ifMatch ? BAD_TAGS.map((tag) => ({ 'If-Match': tag })) : []),
    ...(ifMatch ? BAD_TAGS.map((tag) => ({ ...ifMatch, 'If-None-Match': tag })) : []),
  ];
  const tried = shareOf(headers, ENDPOINTS.indexOf(endpoint), 10);
  const cases = tried.map((bad) => ({ ...sent, name: JSON.stringify(bad), headers: { ...JSON_TYPE, ...bad } }));
  expect(await hostile.refusedAll(cases)).toEqual([]);
});

test.each(ENDPOINTS.filter(({ method }) => method !== 'POST'))(
  '412 for every bare eTag of another system by $name, and nothing is stored',
  async (endpoint) => {
    const { method, prepare } = endpoint;
    const { path, body } = await prepare(hostile.api);
    const refusal = { status: 412, code: 'PRECONDITION_FAILED' };
    const cases = FOREIGN_TAGS.map((tag) => ({
      name: tag,
      method,
      path,
      body: JSON.stringify(body),
      headers: { ...JSON_TYPE, 'If-Match': tag },
      refusal,
    }));
    expect(await hostile.refusedAll(cases)).toEqual([]);
  },
);

test.each(ITEMS)('404 or 400 for every name in %s that is nobody’s', async (path, methods) => {
  const item = ITEMS.findIndex(([each]) => each === path);
  const cases = methods.flatMap((method, place) =>
    shareOf([...UNKNOWN_NAMES, ...BROKEN_NAMES], item + place, 8).map((name) => ({
      name: `${method} ${name.slice(0, 50)}`,
      method,
      path: path.replace('{id}', name),
      ...(method.startsWith('P') && { body: '{}', headers: { ...JSON_TYPE, 'If-Match': '*' } }),
      refusal: BROKEN_NAMES.includes(name)
        ? { status: 400, code: 'INVALID_PARAMETER' }
        : { status: 404, code: 'NOT_FOUND' },
    })),
  );
  expect(await hostile.refusedAll(cases)).toEqual([]);
});

/** The share of one list of the bad values that several lists have in common. */
function sharedAmongLists(bad: readonly string[], parameters: Readonly<Record<string, readonly string[]>>) {
  const lists = Object.values(BAD_QUERIES).filter((each) => Object.values(each).includes(bad));
  return shareOf(bad, lists.indexOf(parameters), lists.length);
}

describe.each(Object.entries(BAD_QUERIES))('%s', (template, parameters) => {
  test('400 for every bad value of a parameter and every broken query', async () => {
    const path = await pathOf(template);
    const values = Object.entries(parameters).flatMap(([name, bad]) =>
      sharedAmongLists(bad, parameters).map((value) => ({
        name: `${name}=${value}`.slice(0, 80),
        method: 'GET',
        path: `${path}?${name}=${encodeURIComponent(value)}`,
        refusal: { status: 400, code: 'INVALID_PARAMETER', faults: [`?${name} INVALID_VALUE`] },
      })),
    );
    const place = Object.keys(BAD_QUERIES).indexOf(template);
    const broken = shareOf(BROKEN_QUERIES, place, 4).map((query) => ({
      name: query.slice(0, 80),
      method: 'GET',
      path: `${path}?${query}`,
      refusal: { status: 400, code: 'INVALID_PARAMETER' },
    }));
    expect(await hostile.refusedAll([...values, ...broken])).toEqual([]);
  });
});

test.each(['/v1/moves?orderID=', '/v1/shipments?shipmentType='])('400 for a broken encoding in %s', async (query) => {
  const cases = BROKEN_ENCODINGS.map((encoding) => ({
    name: encoding,
    method: 'GET',
    path: query + encoding,
    refusal: { status: 400, code: 'INVALID_PARAMETER' },
  }));
  expect(await hostile.refusedAll(cases)).toEqual([]);
});

test('200 for every encoding of the same text, a plus being a blank', async () => {
  const { id } = await createMove(hostile.api, { orderID: 'A é+🚚' });
  for (const written of ['A%20%C3%A9%2B%F0%9F%9A%9A', 'A+%c3%a9%2b%f0%9f%9a%9a', '%41%20%C3%A9%2B%F0%9F%9A%9A']) {
    const { body } = await hostile.api.get(`/v1/moves?orderID=${written}`);
    expect(body).toMatchObject([{ id }]);
  }
});

test('400 for any query where none is taken', async () => {
  const shipment = await createShipment(hostile.api, { pickupAddress: ADDRESS });
  const [agent, service] = [await createAgent(hostile.api), await createService(hostile.api)];
  const paths = [
    `/v1/agents/${agent.id}`,
    `/v1/services/${service.id}`,
    `/v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`,
    '/health/live',
  ];
  const cases = paths.flatMap((path, place) =>
    shareOf(['expand=services', ...BROKEN_QUERIES, 'limit=1'], place, 4).map((query) => ({
      name: `${path}?${query}`.slice(0, 120),
      method: 'GET',
      path: `${path}?${query}`,
      refusal: { status: 400, code: 'INVALID_PARAMETER' },
    })),
  );
  expect(await hostile.refusedAll(cases)).toEqual([]);
});

async function pathOf(template: string): Promise<string> {
  const [move, shipment] = [await createMove(hostile.api), await createShipment(hostile.api)];
  return template.replace('{move}', move.id).replace('{shipment}', shipment.id);
}
