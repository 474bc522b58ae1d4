import { WaybillClient } from '../../client/src/waybill.js';
import { Slots } from '../../src/http/slots.js';
import { eventually } from '../support/races/eventually.js';
import { textOf } from '../support/records/files.js';
import { Gateway } from '../support/http/gateway.js';
import { createShipment } from '../support/records/records.js';
import { insertFamilies } from '../support/database/rows.js';
import { useService } from '../support/service/service.js';

const service = useService();
const COUNT = 450;
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  await insertFamilies(service.sql, COUNT, 'UB');
  await createShipment(service.api, { customerRemarks: '=1+1\r\n🚚' });
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: gateway.url });
});
afterAll(() => gateway.stop());

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of records) found.push(record);
  return found;
}

const read = (stream: ReadableStream<Uint8Array>) => textOf(Promise.resolve(new Response(stream)));

test('the records are those of the list, in its order', async () => {
  expect(await all(client.shipments.export())).toEqual(await all(client.shipments.list({ limit: 200 })));
  const query = { shipmentType: 'HHG', sort: 'updatedAt' } as const;
  expect(await all(client.shipments.export(query))).toEqual(await all(client.shipments.list(query)));
  expect(await all(client.moves.export({ orderID: 'UB' }))).toHaveLength(COUNT);
});

test('the file is the one that the service sends', async () => {
  const headers = { Accept: 'text/csv' };
  const csv = await textOf(fetch(`${service.url}/v1/shipments?shipmentType=HHG`, { headers }));
  const asked = client.shipments.export({ shipmentType: 'HHG' });
  expect(await read(await asked.file('csv'))).toBe(csv);
  const forSpreadsheets = await textOf(fetch(`${service.url}/v1/shipments?shipmentType=HHG&excel=true`, { headers }));
  expect(forSpreadsheets.startsWith('\uFEFF')).toBe(true);
  expect(await read(await asked.file('csv', { excel: true }))).toBe(forSpreadsheets);
  expect(JSON.parse(await read(await asked.file('jsonl')))).toMatchObject({ customerRemarks: '=1+1\r\n🚚' });
});

test('it is asked for again while the service is busy, and other problems are thrown', async () => {
  gateway.next({ status: 503, headers: { 'Retry-After': '0' } }, 'lose the request');
  expect(await all(client.shipments.export({ shipmentType: 'HHG' }))).toHaveLength(1);
  expect(gateway.seen).toHaveLength(3);
  const wrong = client.shipments.export({ deliveryDateFrom: 'tomorrow' });
  await expect(wrong.file('csv')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
});

test('an export ends when its reader stops', async () => {
  for await (const { id } of client.moves.export()) {
    expect(id).toEqual(expect.any(String));
    break;
  }
  const exports = service.app.get(Slots).of('exports');
  await eventually(() => exports.inUse === 0, 30_000, 'no export is open');
});

test('an export that is broken off throws, and so does one that is aborted', async () => {
  const body = `${JSON.stringify({ id: '1' })}\n{"id":`;
  const type = { 'Content-Type': 'application/jsonl' };
  gateway.next({ status: 200, headers: { ...type, 'Content-Length': String(body.length + 1) }, body });
  const found: string[] = [];
  const reading = (async () => {
    for await (const { id } of client.moves.export()) found.push(id);
  })();
  await eventually(() => found.length === 1, 30_000, 'the first record');
  await gateway.stop();
  await expect(reading).rejects.toMatchObject({ name: 'NoAnswerError' });
  await expect(all(client.moves.export({ signal: AbortSignal.abort(new Error('enough')) }))).rejects.toThrow('enough');
});
