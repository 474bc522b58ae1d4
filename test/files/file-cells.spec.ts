// Not through PgBouncer: it checks functions and answers that no connection affects.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { cellOf, guardedCell, spreadsheetCellOf, valueOf } from '../../src/files/cells.js';
import { columnsOf, type Column, type FileKind } from '../../src/files/columns.js';
import { BYTE_ORDER_MARK, csvLines } from '../../src/files/csv.js';
import { MOVE_FILES } from '../../src/moves/dto/move-fields.js';
import { hasForbiddenCharacter } from '../../src/validation/characters.js';
import { SHIPMENT_FILES } from '../../src/shipments/dto/shipment-fields.js';
import { STATUSES } from '../../src/model/shipment-status.js';
import { repetitions } from '../support/repository/sweeps.js';

const COLUMN: Column = { path: 'remarks', names: ['remarks'], kind: 'text' };

const asCell = (remarks: unknown, kind: Column['kind'] = 'text') => cellOf({ remarks }, { ...COLUMN, kind });

describe('the columns', () => {
  const shown = (files: FileKind) => columnsOf(files).map(({ path, kind }) => `${path} ${kind}`);

  const address = (name: string) =>
    ['streetAddress1', 'streetAddress2', 'streetAddress3', 'city', 'state', 'postalCode', 'country'].map(
      (field) => `${name}.${field} text`,
    );

  test('of shipments are the fields of the record and what a client may write of its addresses', () => {
    expect(shown(SHIPMENT_FILES)).toEqual([
      'id id',
      'shipmentCode text',
      'moveID id',
      'shipmentType text',
      'status enum',
      'rejectionReason text',
      'pickupDate date',
      'deliveryDate date',
      'estimatedWeight number',
      'actualWeight number',
      'customerRemarks text',
      ...address('pickupAddress'),
      ...address('destinationAddress'),
      'createdAt timestamp',
      'updatedAt timestamp',
      'eTag id',
    ]);
  });

  test('of moves are the fields of the record', () => {
    expect(shown(MOVE_FILES)).toEqual([
      'id id',
      'moveCode text',
      'orderID text',
      'remarks text',
      'createdAt timestamp',
      'updatedAt timestamp',
      'eTag id',
    ]);
  });
});

describe('a cell', () => {
  const FORMULAS = ['=1+1', '+1 555 0100', '-5', '@SUM(A1)', '\tx', '\rx', '\n=1', '＝1+1', '＋1', '－5', '＠SUM(A1)'];

  test.each([...FORMULAS, "''", "'", "'=1", "''＝1"])(
    'of the text %j has one apostrophe in front, and import takes exactly one away',
    (text) => {
      expect(asCell(text)).toBe(`'${text}`);
      expect(valueOf(`'${text}`, COLUMN)).toBe(text);
    },
  );

  test.each(["'s-Hertogenbosch", "'t Zand", "''quoted", 'a=1', ' =1', '007', '1e5', 'x', '"=1"', '0'])(
    'of the text %j is the text',
    (text) => {
      expect(asCell(text)).toBe(text);
      expect(valueOf(text, COLUMN)).toBe(text);
    },
  );

  test('distinguishes null from an empty text', () => {
    expect([asCell(null), asCell('')]).toEqual(['', "'"]);
    expect([valueOf('', COLUMN), valueOf("'", COLUMN)]).toEqual([null, '']);
  });

  test('of an address that is not there is empty', () => {
    expect(cellOf({ address: null }, { ...COLUMN, names: ['address', 'city'] })).toBe('');
  });

  test('of a number or a date is never guarded', () => {
    expect(asCell(-5, 'number')).toBe('-5');
    expect(asCell('2026-04-01', 'date')).toBe('2026-04-01');
  });

  test.each(FORMULAS)(
    'of the text %j in a column of numbers, dates, enums or ids is guarded, and import takes the guard away',
    (written) => {
      for (const kind of ['number', 'date', 'enum', 'id'] as const) {
        expect(asCell(written, kind)).toBe(`'${written}`);
        expect(valueOf(`'${written}`, { ...COLUMN, kind })).toBe(written);
      }
    },
  );

  test.each(['4,500', '4500.0', '1e3', '007', '-5', "'5", ' 5', 'heavy'])(
    'with %j instead of a number stays a text, which no number field takes',
    (written) => {
      expect(valueOf(written, { ...COLUMN, kind: 'number' })).toBe(written);
    },
  );
});

describe('in a file for spreadsheets, a cell', () => {
  const cellFor = (remarks: unknown, kind: Column['kind'] = 'text') =>
    spreadsheetCellOf({ remarks }, { ...COLUMN, kind });

  test.each([
    ...['02134', '007', '00', '1.50', '1,000', '1 000', '4.5', '2134-5', '03/04', '1/2/2026', '2026-12-01', '12:30'],
    ...[
      '1E5',
      '2345e6',
      '1.5E+3',
      '2345E6-02',
      '123456789012',
      '50%',
      '$5',
      '(5)',
      '1 1/2',
      '5 €',
      ' 007',
      '.5',
      '５０１',
    ],
    ...[
      '1\u00a0000',
      '1\u202f000',
      "1'000",
      '12:30 PM',
      '3 p',
      'JUNE23',
      'JUNE23-02',
      'Dec 1',
      '1. Dez. 2026',
      'MARCH1',
    ],
    ...['1-Dec-26', '5 mai', 'Mär 26', '2026-12-01T10:30:00Z', 'TRUE', 'false', 'Wahr', '1'.repeat(255)],
  ])('of the text %j is a formula for it', (text) => {
    expect(cellFor(text)).toBe(`="${text}"`);
    for (const kind of ['text', 'enum', 'id', 'date'] as const) {
      expect(valueOf(`="${text}"`, { ...COLUMN, kind })).toBe(text);
    }
    expect(guardedCell(`="${text}"`)).toBe(`="${text}"`);
  });

  test.each([
    ...['0', '5', '62701', '12345678901', 'x', '12 Main Street', 'Apt 4', 'P9DS53-02', 'K1A 0B1', 'May', 'E', 'b1e5'],
    ...["'007", '1"2', '12\n13', '1'.repeat(256), 'SUBMITTED', '0190f3e1-6b7c-7d3e-8f4a-5b6c7d8e9f0a', "it's 5", '№ 5'],
  ])('of the text %j is the same as in any file', (text) => {
    expect(cellFor(text)).toBe(asCell(text));
    // Written by somebody, it is a text like any other formula.
    expect(valueOf(`="${text}"`, COLUMN)).toBe(`="${text}"`);
    expect(guardedCell(`="${text}"`)).toBe(`'="${text}"`);
  });

  test.each(['="02134"', '="x"', '="', '=""', '-5', '+1 555 0100'])('of the formula %j is guarded', (text) => {
    expect(cellFor(text)).toBe(`'${text}`);
    expect(valueOf(`'${text}`, COLUMN)).toBe(text);
  });

  test('of a date is a formula for it; a number and a timestamp are as in any file', () => {
    const time = '2026-12-01T10:30:00.000Z';
    expect(cellFor('2026-12-01', 'date')).toBe('="2026-12-01"');
    expect([cellFor(4500, 'number'), cellFor(time, 'timestamp')]).toEqual(['4500', time]);
    expect([cellFor(null), cellFor(null, 'date'), cellFor('')]).toEqual(['', '', "'"]);
  });
});

test('a cell with a line break of any kind, a quote or anything that is a delimiter somewhere is quoted, and lines end with CRLF', () => {
  const cells = ['a\nb', 'c\rd', 'e\r\nf', 'g"h', 'i,j', 'k;l', 'm\tn', 'o p'];
  expect(csvLines([cells, ['']])).toBe('"a\nb","c\rd","e\r\nf","g""h","i,j","k;l","m\tn",o p\r\n\r\n');
});

test('a text may begin with any character, behind an apostrophe or not', () => {
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCodePoint(code));
  const texts = characters
    .flatMap((each) => [each, `'${each}x`])
    .filter((each) => !hasForbiddenCharacter(each, 'long'));
  expect(texts.length).toBeGreaterThan(110_000);
  const rows = parse(csvLines(texts.map((each) => [asCell(each), 'x'])));
  expect(texts.filter((each, index) => valueOf(rows[index]?.[0] ?? '', COLUMN) !== each)).toEqual([]);
});

const SPECIAL = [...'=+-@＝＋－＠\t\r\n\'",; \\0', '\r\n', '""', BYTE_ORDER_MARK];
const character = fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
const text = fc
  .array(character, { maxLength: 12 })
  .map((characters) => characters.join(''))
  .filter((each) => !hasForbiddenCharacter(each, 'long'));
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Texts that a spreadsheet may take for numbers and dates, and formulas for them. */
const numberLike = fc
  .array(fc.constantFrom(...'0123456789.,:/-e %("\'=', 'Dec', 'pm', '＝', '１'), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
  .chain((each) => fc.constantFrom(each, `="${each}"`, `'="${each}"`));

const VALUES: Readonly<Record<Column['kind'], fc.Arbitrary<string | number>>> = {
  text: fc.oneof(text, numberLike),
  enum: fc.constantFrom(...STATUSES),
  date: day,
  timestamp: day.map((each) => `${each}T00:00:00.000Z`),
  number: fc.integer({ min: 1, max: 1_000_000 }),
  id: fc.uuid(),
};

/** The record that has these values in these columns. */
function recordOf(columns: readonly Column[], values: readonly unknown[]): object {
  const record: Record<string, unknown> = {};
  for (const [index, { names }] of columns.entries()) {
    const [first = '', second] = names;
    if (second === undefined) record[first] = values[index];
    else record[first] = { ...(record[first] as object | undefined), [second]: values[index] };
  }
  return record;
}

describe.each([',', ';'])('a file with %j between its cells', (delimiter) => {
  test.each([
    ['shipments', SHIPMENT_FILES],
    ['moves', MOVE_FILES],
  ])('brings back every value that %s can have', (_, kind) => {
    const columns = columnsOf(kind);
    const row = fc.tuple(...columns.map((column) => fc.option(VALUES[column.kind], { freq: 4 })));
    const rows = fc.array(row, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rows, fc.boolean(), (written, excel) => {
        const header = columns.map(({ path }) => path);
        const write = excel ? spreadsheetCellOf : cellOf;
        const lines = written.map((values) => columns.map((column) => write(recordOf(columns, values), column)));
        const file = (excel ? BYTE_ORDER_MARK : '') + csvLines([header, ...lines], delimiter);
        const [names, ...cells] = parse(file, { delimiter, bom: true });
        expect(names).toEqual(header);
        expect(cells.map((each) => columns.map((column, at) => valueOf(each[at] ?? '', column)))).toEqual(written);
      }),
      { numRuns: repetitions(100, 40) },
    );
  });
});
