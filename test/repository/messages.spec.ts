import type { Answer, Json } from '../support/http/api.js';
import { createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { readAnswer, sendRaw } from '../support/http/raw-http.js';
import { useService } from '../support/service/service.js';

const service = useService({ API_PREFIX: 'main', SHIPMENT_TYPES: 'HHG,NTS' });

let shipment: Json;
beforeAll(async () => {
  shipment = await createShipment(service.api);
});

const QUERY = 'limit, cursor, sort, expand, orderID, updatedSince, q, excel';

type Send = () => Promise<Answer<Json>>;
const post = (body: unknown, path = '/v1/shipments', headers = {}) => service.api.post(path, body, headers);
const get = (path: string, headers = {}) => service.api.get(path, headers);
const patch = (body: unknown, headers = {}) =>
  service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, body, headers);
const put = (body: unknown) => service.api.put(`/v1/shipments/${shipment.id}`, shipment.eTag, body);

async function broken(head: string, body = ''): Promise<Answer<Json>> {
  return readAnswer(await sendRaw(service.port, `${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n${body}`));
}

/** What a detail has to name: the field, the values that are allowed, what was probably meant. */
const TABLE: readonly (readonly [named: readonly string[], send: Send])[] = [
  [['shipment', 'array'], () => post([])],
  [['move', 'boolean'], () => post('true', '/v1/moves')],
  [['empty'], () => post('')],
  [['line 2, column 1'], () => post('{\na}')],
  [['line 1, column 8'], () => post('{"a":1,"a":2}')],
  [['/shipmentType', 'required'], () => post({})],
  [['/shipmentType', 'HHG, NTS'], () => post({ shipmentType: 'BARGE' })],
  [['/shipmenttype', 'shipmentType?'], () => post({ shipmentType: 'HHG', shipmenttype: 'HHG' })],
  [['/deliveryDtae', 'deliveryDate?'], () => patch({ deliveryDtae: '2026-01-01' })],
  [['/colour'], () => patch({ colour: 'red' })],
  [['/deliveryDate', 'YYYY-MM-DD'], () => patch({ deliveryDate: '2026-02-30' })],
  [['/estimatedWeight', '1 to 1000000'], () => patch({ estimatedWeight: 0 })],
  [['/pickupAddress', 'address', 'string'], () => patch({ pickupAddress: '1 Main Street' })],
  [['/status', 'PATCH /main/v1/shipments/<ID>/updateStatus'], () => patch({ status: 'APPROVED' })],
  [['/status', 'PATCH /main/v1/shipments/<ID>/updateStatus'], () => put({ shipmentType: 'HHG', status: 'APPROVED' })],
  [
    ['/status', 'PATCH /main/v1/shipments/{shipmentID}/updateStatus'],
    () => post({ shipmentType: 'HHG', status: 'APPROVED' }),
  ],
  [['/createdAt', 'set by the server'], () => patch({ createdAt: '2026-01-01T00:00:00.000Z' })],
  [['/id', 'set by the server'], () => post({ shipmentType: 'HHG', id: UNKNOWN_ID })],
  [['/moveID', 'names no existing move'], () => post({ shipmentType: 'HHG', moveID: 'ZZZZZZ' })],
  [['/moveID', 'moveCode'], () => post({ shipmentType: 'HHG', moveID: 'the first one' })],
  [['2 fields', '"errors"'], () => post({ shipmentType: 7, colour: 'red' })],
  [
    ['21 fields', 'first 20'],
    () => post(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x${i}`, i])), '/v1/moves'),
  ],
  [['?limt', 'limit?', QUERY], () => get('/v1/moves?limt=5')],
  [['?limit', 'none'], () => service.api.delete(`/v1/moves/${UNKNOWN_ID}?limit=1`)],
  [['?limit', '1 to 200'], () => get('/v1/moves?limit=ten')],
  [['?limit', 'once'], () => get('/v1/moves?limit=1&limit=2')],
  [['?expand', 'twice'], () => get('/v1/shipments?expand=move,move')],
  [['Did you mean /v1/shipments?'], () => get('/v1/shipment')],
  [['/docs'], () => get('/v2/orders')],
  [[UNKNOWN_ID], () => get(`/v1/shipments/${UNKNOWN_ID}`)],
  [['DELETE', 'GET, HEAD, OPTIONS, POST'], () => service.api.delete('/v1/shipments')],
  [
    ['application/json, text/html, text/csv, or application/jsonl', 'Accept'],
    () => get('/v1/moves', { Accept: 'image/png' }),
  ],
  [['Content-Type', 'application/json'], () => post('{}', '/v1/moves', { 'Content-Type': 'text/plain' })],
  [['If-Match', 'eTag'], () => service.api.patch(`/v1/shipments/${shipment.id}`, undefined, {})],
  [
    ['SUBMITTED', 'DELIVERED', 'APPROVED, REJECTED, CANCELED'],
    () => service.api.patch(`/main/v1/shipments/${shipment.id}/updateStatus`, shipment.eTag, { status: 'DELIVERED' }),
  ],
  [['HTTP/1.1'], () => broken('GET /v1/moves HTTP/1.1\r\n broken')],
];

test.each(TABLE)('a detail names %j', async (named, send) => {
  const { body } = await send();
  for (const part of named) expect(body.detail).toContain(part.replace('<ID>', shipment.id));
  expectSentences(body.detail);
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
