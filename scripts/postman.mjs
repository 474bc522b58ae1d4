// Generates a Postman collection from openapi.json, in which requests pass ids and eTags on to later ones:
//   node scripts/postman.mjs openapi.json docs/waybill.postman_collection.json
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = `Generates the Postman collection from the OpenAPI document. npm run openapi runs it, too.

  node scripts/postman.mjs [DOCUMENT] [COLLECTION]`;

/**
 * Ordered so that the collection can run from top to bottom: each request has what it needs from earlier ones. The children of a
 * shipment have a folder per tag and are deleted before the shipment.
 */
const FOLDERS = {
  Moves: ['createMove', 'listMoves', 'readMove', 'updateMove', 'replaceMove', 'listMoveHistory'],
  Shipments: [
    'createShipment',
    'listShipments',
    'readShipment',
    'updateShipment',
    'replaceShipment',
    'updateShipmentStatus',
    'bulkShipments',
    'listShipmentHistory',
  ],
  Addresses: ['readAddress', 'replaceAddress'],
  Webhooks: [
    'createWebhook',
    'listWebhooks',
    'readWebhook',
    'updateWebhook',
    'replaceWebhook',
    'rotateWebhookSecret',
    'pingWebhook',
    'listWebhookDeliveries',
    'readWebhookDelivery',
    'redeliverWebhookDelivery',
    'replayWebhook',
    'listWebhookHistory',
    'deleteWebhook',
  ],
};
/** Responses that extend a record, or whose schema has another name than the path parameter. */
const KINDS = { DryRun: 'Import', WebhookWithSecret: 'Webhook', WebhookDelivery: 'Delivery' };
/** Excluded, because the collection would wait for its end. */
const ENDLESS = '/v1/events/stream';
const CHILDREN = ['post', 'get', 'patch', 'put'];

/** The record whose version a write needs, by the last id in its path. An address shares the version of its shipment. */
function versionOf(parameter) {
  return parameter === 'addressID' ? 'shipment' : parameter?.replace(/ID$/, '');
}

/** Each of them is shown after the deletion that it undoes. */
function isUndelete({ path }) {
  return path.endsWith('/undelete');
}

function foldersOf(operations) {
  const others = [...operations.values()].filter(
    ({ path, tags }) => path.startsWith('/v1/') && path !== ENDLESS && !(tags[0] in FOLDERS) && tags[0] !== 'History',
  );
  const chapters = [...new Set(others.map(({ tags }) => tags[0]))].map((tag) => {
    const own = others.filter((each) => each.tags[0] === tag && each.method !== 'delete' && !isUndelete(each));
    own.sort((one, other) => CHILDREN.indexOf(one.method) - CHILDREN.indexOf(other.method));
    return [tag, own.map(({ operationId }) => operationId)];
  });
  const deletions = others.filter(({ method }) => method === 'delete').map(({ operationId }) => operationId);
  const cleanUp = [...deletions, 'deleteShipment', 'deleteMove'].flatMap((id) => {
    const undelete = id.replace('delete', 'undelete');
    return operations.has(undelete) ? [id, undelete, id] : [id];
  });
  return [...Object.entries(FOLDERS), ...chapters, ['Clean up', cleanUp]];
}

export function collectionOf(document) {
  const operations = operationsOf(document);
  const folders = foldersOf(operations).map(([name, ids]) => ({
    name,
    item: ids.map((id) => itemOf(document, operations.get(id))),
  }));
  const shipments = folders.find(({ name }) => name === 'Shipments').item;
  const update = shipments.findIndex(({ name }) => name === operations.get('updateShipment').summary);
  shipments.splice(update + 1, 0, staleWrite(shipments[update]));
  for (const { item } of folders) {
    const lists = item.filter(({ name }) =>
      [...operations.values()].some((each) => each.summary === name && isFile(each)),
    );
    for (const list of lists) item.splice(item.indexOf(list) + 1, 0, fileOf(list));
  }
  return {
    info: {
      name: document.info.title,
      description:
        'Every request of the API. Run the whole collection or single requests: each stores the id and eTag of its record for the next one.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000' },
      { key: 'token', value: '' },
    ],
    item: folders,
  };
}

function operationsOf({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [operation.operationId, { ...operation, method, path }]),
  );
  return new Map(operations);
}

function itemOf(document, operation) {
  const { summary, description, method, path, requestBody } = operation;
  const body = requestBody && textOf(document, operation);
  return {
    name: summary,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(operation) } }],
    request: {
      method: method.toUpperCase(),
      description,
      header: headersOf(document, operation),
      ...(body && {
        body: {
          mode: 'raw',
          raw: body,
          options: { raw: { language: typeOf(operation) === 'text/csv' ? 'text' : 'json' } },
        },
      }),
      url: urlOf(document, operation, path.replaceAll('{', '{{').replaceAll('}', '}}')),
    },
  };
}

/** Repeats a write with the eTag that it has just used. */
function staleWrite({ request, name }) {
  const header = request.header.map((one) =>
    one.key === 'If-Match' ? { ...one, value: '{{formerShipmentETag}}' } : one,
  );
  const exec = [
    "pm.test('412, and nothing is written', () => pm.response.to.have.status(412));",
    "pm.test('the response has the current version', () => pm.response.to.have.jsonBody('currentETag'));",
  ];
  return {
    name: `${name}: refused when the version is stale`,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec } }],
    request: { ...request, header },
  };
}

function isFile({ responses = {} }) {
  return responses[200]?.content?.['text/csv'] !== undefined;
}

function fileOf({ request, name }) {
  const exec = [
    "pm.test('200', () => pm.response.to.have.status(200));",
    "pm.test('the file has a name', () => pm.response.to.have.header('Content-Disposition'));",
  ];
  return {
    name: `${name}: whole list as a CSV file`,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec } }],
    request: { ...request, header: [...request.header, { key: 'Accept', value: 'text/csv' }] },
  };
}

function urlOf(document, { parameters = [] }, path) {
  const query = parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description }) => ({ key: name, value: '', description, disabled: true }));
  const raw = `{{baseUrl}}${path}`;
  return { raw, host: ['{{baseUrl}}'], path: path.split('/').slice(1), ...(query.length > 0 && { query }) };
}

function headersOf(document, { parameters = [], requestBody, path }) {
  const names = parameters.map((parameter) => resolve(document, parameter).name);
  const version = versionOf(/\{(\w+)\}[^{]*$/.exec(path)?.[1]);
  const ifMatch = isUndelete({ path }) ? '*' : `{{${version}ETag}}`;
  const isWrite = names.includes('Idempotency-Key');
  return [
    ...(requestBody ? [{ key: 'Content-Type', value: typeOf({ requestBody }) }] : []),
    ...(isWrite && names.includes('If-Match') ? [{ key: 'If-Match', value: ifMatch }] : []),
    ...(isWrite ? [{ key: 'Idempotency-Key', value: '"{{$guid}}"' }] : []),
  ];
}

function textOf(document, operation) {
  const { content } = operation.requestBody;
  // Changes nothing, so nothing is left to clean up.
  if ('text/csv' in content) return 'id,eTag\r\n{{shipmentID}},{{shipmentETag}}\r\n';
  return JSON.stringify(bodyOf(document, operation), null, 2);
}

function typeOf({ requestBody: { content } }) {
  return 'text/csv' in content ? 'text/csv' : 'application/json';
}

function bodyOf(document, { operationId, requestBody }) {
  if (operationId === 'bulkShipments') {
    const item = { op: 'update', id: '{{shipmentID}}', ifMatch: '*', patch: { customerRemarks: 'Please ring twice.' } };
    return { items: [item] };
  }
  const { examples } = resolve(document, requestBody.content['application/json'].schema);
  return operationId === 'createShipment' ? { moveID: '{{moveID}}', ...examples[0] } : examples[0];
}

/** Checks the response, and stores the id and eTag of its record unless it is an error. */
function scriptOf({ operationId, responses }) {
  const [status, { content }] = Object.entries(responses).find(([code]) => code.startsWith('2'));
  const check = `pm.test('${status}', () => pm.response.to.have.status(${status}));`;
  const answer = /(\w+)$/.exec(content?.['application/json']?.schema.$ref ?? '')?.[1];
  if (answer === undefined) return [check];
  const kind = KINDS[answer] ?? answer;
  const name = kind.toLowerCase();
  const keep = (variable, value) => `pm.collectionVariables.set('${variable}', ${value});`;
  const former = keep('formerShipmentETag', "pm.collectionVariables.get('shipmentETag')");
  return [
    check,
    `if (pm.response.code === ${status}) {`,
    '  const record = pm.response.json();',
    ...(operationId === 'updateShipment' ? [`  ${former}`] : []),
    `  ${keep(`${name}ID`, 'record.id')}`,
    `  ${keep(`${versionOf(`${name}ID`)}ETag`, 'record.eTag')}`,
    ...(kind === 'Shipment' ? [`  ${keep('addressID', 'record.destinationAddress?.id')}`] : []),
    '}',
  ];
}

function resolve(document, value) {
  if (value.$ref === undefined) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((node, key) => node[key], document);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Without readCommandLine: specs load this file, but cannot load the build.
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  }
  const [source = 'openapi.json', target = 'docs/waybill.postman_collection.json'] = positionals;
  const collection = collectionOf(JSON.parse(readFileSync(source, 'utf8')));
  writeFileSync(target, `${JSON.stringify(collection, null, 2)}\n`);
}
