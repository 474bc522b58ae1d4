import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { PagingQuery } from '../../src/records/paging.js';
import { MOVES } from '../../src/model/move.entity.js';
import { NameOf } from '../../src/records/resource.js';
import { hasForbiddenCharacter, isBlank, textPattern } from '../../src/validation/characters.js';
import { brokenRule, fieldsOf, readTexts } from '../../src/validation/fields-of.js';
import { schemaOfProperty } from '../../src/validation/json-schema.decorator.js';
import { CalendarDate, ETagText, NotEmpty, OneOf, Text, Timestamp, WholeNumber } from '../../src/validation/rules.js';
import { AGENTS } from '../../src/model/agent.entity.js';
import { shareOf } from '../support/repository/sweeps.js';

const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);

class Everything {
  @Text(5)
  text!: unknown;

  @Text(5, { blank: true })
  blank!: unknown;

  @Text(5, { lines: true })
  lines!: unknown;

  @Text(5, { lines: true, blank: true })
  blankLines!: unknown;

  @NotEmpty()
  @Text(5, { blank: true })
  notEmpty!: unknown;

  @CalendarDate()
  date!: unknown;

  @Timestamp()
  moment!: unknown;

  @ETagText()
  eTag!: unknown;

  @WholeNumber(1, 10)
  number!: unknown;

  @OneOf(['A', 'B'])
  choice!: unknown;

  @NameOf(AGENTS)
  id!: unknown;

  @NameOf(MOVES)
  idOrCode!: unknown;
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
  'a\u200b',
  '\u200b',
  'a\u202eb',
  '\ufeff',
  'a\u2028',
  'a\ufff9',
  '\ufe0f',
  '❤\ufe0f',
  '葛\u{e0100}',
  '\u2800',
  '\u3000a',
  '\u00a0',
  '\ufffd',
  '\u{10ffff}',
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
const CODES = ['K7RM4W', 'k7rm4w', 'K7RM4', 'K7RM4WA', 'K0RM4W', 'K7RM4W\n'];
const MOMENTS = [
  '2026-01-31T12:00:00Z',
  '2026-01-31T12:00:00+01:00',
  '2026-01-31',
  '2026-01-31T25:00:00Z',
  '2026-02-30T12:00:00Z',
  '2026-01-31T12:00:00',
  '1899-12-31T12:00:00Z',
  '1900-01-01T00:00:00.123456-23:59',
  '0001-01-01T00:00:00Z',
  '2199-12-31T23:59:59Z',
  '2200-01-01T00:00:00Z',
];
const WRITTEN = [...TEXTS, ...DATES, ...IDS, ...CODES, ...MOMENTS, 'A', 'C', 'f'.repeat(64)];
const VALUES = [...WRITTEN, 0, 1, 10, 11, 1.5, -1, 1e300, true, [], {}, ['A']];
const FIELDS = fieldsOf(Everything).map((field) => [field.name, field] as const);

test.each(FIELDS)('the schema of a field takes what its rules take: %s', (name, field) => {
  const bySchema = ajv.compile(schemaOfProperty(Everything, name));
  const judgements = new Set<boolean>();
  for (const value of VALUES) {
    const isFine = brokenRule(field, value, { [name]: value }) === undefined;
    expect([name, value, bySchema(value)]).toEqual([name, value, isFine]);
    judgements.add(isFine);
  }
  expect([...judgements].sort()).toEqual([false, true]);
});

test.each(FIELDS)('the schema of a field takes what its rules take when it is written as a text: %s', (name) => {
  const schema = schemaOfProperty(Everything, name);
  const bySchema = ajv.compile(schema);
  const judgements = new Set<boolean>();
  for (const written of [...WRITTEN, '0', '1', '10', '11', '200', '201']) {
    // A schema speaks of the number that a text stands for.
    const value = schema.type === 'integer' && /^\d+$/.test(written) ? Number(written) : written;
    const isFine = readTexts(Everything, { [name]: written }).broken.length === 0;
    expect([written, bySchema(value)]).toEqual([written, isFine]);
    judgements.add(isFine);
  }
  expect([...judgements].sort()).toEqual([false, true]);
});

test.each(['1', '010', '1e1', ' 1', '1.0', '+1', '0x1', '9007199254740993'])(
  'a number is read from %p in one way',
  (written) => {
    const { values, broken } = readTexts(Everything, { number: written });
    expect([values.number, broken.length]).toEqual(written === '1' ? [1, 0] : [written, 1]);
  },
);

test('the schema of a cursor takes a cursor', () => {
  const cursor = Buffer.from(`-createdAt ${IDS[0]}`).toString('base64url');
  expect(readTexts(PagingQuery, { cursor }).broken).toEqual([]);
  expect(ajv.validate(schemaOfProperty(PagingQuery, 'cursor'), cursor)).toBe(true);
});

/** The basic plane, and the others in which Unicode has put anything but private characters. */
const BASIC = [...codesFrom(0, 0xd800), ...codesFrom(0xe000, 0x10000)];
const BEYOND = [...codesFrom(0x10000, 0x40000), ...codesFrom(0xe0000, 0xf0000)];
/** No pattern that all tools understand can name these, so the document is laxer here than the check. */
const HIDDEN_BEYOND = /[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;
const HIDDEN = /(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]/u;

function codesFrom(first: number, end: number): string[] {
  return Array.from({ length: end - first }, (_, index) => String.fromCodePoint(first + index));
}

/** Beyond the basic plane, most characters are alike: a share of them, and all that are hidden. */
const CHARACTERS = [
  ...BASIC,
  ...shareOf(BEYOND, 0, 16),
  ...BEYOND.filter((character) => HIDDEN_BEYOND.test(character) || HIDDEN.test(character)),
];

/** The code points that one answer is given for and not the other. */
function differing(one: (character: string) => boolean, other: (character: string) => boolean): string[] {
  expect(new Set(CHARACTERS.map(one)).size).toBe(2);
  return CHARACTERS.filter((character) => one(character) !== other(character)).map((character) =>
    Number(character.codePointAt(0)).toString(16),
  );
}

test.each(['short', 'long'] as const)('every character of Unicode is judged alike by pattern and check: %s', (kind) => {
  const [any, inked] = [new RegExp(textPattern(kind, false), 'u'), new RegExp(textPattern(kind, true), 'u')];
  const isForbidden = (character: string) => hasForbiddenCharacter(character, kind);
  const isTold = (code: string) => !HIDDEN_BEYOND.test(String.fromCodePoint(Number.parseInt(code, 16)));
  expect(differing((character) => !any.test(character), isForbidden).filter(isTold)).toEqual([]);
  expect(
    differing(
      (character) => !inked.test(character),
      (character) => isForbidden(character) || isBlank(character),
    ).filter(isTold),
  ).toEqual([]);
});

test('what is forbidden and what is blank is what Unicode says is hidden, a control, a separator or a blank', () => {
  const inShort = (character: string) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(character) || HIDDEN.test(character);
  const inLong = (character: string) => /\p{Cc}/u.test(character) && !/[\t\n\r]/.test(character);
  expect(differing((character) => hasForbiddenCharacter(character, 'short'), inShort)).toEqual([]);
  expect(differing((character) => hasForbiddenCharacter(character, 'long'), inLong)).toEqual([]);
  const hasInk = (character: string) => /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(character);
  expect(differing((character) => !isBlank(character), hasInk)).toEqual([]);
});

test('half of a surrogate pair is forbidden in every text', () => {
  for (const kind of ['short', 'long'] as const) expect(hasForbiddenCharacter('a\ud83d', kind)).toBe(true);
});

test('a pattern takes no longer than the text is long', () => {
  const pattern = new RegExp(textPattern('short', true), 'u');
  expect(pattern.test(`${'a'.repeat(1_000_000)}\u0000`)).toBe(false);
});
