import { readFileSync } from 'node:fs';
import { writeRuleOf } from '../../src/writes/write-rule.js';
import { routesOf } from '../../src/http/routes.js';
import { ApiDocument } from '../../src/openapi/api-document.js';
import { isUndocumented } from '../../src/openapi/operation.js';
import { fieldsOf } from '../../src/validation/fields-of.js';
import { STATUS_STEPS } from '../../src/model/shipment-status.js';
import type { Json } from '../support/http/api.js';
import { expressRoutesOf } from '../support/http/express-routes.js';
import { ADDRESS, CHILDREN, childrenOf, createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();
let document: Json;

beforeAll(() => {
  document = service.app.get(ApiDocument).document;
});

test('openapi.json is the document of the code; `npm run openapi` writes it', () => {
  expect(JSON.parse(readFileSync('openapi.json', 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)));
});

test('every route that Express serves is known, and every known route is documented or left out on purpose', () => {
  const served = new Set(expressRoutesOf(service.app));
  const routes = routesOf(service.app);
  expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...served].sort());
  const documented = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => !key.startsWith('x-'))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const expected = routes.filter(({ controller }) => !isUndocumented(controller));
  expect(documented.sort()).toEqual(
    expected.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
  );
});

test('updateStatus has the whole table of statuses in its description', () => {
  const { description } = document.paths['/prime/v1/shipments/{shipmentID}/updateStatus'].patch;
  for (const [from, to] of Object.entries(STATUS_STEPS)) {
    expect(description).toContain(`| ${from} | ${to.join(', ') || 'none'} |`);
  }
});

type Attempt = [method: string, template: string, path: string, eTag?: string];

test('descriptions explain fields; only problems explain invalid values', () => {
  const types = routesOf(service.app).map(({ handler }) => writeRuleOf(handler)?.body?.type);
  const checks = types.flatMap((type) => (type === undefined ? [] : fieldsOf(type))).flatMap((field) => field.checks);
  const messages = new Set(checks.map(({ message }) => message(undefined)));
  expect(messages.size).toBeGreaterThan(10);
  const descriptions = JSON.stringify(document.components.schemas).match(/"description":"[^"]*"/g) ?? [];
  const glued = descriptions.filter((text) => [...messages].some((message) => text.includes(message)));
  expect(glued).toEqual([]);
});

/** Each operation that takes a body, with a path on which it can be tried. */
async function writable(): Promise<Attempt[]> {
  const { api } = service;
  const shipments = await Promise.all([0, 1, 2, 3].map(() => createShipment(api, { destinationAddress: ADDRESS })));
  const [patched, replaced, moved, other] = shipments;
  const [move, otherMove] = [await createMove(api), await createMove(api)];
  const children = await Promise.all(
    CHILDREN.map(async (kind): Promise<Attempt[]> => {
      const [one, another] = [await kind.create(api), await kind.create(api)];
      const [template, collection] = [`${kind.path}/{${kind.name}ID}`, childrenOf(moved, kind)];
      return [
        ['post', childrenOf({ id: '{shipmentID}' }, kind), collection],
        ['patch', template, `${kind.path}/${one.id}`, one.eTag],
        ['put', template, `${kind.path}/${another.id}`, another.eTag],
      ];
    }),
  );
  const webhooks: Json[] = [];
  for (let count = 0; count < 2; count += 1) {
    webhooks.push((await api.post('/v1/webhooks', { url: 'https://partner.example/' })).body);
  }
  const keys: Json[] = [];
  for (let count = 0; count < 2; count += 1) {
    keys.push((await api.post('/v1/keys', { name: 'x', scopes: ['moves:read'] })).body);
  }
  const address = `/v1/mto-shipment/${other.id}/address/${other.destinationAddress.id}`;
  return [
    ['post', '/v1/moves', '/v1/moves'],
    ['patch', '/v1/moves/{moveID}', `/v1/moves/${move.id}`, move.eTag],
    ['put', '/v1/moves/{moveID}', `/v1/moves/${otherMove.id}`, otherMove.eTag],
    ['post', '/v1/shipments', '/v1/shipments'],
    ['post', '/v1/shipments/bulk', '/v1/shipments/bulk'],
    ['post', '/v1/imports', '/v1/imports'],
    ['post', '/prime/v1/shipments', '/prime/v1/shipments'],
    ['patch', '/v1/shipments/{shipmentID}', `/v1/shipments/${patched.id}`, patched.eTag],
    ['put', '/v1/shipments/{shipmentID}', `/v1/shipments/${replaced.id}`, replaced.eTag],
    [
      'patch',
      '/prime/v1/shipments/{shipmentID}/updateStatus',
      `/prime/v1/shipments/${moved.id}/updateStatus`,
      moved.eTag,
    ],
    ['put', '/v1/mto-shipment/{shipmentID}/address/{addressID}', address, other.eTag],
    ['post', '/v1/webhooks', '/v1/webhooks'],
    ['patch', '/v1/webhooks/{webhookID}', `/v1/webhooks/${webhooks[0].id}`, webhooks[0].eTag],
    ['put', '/v1/webhooks/{webhookID}', `/v1/webhooks/${webhooks[1].id}`, webhooks[1].eTag],
    ['post', '/v1/webhooks/{webhookID}/replay', `/v1/webhooks/${webhooks[0].id}/replay`],
    ['post', '/v1/keys', '/v1/keys'],
    ['patch', '/v1/keys/{keyID}', `/v1/keys/${keys[0].id}`, keys[0].eTag],
    ['put', '/v1/keys/{keyID}', `/v1/keys/${keys[1].id}`, keys[1].eTag],
    ...children.flat(),
  ];
}

/** An example of a JSON body, or of each kind of file. */
function examplesOf({ content }: Json): [type: string, example: Json][] {
  if (content['application/json'] === undefined) {
    return Object.entries<Json>(content).map(([type, { example }]) => [type, example]);
  }
  const { schema } = content['application/json'];
  return [['application/json', document.components.schemas[schema.$ref.split('/').pop()].examples[0]]];
}

/** The success of a POST that creates no record. */
const OTHER_SUCCESS: Record<string, number> = {
  '/v1/shipments/bulk': 200,
  '/v1/webhooks/{webhookID}/replay': 202,
};

test('every example of a body works as it is', async () => {
  const attempts = await writable();
  const withBody = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => item[method].requestBody)
      .map((method) => `${method} ${path}`),
  );
  expect(attempts.map(([method, template]) => `${method} ${template}`).sort()).toEqual(withBody.sort());
  for (const [method, template, path, eTag] of attempts) {
    for (const [type, example] of examplesOf(document.paths[template][method].requestBody)) {
      const headers = { 'Content-Type': type, ...(eTag !== undefined && { 'If-Match': eTag }) };
      const { status } = await service.api.send(method.toUpperCase(), path, example, headers);
      const success = method === 'post' ? (OTHER_SUCCESS[template] ?? 201) : 200;
      expect([method, template, status]).toEqual([method, template, success]);
    }
  }
});
