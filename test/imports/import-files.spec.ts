// Not through PgBouncer: it checks functions and answers that no connection affects.
import { gzipSync } from 'node:zlib';
import { MAX_FILE_BYTES, MAX_ROW_BYTES, MAX_ROWS } from '../../src/imports/reading/file-format.js';
import { CSV, JSON_LINES, upload } from '../support/records/imports.js';
import { expectProblem } from '../support/http/problem.js';
import { useService } from '../support/service/service.js';

const service = useService();

const GZIP = { 'Content-Encoding': 'gzip' };
const utf16 = (text: string, mark = '\uFEFF') => new Uint8Array(Buffer.from(mark + text, 'utf16le'));
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
const HEADER = 'shipmentType,customerRemarks';

type Hostile = [about: string, file: string | Uint8Array<ArrayBuffer>, place: object, detail: RegExp, headers?: object];

const UNREADABLE: readonly Hostile[] = [
  ['nothing', '', {}, /is empty/],
  ['a header alone', `${HEADER}\r\n`, {}, /has no rows/],
  ['an unknown column', 'shipmentType,delivery\r\nHHG,x', { line: 1, column: 'delivery' }, /not a column/],
  ['a misspelt column', 'shipmenttype\r\nHHG', { line: 1, column: 'shipmenttype' }, /did you mean shipmentType/],
  ['a byte order mark alone', '\uFEFF', {}, /is empty/],
  ['empty lines alone', '\r\n\r\n', {}, /is empty/],
  ['a quote alone', '"', { line: 1 }, /never closed/],
  ['the header twice', `${HEADER}\r\nHHG,x\r\n${HEADER}\r\nHHG,y\r\n`, { line: 3 }, /is the header again/],
  [
    'dates in both orders',
    'shipmentType,pickupDate\r\nHHG,12/25/2026\r\nHHG,25/12/2026\r\n',
    { line: 3, column: 'pickupDate' },
    /can only be read with dates=DMY, but .* only with dates=MDY/,
  ],
  [
    'numbers with both decimal signs',
    'shipmentType,estimatedWeight\r\nHHG,"1,000.5"\r\nHHG,"1.000,5"\r\n',
    { line: 3, column: 'estimatedWeight' },
    /can only be read with decimal=,, but .* only with decimal=\./,
  ],
  ['a column twice', 'id,eTag,id\r\na,b,c', { line: 1, column: 'id' }, /is a duplicate/],
  ['a column without a name', 'id,,eTag\r\na,b,c', { line: 1 }, /without a name/],
  ['a cell behind the last column', `${HEADER},,\r\nHHG,x,,\r\nHHG,x,,y\r\n`, { line: 3 }, /the row has 4 cells/],
  ['nothing that can be imported', 'error,theirs:city\r\na,b', { line: 1 }, /no importable column/],
  ['a million columns', `${'a,'.repeat(1_000_000)}\r\n`, {}, /more than 200 columns/],
  ['a row of delimiters alone', `${HEADER}\r\n${','.repeat(5_000_000)}\r\n`, {}, /more than 200 columns/],
  [
    'columns of a result without end',
    `${Array.from({ length: 5000 }, (_, n) => `theirs:${n}`).join()}\r\n`,
    {},
    /more than 200 columns/,
  ],
  ['a cell too many', `${HEADER}\r\nHHG,x\r\nHHG,x,y\r\n`, { line: 3 }, /the row has 3 cells/],
  ['a cell too few', `${HEADER}\r\nHHG\r\n`, { line: 2 }, /the row has 1 cells/],
  ['a quote inside a cell', `${HEADER}\r\nHHG,5" nails\r\n`, { line: 2, column: 'customerRemarks' }, /quote/],
  ['a lone quote', `${HEADER}\r\nHHG,"never closed\r\nHHG,x\r\n`, { line: 2 }, /never closed/],
  ['text after a quote', `${HEADER}\r\nHHG,"a"b\r\n`, { line: 2, column: 'customerRemarks' }, /quote/],
  ['an endless line', `${HEADER}\r\nHHG,"${'x'.repeat(MAX_ROW_BYTES + 1)}"\r\n`, { line: 2 }, /longer than/],
  ['an endless first line', 'x'.repeat(2 * MAX_ROW_BYTES), { line: 1 }, /longer than/],
  ['a null character', bytes(`${HEADER}\r\nHHG,a`, [0], 'b\r\n'), { line: 2 }, /U\+0000/],
  ['UTF-16 with half a pair', utf16(`${HEADER}\r\nHHG,\ud83d\r\n`), {}, /not valid UTF-16/],
  ['UTF-16 that ends in the middle of a character', utf16(`${HEADER}\r\nHHG,x`).slice(0, -1), {}, /not valid UTF-16/],
  ['a null character in UTF-16', utf16(`${HEADER}\r\nHHG,x\0\r\n`), { line: 2 }, /U\+0000/],
  [
    'UTF-8, and Windows-1252 after it',
    bytes(`${HEADER}\r\nHHG,café\r\nHHG,caf`, [0xe9], '\r\n'),
    { line: 3 },
    /not valid UTF-8, but line 2 is/,
  ],
  [
    'Windows-1252, and UTF-8 after it',
    bytes(`${HEADER}\r\nHHG,caf`, [0xe9], '\r\nHHG,café\r\n'),
    { line: 2 },
    /not valid UTF-8, but line 3 is/,
  ],
  ['both in one line', bytes(`${HEADER}\r\nHHG,café caf`, [0xe9], '\r\n'), { line: 2 }, /not valid UTF-8, but line 2/],
  ['Windows-1252 after the mark of UTF-8', bytes(`\uFEFF${HEADER}\r\nHHG,caf`, [0xe9]), { line: 2 }, /not valid UTF-8/],
  ['half of a character at the end', bytes(`${HEADER}\r\nHHG,日本`, [0xe6, 0x97]), { line: 2 }, /not valid UTF-8/],
  ['bytes of no known encoding', bytes(`${HEADER}\r\nHHG,`, [0x81, 0x40], '\r\n'), { line: 2 }, /nor Windows-1252/],
  ['a workbook', bytes([0x50, 0x4b, 3, 4, 20, 0, 6, 0], 'xl/workbook.xml'), {}, /is a workbook/],
  ['an old workbook', bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), {}, /is a workbook/],
  [
    'JSON lines in Windows-1252',
    bytes('{"customerRemarks":"caf', [0xe9], '"}'),
    { line: 1 },
    /not valid UTF-8/,
    JSON_LINES,
  ],
  ['JSON lines in UTF-16', utf16('{"shipmentType":"HHG"}'), {}, /in UTF-16/, JSON_LINES],
  ['JSON lines that are none', '{"shipmentType":"HHG"}\n{"shipmentType":\n', { line: 2 }, /JSON/, JSON_LINES],
  ['JSON lines without objects', '["HHG"]\n', { line: 1 }, /must be a JSON object/, JSON_LINES],
  ['a name twice in JSON', '{"shipmentType":"HHG","shipmentType":"NTS"}', { line: 1 }, /twice/, JSON_LINES],
  ['a null character in JSON', '{"shipmentType":"\\u0000"}', { line: 1 }, /null character/, JSON_LINES],
  ['half a pair in JSON', '{"customerRemarks":"\\ud800"}', { line: 1 }, /surrogate/, JSON_LINES],
  ['an endless line of JSON', `{"a":"${'x'.repeat(MAX_ROW_BYTES)}"}`, { line: 1 }, /longer than/, JSON_LINES],
  ['JSON nested without end', '['.repeat(10_000), { line: 1 }, /./, JSON_LINES],
  ['gzip that is none', `${HEADER}\r\nHHG,x`, {}, /does not match its Content-Encoding/, GZIP],
  [
    'gzip that ends too early',
    new Uint8Array(gzipSync(`${HEADER}\r\nHHG,x`).subarray(0, 20)),
    {},
    /does not match its Content-Encoding/,
    GZIP,
  ],
];

async function expectNothingStored(): Promise<void> {
  const { rows } = await service.sql.query(`
    SELECT (SELECT count(*) FROM imports)::int AS imports, (SELECT count(*) FROM import_rows)::int AS rows,
      (SELECT count(*) FROM history)::int AS history`);
  expect(rows).toEqual([{ imports: 0, rows: 0, history: 0 }]);
}

afterEach(expectNothingStored);

test.each(UNREADABLE.map((row) => [row[0], row] as const))(
  '400 for %s',
  async (_, [, file, place, detail, headers]) => {
    const problem = expectProblem(await upload(service.api, file, headers), 400, 'MALFORMED_FILE');
    expect(problem.detail).toMatch(detail);
    expect({ line: problem.line, column: problem.column }).toEqual({
      line: undefined,
      column: undefined,
      ...place,
    });
  },
);

test('413 for a bomb, which is unpacked no further than to the limit', async () => {
  // Of the two formats the one that is read in less time.
  const row = `{"customerRemarks":"${'x'.repeat(9000)}"}\n`;
  const bomb = gzipSync(row.repeat(MAX_FILE_BYTES / 9000 + 1));
  expect(bomb.length).toBeLessThan(MAX_FILE_BYTES / 100);
  expectProblem(await upload(service.api, new Uint8Array(bomb), { ...JSON_LINES, ...GZIP }), 413, 'TOO_LARGE');
});

test('413 for too many rows, and for too many bytes before they are sent', async () => {
  expectProblem(await upload(service.api, '{}\n'.repeat(MAX_ROWS + 1), JSON_LINES), 413, 'TOO_LARGE');
  const large = new Uint8Array(MAX_FILE_BYTES + 1).fill(0x0a);
  expectProblem(await upload(service.api, large), 413, 'TOO_LARGE');
});

test.each([
  ['application/json', {}],
  ['text/csv; charset=iso-8859-1', {}],
  ['text/csv', { 'Content-Encoding': 'zstd' }],
])('415 for %s %j', async (type, headers) => {
  const answer = await upload(service.api, 'shipmentType\r\nHHG', { ...CSV, 'Content-Type': type, ...headers });
  expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
});
