import { readFileSync } from 'node:fs';
import { breakingChanges } from '../../tools/api-compatibility/breaking-changes.js';
import type { Json } from '../support/http/api.js';

const ITEM = '/v1/shipments/{shipmentID}';
const LIST = '/v1/shipments';
const HEALTH = '/health/live';
const OTHERS = ['/v1/moves', `${ITEM}/services`];

const document: Json = JSON.parse(readFileSync('openapi.json', 'utf8'));
const released: Json = {
  ...document,
  paths: Object.fromEntries([ITEM, LIST, HEALTH, ...OTHERS].map((path) => [path, document.paths[path]])),
};

function changesAfter(edit: (edited: Json) => unknown): string[] {
  const edited = structuredClone(released);
  edit(edited);
  return breakingChanges(released, edited);
}

const EXTRA = { name: 'colour', in: 'query', schema: { type: 'string' } };
const parameter = (document: Json, name: string) => {
  return document.paths[LIST].get.parameters.find((candidate: Json) => candidate.name === name);
};

const BREAKING: [change: string, edit: (document: Json) => unknown][] = [
  [`GET ${ITEM}: it was removed`, ({ paths }) => Reflect.deleteProperty(paths, ITEM)],
  [`DELETE ${ITEM}: it was removed`, ({ paths }) => delete paths[ITEM].delete],
  ['the operation listShipments is now called shipments', ({ paths }) => (paths[LIST].get.operationId = 'shipments')],
  ['the status 304 was removed', ({ paths }) => delete paths[ITEM].get.responses['304']],
  ['the query parameter limit was removed', ({ paths }) => paths[LIST].get.parameters.shift()],
  [
    'the query parameter colour is new and required',
    ({ paths }) => paths[LIST].get.parameters.push({ ...EXTRA, required: true }),
  ],
  ['the query parameter status is now required', (document) => (parameter(document, 'status').required = true)],
  [
    'the query parameter limit has a stricter maximum',
    (document) => (parameter(document, 'limit').schema.maximum = 100),
  ],
  [
    'an item of the query parameter status can no longer be "APPROVED"',
    (document) => (parameter(document, 'status').schema.items.enum = ['SUBMITTED']),
  ],
  [
    'the query parameter expand has a different format (explode)',
    (document) => (parameter(document, 'expand').explode = true),
  ],
  [
    'the header parameter If-Match is now required',
    ({ paths }) => paths[ITEM].delete.parameters.splice(1, 1, { $ref: '#/components/parameters/IfMatch' }),
  ],
  [
    'the body is no longer application/merge-patch+json',
    ({ paths }) => delete paths[ITEM].patch.requestBody.content['application/merge-patch+json'],
  ],
  ['it no longer accepts a body', ({ paths }) => delete paths[ITEM].patch.requestBody],
  [
    'the body no longer has the field pickupDate',
    ({ components }) => delete components.schemas.NewShipment.properties.pickupDate,
  ],
  [
    'the body now requires the field pickupDate',
    ({ components }) => components.schemas.NewShipment.required.push('pickupDate'),
  ],
  [
    'the body, field shipmentType, has a stricter maxLength',
    ({ components }) => (components.schemas.NewShipment.properties.shipmentType.maxLength = 8),
  ],
  [
    'the body, field shipmentType, is restricted to "HHG"',
    ({ components }) => (components.schemas.NewShipment.properties.shipmentType.enum = ['HHG']),
  ],
  [
    'the body, field remarks, can no longer be null',
    ({ components }) => (components.schemas.NewMove.properties.remarks.type = 'string'),
  ],
  [
    'the body, field pickupAddress, now requires the field country',
    ({ components }) => components.schemas.NewAddress.required.push('country'),
  ],
  [
    'the body, field code, has a different pattern',
    ({ components }) => (components.schemas.NewService.properties.code.pattern = '^[A-Z]+$'),
  ],
  [
    'the response 200 no longer has the field status',
    ({ components }) => {
      delete components.schemas.Shipment.properties.status;
    },
  ],
  [
    'the response 200 no longer always has the field status',
    ({ components }) =>
      components.schemas.Shipment.required.splice(components.schemas.Shipment.required.indexOf('status'), 1),
  ],
  [
    'the response 200, field status, can now be "LOST"',
    ({ components }) => components.schemas.Shipment.properties.status.enum.push('LOST'),
  ],
  [
    'the response 200, field shipmentType, can now be null',
    ({ components }) => (components.schemas.Shipment.properties.shipmentType.type = ['string', 'null']),
  ],
  [
    'the response 200, field pickupDate, has a different format',
    ({ components }) => delete components.schemas.Shipment.properties.pickupDate.format,
  ],
  [
    'an item of the response 200, field moveCode, can now be integer',
    ({ components }) => (components.schemas.Move.properties.moveCode.type = 'integer'),
  ],
  [
    'the response 201 no longer has the header Location',
    ({ paths }) => delete paths[LIST].post.responses['201'].headers.Location,
  ],
  [
    'the response 201 no longer always has the header ETag',
    ({ paths }) => (paths[LIST].post.responses['201'].headers.ETag = { $ref: '#/components/headers/ETagOptional' }),
  ],
  [
    'the response 200 is no longer application/json',
    ({ paths }) => (paths[LIST].get.responses['200'].content = { 'text/csv': {} }),
  ],
  ['it is now supported, no longer core', ({ paths }) => (paths[LIST].get['x-stability'] = 'supported')],
  ['it requires other credentials', ({ paths }) => (paths[HEALTH].get.security = [{ bearerAuth: [] }])],
  ['it requires other credentials', ({ paths }) => (paths[LIST].get['x-scope'] = 'shipments:write')],
];

test.each(BREAKING)('breaking: %s', (change, edit) => {
  expect(changesAfter(edit)).toContainEqual(expect.stringMatching(escaped(change)));
});

const HARMLESS: [what: string, edit: (document: Json) => unknown][] = [
  ['nothing', () => undefined],
  ['an operation that needs no token any more', ({ paths }) => (paths[LIST].get.security = [])],
  ['a new path', ({ paths }) => (paths['/v1/vehicles'] = paths[LIST])],
  ['a new method', ({ paths }) => (paths[LIST].delete = paths[ITEM].delete)],
  ['a new optional parameter', ({ paths }) => paths[LIST].get.parameters.push(EXTRA)],
  ['a larger limit', (document) => (parameter(document, 'limit').schema.maximum = 500)],
  [
    'a new value of an enumeration that is marked as extensible',
    ({ components }) => {
      components.schemas.Shipment.properties.status.enum.push('LOST');
      components.schemas.Shipment.properties.status['x-extensible'] = true;
    },
  ],
  ['a new value of a filter', (document) => parameter(document, 'status').schema.items.enum.push('LOST')],
  [
    'a new optional field in a body',
    ({ components }) => (components.schemas.NewShipment.properties.colour = { type: 'string' }),
  ],
  [
    'a longer text in a body',
    ({ components }) => (components.schemas.NewShipment.properties.shipmentType.maxLength = 80),
  ],
  ['a field that need not be sent any more', ({ components }) => (components.schemas.NewAddress.required = ['city'])],
  [
    'a new field in an answer',
    ({ components }) => {
      components.schemas.Shipment.properties.colour = { type: 'string' };
      components.schemas.Shipment.required.push('colour');
    },
  ],
  ['a new status of an error', ({ paths }) => (paths[LIST].get.responses['418'] = paths[LIST].get.responses['503'])],
  [
    'a new code of an error',
    ({ components }) =>
      components.responses.BadRequest.content['application/problem+json'].schema.oneOf.push({
        $ref: '#/components/schemas/NotFoundProblem',
      }),
  ],
  [
    'a second code of an error that had one',
    ({ components }) => {
      const { content } = components.responses.NotFound;
      const { schema } = content['application/problem+json'];
      content['application/problem+json'].schema = {
        oneOf: [schema, { $ref: '#/components/schemas/UnavailableProblem' }],
      };
    },
  ],
  [
    'a new header in an answer',
    ({ paths }) => (paths[LIST].get.responses['200'].headers.Sunset = { schema: { type: 'string' } }),
  ],
  [
    'a header of an error that a new code of the same status lacks',
    ({ components: { responses } }) => {
      responses.RateLimited.headers['Retry-After'] = { $ref: '#/components/headers/RetryAfterOptional' };
    },
  ],
  [
    'other words',
    ({ paths, components }) => {
      paths[LIST].get.summary = 'See shipments';
      components.schemas.Shipment.properties.status.description = 'Where it stands.';
    },
  ],
];

test('an operation may be removed if it is experimental, or supported and deprecated', () => {
  const after = structuredClone(released);
  delete after.paths[LIST].get;
  const changesFrom = (stability: string, deprecated: boolean) => {
    const before = structuredClone(released);
    Object.assign(before.paths[LIST].get, { 'x-stability': stability, deprecated });
    return breakingChanges(before, after);
  };
  const removed = [`GET ${LIST}: it was removed`];
  expect(changesFrom('experimental', false)).toEqual([]);
  expect(changesFrom('supported', true)).toEqual([]);
  expect(changesFrom('supported', false)).toEqual(removed);
  expect(changesFrom('core', true)).toEqual(removed);
});

test.each(HARMLESS)('harmless: %s', (_, edit) => {
  expect(changesAfter(edit)).toEqual([]);
});

function escaped(text: string): RegExp {
  return new RegExp(`${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}
