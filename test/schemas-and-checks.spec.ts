import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { validateSync } from 'class-validator';
import { CalendarDate, fieldsOf, Identifier, OneOf, Text, WholeNumber } from '../src/fields/rules.js';
import { shapeOf } from '../src/fields/shape.js';
import { PAGING } from '../src/http/paging.js';
import * as parameters from '../src/http/parameters.js';
import type { Parameter } from '../src/http/query.js';

const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);

class Everything {
  static readonly readOnly: readonly string[] = [];

  @Text(5)
  text!: unknown;

  @Text(5, { blank: true })
  blank!: unknown;

  @Text(5, { lines: true })
  lines!: unknown;

  @CalendarDate()
  date!: unknown;

  @WholeNumber(1, 10)
  number!: unknown;

  @OneOf(['A', 'B'])
  choice!: unknown;

  @Identifier()
  id!: unknown;
}

const TEXTS = [
  '',
  ' ',
  '\t',
  'a',
  ' a ',
  '12345',
  '123456',
  '👍👍👍👍👍',
  '👍👍👍👍👍👍',
  'a\nb',
  'a\tb',
  '\n',
  'a\u0000',
  'a\u007f',
  'a\u0085',
];
const DATES = [
  '2026-01-31',
  '2026-02-30',
  '2024-02-29',
  '2026-2-3',
  '1899-12-31',
  '2200-01-01',
  '20260131',
  ' 2026-01-31',
];
const IDS = [
  '01900000-0000-7000-8000-000000000000',
  '01900000-0000-7000-8000-00000000000G',
  '{01900000-0000-7000-8000-000000000000}',
];
const VALUES = [...TEXTS, ...DATES, ...IDS, 'A', 'C', 0, 1, 10, 11, 1.5, -1, 1e300, true, [], {}, ['A']];

test.each(fieldsOf(Everything).map(({ name }) => name))(
  'the schema of a field takes what its check takes: %s',
  (name) => {
    const bySchema = ajv.compile(shapeOf(Everything.prototype, name).schema ?? {});
    for (const value of VALUES) {
      const faults = validateSync(Object.assign(new Everything(), { [name]: value }), { stopAtFirstError: true });
      const isFine = !faults.some(({ property }) => property === name);
      expect([name, value, bySchema(value)]).toEqual([name, value, isFine]);
    }
  },
);

const MOMENTS = [
  '2026-01-31T12:00:00Z',
  '2026-01-31T12:00:00+01:00',
  '2026-01-31',
  '2026-01-31T25:00:00Z',
  '2026-02-30T12:00:00Z',
  '2026-01-31T12:00:00',
];
const CURSOR = Buffer.from(IDS[0] ?? '').toString('base64url');

test.each<[string, Parameter<unknown>]>([
  ['uuid', parameters.uuid],
  ['eTag', parameters.eTag],
  ['text', parameters.text(5)],
  ['wholeNumber', parameters.wholeNumber(1, 10)],
  ['oneOf', parameters.oneOf(['A', 'B'])],
  ['calendarDate', parameters.calendarDate],
  ['timestamp', parameters.timestamp],
  ['limit', PAGING.limit],
])('the schema of a query parameter takes what its check takes: %s', (_, { schema, parse }) => {
  const bySchema = ajv.compile(schema);
  for (const written of [
    ...TEXTS,
    ...DATES,
    ...IDS,
    ...MOMENTS,
    'A',
    'C',
    '0',
    '1',
    '10',
    '11',
    '200',
    '201',
    'f'.repeat(64),
  ]) {
    // A schema speaks of the number that a text stands for.
    const value = schema.type === 'integer' && /^\d+$/.test(written) ? Number(written) : written;
    expect([written, bySchema(value)]).toEqual([written, passes(() => parse(written))]);
  }
});

test('the schema of a cursor takes a cursor', () => {
  expect(passes(() => PAGING.cursor.parse(CURSOR))).toBe(true);
  expect(ajv.validate(PAGING.cursor.schema, CURSOR)).toBe(true);
});

function passes(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
