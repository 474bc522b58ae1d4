import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Json } from '../support/http/api.js';
import { nextOf, walk } from '../support/http/paging.js';
import { csvOf, imported, JSON_LINES, rowsOf, upload } from '../support/records/imports.js';
import { expectProblem } from '../support/http/problem.js';
import { ADDRESS, createMove, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function written(): Promise<number> {
  const { rows } = await service.sql.query(`SELECT count(*)::int AS n FROM history WHERE record_kind <> 'import'`);
  return rows[0].n;
}

/** The outcome of each row, by line, with the errors of its columns. */
async function outcomesOf(file: string, headers?: object) {
  const rows = await rowsOf(service.api, await imported(service.api, file, headers));
  return rows.map(({ line, outcome, faults }) => [line, outcome, ...faults.map((f: Json) => [f.column, f.code])]);
}

test('201 with what each kind of row would do, and nothing is written', async () => {
  const same = await createShipment(service.api, { customerRemarks: 'as it is' });
  const other = await createShipment(service.api, { customerRemarks: 'before', destinationAddress: ADDRESS });
  const before = await written();
  const file = csvOf(
    ['id', 'eTag', 'shipmentType', 'customerRemarks', 'destinationAddress.city'],
    [
      [same.id, same.eTag, 'HHG', 'as it is', ''],
      [other.id, other.eTag, 'HHG', 'after', 'Shelbyville'],
      ['', '', 'NTS', 'new', ''],
      ['', '', '', 'without a type', ''],
    ],
  );
  const { status, headers, body } = await upload(service.api, file);
  expect(status).toBe(201);
  expect(headers.get('Location')).toBe(`/v1/imports/${body.id}`);
  expect(headers.get('ETag')).toBe(`"${body.eTag}"`);
  expect(body).toMatchObject({ format: 'csv', state: 'ready', createdBy: 'anonymous', rows: 4 });
  expect(body).toMatchObject({ toCreate: 1, toChange: 1, unchanged: 1, refused: 1, created: 0, changed: 0 });
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBeGreaterThan(6.9 * 86_400_000);
  const rows = await rowsOf(service.api, body);
  expect(rows.map(({ line, outcome, resourceID }) => [line, outcome, resourceID])).toEqual([
    [2, 'unchanged', same.id],
    [3, 'change', other.id],
    [4, 'create', null],
    [5, 'refused', null],
  ]);
  expect(rows[1].changes).toEqual([
    { field: 'destinationAddress/city', from: 'Springfield', to: 'Shelbyville' },
    { field: 'customerRemarks', from: 'before', to: 'after' },
  ]);
  expect(rows[3]).toMatchObject({
    code: 'VALIDATION_FAILED',
    faults: [{ column: 'shipmentType', code: 'REQUIRED', message: 'is required' }],
  });
  expect(await written()).toBe(before);
  const { ambiguousCells, firstFaults, firstChanges, ...stored } = body;
  expect(ambiguousCells).toEqual([]);
  expect(firstFaults).toEqual([{ line: 5, column: 'shipmentType', code: 'REQUIRED', message: 'is required' }]);
  expect(firstChanges).toEqual([rows[1], rows[2]]);
  expect((await service.api.get(`/v1/imports/${body.id}`)).body).toEqual(stored);
});

test('the answer shows the first faults and the first changes, however many there are', async () => {
  const lines = Array.from({ length: 90 }, (_, index) => (index % 3 === 0 ? ['HHG', ''] : ['', 'many']));
  const { body } = await upload(service.api, csvOf(['shipmentType', 'estimatedWeight'], lines));
  expect(body).toMatchObject({ toCreate: 30, refused: 60 });
  expect(body.firstChanges.map(({ line }: Json) => line)).toEqual(Array.from({ length: 20 }, (_, n) => 2 + 3 * n));
  expect(body.firstFaults).toHaveLength(20);
  expect(body.firstFaults.slice(0, 3).map(({ line, column, code }: Json) => [line, column, code])).toEqual([
    [3, 'shipmentType', 'REQUIRED'],
    [3, 'estimatedWeight', 'WRONG_TYPE'],
    [4, 'shipmentType', 'REQUIRED'],
  ]);
});

test('a row is refused with the problem of its single request, and each fault names its column', async () => {
  const { id, eTag } = await createShipment(service.api, { pickupDate: '2026-03-01' });
  const other = await createShipment(service.api);
  const file = csvOf(
    ['id', 'eTag', 'shipmentType', 'status', 'deliveryDate', 'estimatedWeight', 'moveID'],
    [
      [id, '', 'HHG', '', '', '', ''],
      [UNKNOWN_ID, eTag, 'HHG', '', '', '', ''],
      ['not an id', eTag, 'HHG', '', '', '', ''],
      [other.id, 'not an eTag', 'HHG', 'SUBMITTED', '', '', other.moveID],
      ['', eTag, 'HHG', '', '', '', ''],
      ['', '', 'HHG', 'APPROVED', '2026-02-30', '12 pounds', ''],
      ['', '', 'HHG', '', '', '', UNKNOWN_ID],
      [other.id, other.eTag, 'HHG', 'APPROVED', '', '-5', other.moveID],
    ],
  );
  expect(await outcomesOf(file)).toEqual([
    [2, 'refused', ['eTag', 'PRECONDITION_REQUIRED']],
    [3, 'refused', ['id', 'NOT_FOUND']],
    [4, 'refused', ['id', 'NOT_FOUND']],
    [5, 'refused', ['eTag', 'INVALID_ETAG']],
    [6, 'refused', ['id', 'REQUIRED']],
    [7, 'refused', ['status', 'READ_ONLY'], ['deliveryDate', 'INVALID_DATE'], ['estimatedWeight', 'WRONG_TYPE']],
    [8, 'refused', ['moveID', 'UNKNOWN_MOVE']],
    [9, 'refused', ['id', 'DUPLICATE_ID']],
  ]);
  const again = csvOf(
    ['id', 'eTag', 'status', 'deliveryDate'],
    [
      [id, eTag, 'SUBMITTED', '2026-02-01'],
      [other.id, other.eTag, 'APPROVED', ''],
      [other.id, other.eTag, 'SUBMITTED', ''],
    ],
  );
  expect(await outcomesOf(again)).toEqual([
    [2, 'refused', ['deliveryDate', 'DATES_OUT_OF_ORDER']],
    [3, 'refused', ['status', 'READ_ONLY']],
    [4, 'refused', ['id', 'DUPLICATE_ID']],
  ]);
});

test('only columns of the file count, and a part is cleared when all its cells are', async () => {
  const { id, eTag } = await createShipment(service.api, { destinationAddress: ADDRESS, customerRemarks: 'kept' });
  const columns = ['streetAddress1', 'city', 'state', 'postalCode'].map((name) => `destinationAddress.${name}`);
  const rows = await rowsOf(
    service.api,
    await imported(service.api, csvOf(['id', 'eTag', ...columns], [[id, eTag, '', '', '', '']])),
  );
  expect(rows[0]).toMatchObject({ outcome: 'change' });
  expect(rows[0].changes).toContainEqual({ field: 'destinationAddress/city', from: 'Springfield', to: null });
  expect(rows[0].changes.map(({ field }: never) => field)).not.toContain('customerRemarks');
  const one = csvOf(['id', 'eTag', 'destinationAddress.city'], [[id, eTag, '']]);
  expect(await outcomesOf(one)).toEqual([[2, 'refused', ['destinationAddress.city', 'REQUIRED']]]);
});

test('commas or semicolons, a byte order mark, empty rows, any line break, and compressed', async () => {
  const { moveCode } = await createMove(service.api);
  const files: [string | Uint8Array<ArrayBuffer>, object?][] = [
    [`\uFEFFshipmentType;customerRemarks;moveID\r\nHHG;"a;b, ""c""\r\nd";${moveCode}\r\n;;\r\n\r\n`],
    [`shipmentType,customerRemarks,moveID\nHHG,"a;b, ""c""\r\nd",${moveCode}\n`],
    [
      gzipSync(`shipmentType,customerRemarks,moveID\nHHG,"a;b, ""c""\r\nd",${moveCode}`),
      { 'Content-Encoding': 'gzip' },
    ],
  ];
  for (const [file, headers] of files) {
    const rows = await rowsOf(service.api, await imported(service.api, file, headers));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ line: 2, outcome: 'create' });
    expect(rows[0].changes).toContainEqual({ field: 'customerRemarks', from: null, to: 'a;b, "c"\r\nd' });
  }
});

test('JSON lines as the API writes them', async () => {
  const shipment = await createShipment(service.api, { destinationAddress: ADDRESS });
  const changed = { ...shipment, destinationAddress: { ...shipment.destinationAddress, city: 'Shelbyville' } };
  const lines = [shipment, { shipmentType: 'NTS', estimatedWeight: 'heavy' }, { shipmentType: 'NTS' }, { nothing: 1 }];
  const file = lines.map((line) => `${JSON.stringify(line)}\n`).join('\n');
  expect(await outcomesOf(file, JSON_LINES)).toEqual([
    [1, 'unchanged'],
    [3, 'refused', ['estimatedWeight', 'WRONG_TYPE']],
    [5, 'create'],
    [7, 'refused', ['nothing', 'UNKNOWN_FIELD'], ['shipmentType', 'REQUIRED']],
  ]);
  const [row] = await rowsOf(service.api, await imported(service.api, JSON.stringify(changed), JSON_LINES));
  expect(row.changes).toEqual([{ field: 'destinationAddress/city', from: 'Springfield', to: 'Shelbyville' }]);
});

test('rows come in pages, by outcome', async () => {
  const lines = Array.from({ length: 7 }, (_, index) => [index % 2 === 0 ? 'HHG' : '', `row ${index}`]);
  const { id } = await imported(service.api, csvOf(['shipmentType', 'customerRemarks'], lines));
  const pages = await walk(service.api, `/v1/imports/${id}/rows?limit=2&outcome=create`);
  expect(pages.map((page) => page.map(({ line }) => line))).toEqual([
    [2, 4],
    [6, 8],
  ]);
  expectProblem(await service.api.get(`/v1/imports/${id}/rows?outcome=lost`), 400, 'INVALID_PARAMETER');
  expectProblem(await service.api.get(`/v1/imports/${UNKNOWN_ID}/rows`), 404, 'NOT_FOUND');
  expectProblem(await service.api.get('/v1/imports/P9DS53/rows'), 404, 'NOT_FOUND');
});

test('a repetition with the same key is the same import; another file is another request', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const file = csvOf(['shipmentType'], [['HHG']]);
  const first = await upload(service.api, file, headers);
  const second = await upload(service.api, file, headers);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  const other = await upload(service.api, csvOf(['shipmentType'], [['NTS']]), headers);
  expectProblem(other, 422, 'IDEMPOTENCY_MISMATCH');
  const { rows } = await service.sql.query(
    'SELECT count(DISTINCT import_id)::int AS n FROM import_rows WHERE NOT EXISTS (SELECT FROM imports WHERE id = import_id)',
  );
  expect(rows).toEqual([{ n: 0 }]);
});

test('imports are listed newest first, a page at a time', async () => {
  const files = [];
  for (let index = 0; index < 3; index += 1) files.push(await imported(service.api, 'shipmentType\nHHG\n'));
  const [first, second, third] = files.map(({ id }) => id as string);
  const newest = await service.api.get<Json[]>('/v1/imports?limit=2');
  expect(newest.body.map(({ id }) => id)).toEqual([third, second]);
  const [following] = (await service.api.get<Json[]>(nextOf(newest.headers) ?? '')).body;
  expect(following).toEqual((await service.api.get(`/v1/imports/${first}`)).body);
});
