import { gzipSync } from 'node:zlib';
import type { Json } from '../support/http/api.js';
import { imported, resultOf, rowsOf } from '../support/records/imports.js';
import { useService } from '../support/service/service.js';

/** Files in the encodings and with the delimiters that spreadsheets save. */
const service = useService();

/** Every printable character of Windows-1252 beyond ASCII. */
const WESTERN =
  '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ' + Array.from({ length: 96 }, (_, at) => String.fromCharCode(0xa0 + at)).join('');

/** The bytes of a text in Windows-1252. */
function western(text: string): Uint8Array<ArrayBuffer> {
  const high = [
    ...[0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94, 0x95],
    ...[0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f],
  ];
  return Uint8Array.from(text, (each) => {
    const at = WESTERN.indexOf(each);
    return at >= 0 && at < high.length ? (high[at] ?? 0) : each.charCodeAt(0);
  });
}

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const bigEndian = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());

/** The remarks that the rows of a file would write. */
async function remarksIn(file: string | Uint8Array<ArrayBuffer>, headers?: object): Promise<unknown[]> {
  const rows = await rowsOf(service.api, await imported(service.api, file, headers));
  return rows.map(({ changes }) => changes.find(({ field }: Json) => field === 'customerRemarks')?.to);
}

const fileOf = (text: string, delimiter = ',') =>
  `shipmentType${delimiter}customerRemarks\r\nHHG${delimiter}${text}\r\n`;

test('every character of Windows-1252, which is read where the bytes are no UTF-8', async () => {
  expect(await remarksIn(western(fileOf(WESTERN)))).toEqual([WESTERN]);
  expect(await remarksIn(fileOf(WESTERN))).toEqual([WESTERN]);
});

test.each(['Straße', 'CAFÉ’S à la carte', '„Spaß“', 'Übergröße – 5 €', 'São Paulo', 'à côté', 'ÀÉÎÕÜ'])(
  'the text %j in each encoding',
  async (text) => {
    const file = fileOf(text);
    const packed = { 'Content-Encoding': 'gzip' };
    expect(await remarksIn(western(file))).toEqual([text]);
    expect(await remarksIn(new Uint8Array(gzipSync(western(file))), packed)).toEqual([text]);
    expect(await remarksIn(utf16(`\uFEFF${file}`))).toEqual([text]);
    expect(await remarksIn(utf16(file))).toEqual([text]);
    expect(await remarksIn(bigEndian(`\uFEFF${file}`))).toEqual([text]);
    expect(await remarksIn(bigEndian(file))).toEqual([text]);
    expect(await remarksIn(`\uFEFF${file}`)).toEqual([text]);
  },
);

test('a character may lie across the borders of the parts in which a file is read', async () => {
  // Both characters have an even number of bytes in UTF-8 and in UTF-16, so the odd beginning puts borders into the middle of them.
  const text = '🚚é'.repeat(300);
  const file = `shipmentType,customerRemarks\r\n${`HHG,${text}\r\n`.repeat(150)}`;
  const expected = Array.from({ length: 150 }, () => text);
  expect(await remarksIn(file)).toEqual(expected);
  expect(await remarksIn(file.replace('HHG', 'HH'))).toEqual(expected);
  expect(await remarksIn(utf16(file))).toEqual(expected);
  expect(await remarksIn(bigEndian(`\uFEFF${file}`))).toEqual(expected);
});

test.each([',', ';', '\t'])('cells between %j, with the other delimiters inside of quotes', async (delimiter) => {
  const file = fileOf('"a,b;c\td"', delimiter);
  expect(await remarksIn(file)).toEqual(['a,b;c\td']);
  expect(await remarksIn(utf16(`\uFEFF${file}`))).toEqual(['a,b;c\td']);
});

test('a result has the delimiter of its file, and is UTF-8 in any case', async () => {
  const ready = await imported(service.api, utf16('\uFEFFshipmentType\tcustomerRemarks\r\n\tcafé\r\n'));
  expect(ready).toMatchObject({ refused: 1 });
  const [header, row] = (await resultOf(service.url, ready)).split('\r\n');
  expect(header).toBe('shipmentType\tcustomerRemarks\terror\tchangedBy\tchangedAt');
  expect(row).toBe('\tcafé\tshipmentType is required (REQUIRED)\t\t');
});
