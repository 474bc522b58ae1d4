import { readFileSync } from 'node:fs';
import { descriptionOf, PROBLEMS, type ProblemCode } from '../src/problem/catalogue.js';
import type { Answer, Json } from './support/api.js';
import { createAgent, createMove, createShipment, UNKNOWN_ID } from './support/records.js';
import { readAnswer, sendRaw } from './support/raw-http.js';
import { useService } from './support/service.js';
import { sourceFiles } from './support/source-imports.js';

const service = useService({ API_PREFIX: 'main', SHIPMENT_TYPES: 'HHG,NTS' });

let shipment: Json;
beforeAll(async () => {
  shipment = await createShipment(service.api);
});

const FIELD = 'is set by the server and cannot be changed; leave it out, or send the value it has';
const QUERY = 'limit, cursor, sort, expand, orderID, updatedSince, excel';

type Send = () => Promise<Answer<Json>>;
const post = (body: unknown, path = '/v1/shipments', headers = {}) => service.api.post(path, body, headers);
const get = (path: string, headers = {}) => service.api.get(path, headers);
const patch = (body: unknown, headers = {}) =>
  service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, body, headers);
const put = (body: unknown) => service.api.put(`/v1/shipments/${shipment.id}`, shipment.eTag, body);

async function broken(head: string, body = ''): Promise<Answer<Json>> {
  return readAnswer(await sendRaw(service.port, `${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n${body}`));
}

const TABLE: readonly (readonly [detail: string, send: Send])[] = [
  ['The body must be a JSON object with the fields of a shipment, not an array.', () => post([])],
  ['The body must be a JSON object with the fields of a shipment, not a string.', () => post('"x"')],
  ['The body must be a JSON object with the fields of a shipment, not a number.', () => patch(3)],
  ['The body must be a JSON object with the fields of a shipment, not null.', () => post('null')],
  ['The body must be a JSON object with the fields of a move, not a boolean.', () => post('true', '/v1/moves')],
  ['The body is empty. Send a JSON object.', () => post('')],
  ['The body must have a name in double quotes here (line 2, column 1).', () => post('{\n}'.replace('}', 'a}'))],
  ['The body has the same name twice in one object (line 1, column 8).', () => post('{"a":1,"a":2}')],
  ['The field /shipmentType is required.', () => post({})],
  ['The field /shipmentType must be a string.', () => post({ shipmentType: 7 })],
  ['The field /shipmentType must be one of HHG, NTS.', () => post({ shipmentType: 'BARGE' })],
  [
    'The field /shipmenttype is not a field of a shipment (did you mean shipmentType?).',
    () => post({ shipmentType: 'HHG', shipmenttype: 'HHG' }),
  ],
  [
    'The field /deliveryDtae is not a field of a shipment (did you mean deliveryDate?).',
    () => patch({ deliveryDtae: '2026-01-01' }),
  ],
  ['The field /colour is not a field of a shipment.', () => patch({ colour: 'red' })],
  [
    'The field /deliveryDate must be a calendar date of the form YYYY-MM-DD, from 1900 to 2199.',
    () => patch({ deliveryDate: '2026-02-30' }),
  ],
  ['The field /estimatedWeight must be a whole number from 1 to 1000000.', () => patch({ estimatedWeight: 0 })],
  [
    'The field /pickupAddress must be a JSON object with the fields of an address, not a string.',
    () => patch({ pickupAddress: '1 Main Street' }),
  ],
  [
    'The field /status cannot be changed here; send PATCH /main/v1/shipments/<ID>/updateStatus instead.',
    () => patch({ status: 'APPROVED' }),
  ],
  [
    'The field /status cannot be changed here; send PATCH /main/v1/shipments/<ID>/updateStatus instead.',
    () => put({ shipmentType: 'HHG', status: 'APPROVED' }),
  ],
  [
    'The field /status is set by the server; leave it out, and change it later with PATCH /main/v1/shipments/{shipmentID}/updateStatus.',
    () => post({ shipmentType: 'HHG', status: 'APPROVED' }),
  ],
  [`The field /createdAt ${FIELD}.`, () => patch({ createdAt: '2026-01-01T00:00:00.000Z' })],
  ['The field /id is set by the server; leave it out.', () => post({ shipmentType: 'HHG', id: UNKNOWN_ID })],
  [
    'The field /moveID names no move; create the move first, or leave moveID out to open a new one.',
    () => post({ shipmentType: 'HHG', moveID: 'ZZZZZZ' }),
  ],
  [
    'The field /moveID must be the id of a move or its moveCode.',
    () => post({ shipmentType: 'HHG', moveID: 'the first one' }),
  ],
  ['2 fields are not acceptable. "errors" lists each of them.', () => post({ shipmentType: 7, colour: 'red' })],
  [
    '21 fields are not acceptable. "errors" lists the first 20 of them.',
    () => post(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x${i}`, i])), '/v1/moves'),
  ],
  [
    `The parameter ?limt is not a parameter of this path (did you mean limit?), which takes ${QUERY}.`,
    () => get('/v1/moves?limt=5'),
  ],
  [`The parameter ?page is not a parameter of this path, which takes ${QUERY}.`, () => get('/v1/moves?page=5')],
  [
    'The parameter ?limit is not a parameter of this path, which takes none.',
    () => service.api.delete(`/v1/moves/${UNKNOWN_ID}?limit=1`),
  ],
  ['The parameter ?limit must be a whole number from 1 to 200.', () => get('/v1/moves?limit=ten')],
  ['The parameter ?limit must not be given more than once.', () => get('/v1/moves?limit=1&limit=2')],
  ['The parameter ?expand must not have the same value twice.', () => get('/v1/shipments?expand=move,move')],
  ['The service has no such path. Did you mean /v1/shipments?', () => get('/v1/shipment')],
  ['The service has no such path. The documentation at /docs lists those it has.', () => get('/v2/orders')],
  [`There is no shipment "${UNKNOWN_ID}".`, () => get(`/v1/shipments/${UNKNOWN_ID}`)],
  ['This path does not take DELETE. It takes GET, HEAD, OPTIONS, POST.', () => service.api.delete('/v1/shipments')],
  [
    'This path answers with application/json, text/html, text/csv, or application/jsonl only. Allow it in the Accept header, or leave the header out.',
    () => get('/v1/moves', { Accept: 'image/png' }),
  ],
  [
    'The Content-Type must be application/json, in UTF-8.',
    () => post('{}', '/v1/moves', { 'Content-Type': 'text/plain' }),
  ],
  [
    "The header If-Match is missing. Send the eTag of the record as you last read it, so that nobody else's change is overwritten.",
    () => service.api.patch(`/v1/shipments/${shipment.id}`, undefined, {}),
  ],
  [
    'A shipment that is SUBMITTED cannot become DELIVERED. It can become APPROVED, REJECTED, CANCELED.',
    () => service.api.patch(`/main/v1/shipments/${shipment.id}/updateStatus`, shipment.eTag, { status: 'DELIVERED' }),
  ],
  ['The request body is shorter than its Content-Length.', () => cutOff()],
  [
    'The request is not valid HTTP/1.1. It was not read any further.',
    () => broken('GET /v1/moves HTTP/1.1\r\n broken'),
  ],
];

/** The client ends its side before it has sent all of the body. */
async function cutOff(): Promise<Answer<Json>> {
  const head =
    'POST /v1/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';
  const { connect } = await import('node:net');
  const raw = await new Promise<string>((resolve, reject) => {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(head));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', reject);
    socket.on('end', () => resolve(received));
  });
  return readAnswer(raw);
}

test.each(TABLE)('%s', async (detail, send) => {
  const { body } = await send();
  expect(body.detail).toBe(detail.replace('<ID>', shipment.id));
  expectSentences(body.detail);
});

test('a message of each error completes the sentence that its pointer begins', async () => {
  const { moveID } = await createAgent(service.api).then(() => createMove(service.api));
  const { body } = await post({
    shipmentType: 7,
    status: 'X',
    colour: 1,
    pickupAddress: [],
    estimatedWeight: 0,
    moveID,
  });
  for (const { message } of body.errors) expect(message).toMatch(/^(is|must|cannot|names) .*[^.]$/);
});

test('what a client sent is not repeated beyond its name', async () => {
  const { body } = await post({ shipmentType: 'HHG', colour: 's3cr3t' });
  expect(JSON.stringify(body)).not.toContain('s3cr3t');
  const unknown = await get('/v1/shipmentz/%3Cscript%3E');
  expect(unknown.body.detail).toBe('The service has no such path. Did you mean /v1/shipments/{shipmentID}?');
});

/** What a person reads is whole sentences, with the blanks of careful typing. */
function expectSentences(text: string): void {
  expect(text).toMatch(/^["A-Z0-9].*[.?]$/s);
  expect(text).not.toMatch(/ {2}|\s[.,;:]|\s\?(?!\w)|[.?][.?]|[,;:]$|undefined|null\b(?!\.)|\[object/);
}

describe.each(Object.keys(PROBLEMS) as ProblemCode[])('the catalogue: %s', (code) => {
  const { title, meaning, remedy } = descriptionOf(code);

  it('has a title without a period, and whole sentences that say when it comes and what to do', () => {
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    for (const text of [meaning, remedy]) expectSentences(text);
    expect(meaning).not.toBe(remedy);
  });
});

/** Texts of problems as they stand in the sources; what is put into them at run time stands for itself. */
const WRITTEN = sourceFiles('src', 'tools').flatMap(({ path }) => {
  const text = readFileSync(path, 'utf8');
  const found = text.matchAll(/new Problem\(\s*'[A-Z_]+',\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/g);
  return [...found].map(([, plain, template]) => [path, (plain ?? template ?? '').replace("\\'", "'")] as const);
});

it('finds the texts of problems in the sources', () => {
  expect(WRITTEN.length).toBeGreaterThan(30);
});

it.each(WRITTEN)('%s: "%s" is whole sentences', (_, text) => {
  expectSentences(text.replace(/\$\{[^}]*(\{[^}]*\})?[^}]*\}$/, 'x.').replace(/^\$\{[^}]*\}/, 'X'));
});
