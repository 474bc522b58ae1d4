import { WaybillClient, type Import } from '../../client/src/waybill.js';
import { useService } from '../support/service/service.js';

const service = useService();
const client = () => new WaybillClient({ baseUrl: service.url });

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

test('an edited export is imported, and its refused rows are imported again', async () => {
  const { shipments, imports } = client();
  const mine = await shipments.create({ shipmentType: 'HHG', customerRemarks: 'before' });
  const both = await shipments.create({ shipmentType: 'HHG', customerRemarks: 'before' });
  const file = ['id,eTag,customerRemarks', ...[mine, both].map(({ id, eTag }) => `${id},${eTag},mine`)].join('\n');
  const ready = await imports.upload(file);
  expect(ready).toMatchObject({ state: 'ready', rows: 2, toChange: 2 });
  const rows = [];
  for await (const row of imports.rows(ready.id, { outcome: ['change'], limit: 1 })) rows.push(row.resourceID);
  expect(rows.sort()).toEqual([mine.id, both.id].sort());
  await shipments.update(both.id, { customerRemarks: 'theirs' });

  const seen: Import['state'][] = [];
  expect((await imports.apply(ready.id)).state).toBe('applying');
  const done = await imports.wait(ready.id, { onProgress: ({ state }) => seen.push(state) });
  expect(done).toMatchObject({ state: 'applied', changed: 1, refused: 1 });
  expect(seen.at(-1)).toBe('applied');
  expect(await imports.get(ready.id)).toEqual(done);
  const result = await textOf(await imports.result(ready.id));
  expect(result.split('\r\n')[0]).toMatch(/,error,changedBy,changedAt,theirs:customerRemarks$/);
  const again = await imports.upload(new Blob([result]));
  await imports.apply(again.id);
  expect(await imports.wait(again.id)).toMatchObject({ changed: 1, refused: 0 });
  expect((await shipments.get(both.id)).customerRemarks).toBe('mine');
});

test('the result of JSON Lines is JSON Lines, and is uploaded again with the same format', async () => {
  const { shipments, imports } = client();
  const { id, eTag } = await shipments.create({
    shipmentType: 'HHG',
    customerRemarks: 'before',
    pickupDate: '2026-03-01',
  });
  await shipments.update(id, { customerRemarks: 'theirs' });
  const { id: refused, format } = await imports.upload(JSON.stringify({ id, eTag, customerRemarks: 'mine' }), {
    format: 'jsonl',
  });
  const result = await textOf(await imports.result(refused));
  expect(JSON.parse(result)).toMatchObject({ id, customerRemarks: 'mine', theirs: { customerRemarks: 'theirs' } });
  const again = await imports.upload(result, { format });
  await imports.apply(again.id);
  expect(await imports.wait(again.id)).toMatchObject({ changed: 1, refused: 0 });
  expect(await shipments.get(id)).toMatchObject({ customerRemarks: 'mine', pickupDate: '2026-03-01' });
});

test('JSON lines, and an error for a file that cannot be read', async () => {
  const { imports } = client();
  const lines = new TextEncoder().encode('{"shipmentType":"HHG"}\n{"shipmentType":"NTS"}\n');
  expect(await imports.upload(lines, { format: 'jsonl' })).toMatchObject({ format: 'jsonl', toCreate: 2 });
  await expect(imports.upload('nothing\r\nx')).rejects.toMatchObject({ status: 400, code: 'MALFORMED_FILE' });
});

test('a file with two readings is applied once it is said which is meant', async () => {
  const { shipments, imports } = client();
  const file = 'shipmentType,pickupDate,estimatedWeight\r\nHHG,12/1/2026,"4,500"\r\n';
  const asked = await imports.upload(file);
  expect(asked.state).toBe('ambiguous');
  const readings = asked.ambiguousCells.flatMap((cell) => cell.readings.map(({ value }) => value));
  expect(readings).toEqual(['2026-12-01', '2026-01-12', 4500, 4.5]);
  await expect(imports.apply(asked.id)).rejects.toMatchObject({ status: 409, code: 'AMBIGUOUS_FILE' });
  const { id } = await imports.upload(file, { dates: 'DMY', decimal: '.' });
  await imports.apply(id);
  expect(await imports.wait(id)).toMatchObject({ created: 1 });
  const [created] = (await shipments.list({ limit: 1 }).page()).items;
  expect(created).toMatchObject({ pickupDate: '2026-01-12', estimatedWeight: 4500 });
});
