import fc from 'fast-check';
import type { Schema } from '../../../../src/validation/json-schema.js';
import type { Description } from '../description.js';
import { brokenTexts, hidingTexts, pieces, tooLong } from './texts.js';
import { chosen, isEcho, valid } from './valid.js';

/** A value with one fault: what it is, and the JSON pointer to its place. */
export interface Faulty {
  readonly value: unknown;
  readonly pointer: string;
  readonly fault: string;
}

type Fields = Record<string, unknown>;

/** Values that are rejected although no pattern of the document excludes them. */
const [BROKEN, HIDDEN] = ['broken Unicode', 'a character hidden beyond the basic plane'];
const BEYOND_PATTERNS = [BROKEN, HIDDEN];

/** Values that a schema allows but for one fault: a generator for each place that can have one. */
export function faultsOf(description: Description, schema: Schema): fc.Arbitrary<Faulty>[] {
  const resolved: Schema = description.resolve(schema);
  const parts = (resolved.anyOf ?? [resolved]).map((part) => description.resolve(part) as Schema);
  const object = parts.find(({ properties }) => properties !== undefined);
  const wrongs = wrongValues(resolved).filter(({ value, fault }) => {
    return BEYOND_PATTERNS.includes(fault) || !description.isValid(schema, value);
  });
  if (object === undefined) return [wrongs.map((wrong) => ({ ...wrong, pointer: '' }))];
  const noObjects = wrongs.filter(({ value }) => typeof value !== 'object' || value === null || Array.isArray(value));
  return [noObjects.map((wrong) => ({ ...wrong, pointer: '' })), ...faultsOfObject(description, object)];
}

/** Values that a schema allows but for one fault, wherever it is. */
export function invalid(description: Description, schema: Schema): fc.Arbitrary<Faulty> {
  return fc.oneof(...faultsOf(description, schema));
}

interface Wrong {
  readonly value: unknown;
  readonly fault: string;
}

/** Values of other types, and values of the type that are out of bounds; some are fine after all. */
function wrongValues(schema: Schema): fc.Arbitrary<Wrong> {
  const of = (fault: string, arbitrary: fc.Arbitrary<unknown>) => arbitrary.map((value) => ({ value, fault }));
  const others = of(
    'a value of another type',
    fc.constantFrom<unknown>(null, true, false, 0, 7, 1.5, -1, '', 'text', '7', [], ['a'], [{}], {}, { a: 1 }),
  );
  const types = [schema.type].flat();
  if (types.includes('string')) return fc.oneof(others, ...wrongTexts(schema).map(([fault, made]) => of(fault, made)));
  if (types.includes('integer')) return fc.oneof(others, of('a number out of bounds', wrongNumbers(schema)));
  return others;
}

function wrongTexts({ maxLength, pattern, format, enum: options }: Schema): [string, fc.Arbitrary<string>][] {
  const made: [string, fc.Arbitrary<string>][] = [
    ['a text that does not fit', fc.array(pieces, { maxLength: 8 }).map((all) => all.join(''))],
    ['a blank text', fc.constantFrom('', ' ', '   ', '\u00a0', '\u3000', '\u200b', '\u2800', '\ufe0f', ' \u200d ')],
  ];
  if (maxLength !== undefined) made.push(['a text that is too long', tooLong(maxLength)]);
  if (pattern?.includes('[^')) {
    made.push([BROKEN, brokenTexts]);
    if (!new RegExp(pattern, 'u').test('a\u200b')) made.push([HIDDEN, hidingTexts]);
  }
  if (options !== undefined) made.push(['no such choice', fc.constantFrom(...options.map(String)).map(misspelt)]);
  if (format === 'date') made.push(['no day', fc.constantFrom(...NO_DAYS)]);
  return made;
}

const NO_DAYS = [
  ...['2026-02-30', '1900-02-29', '2026-13-01', '2026-00-10', '1899-12-31', '2200-01-01', '2026-1-1', '20260101'],
  ...['2026-01-01T00:00:00Z', ' 2026-01-01', '2026-01-01\n', '2026-01-01\u0000', 'today', '-infinity', '٢٠٢٦-٠١-٠١'],
];

function misspelt(choice: string): string {
  return choice.toLowerCase();
}

function wrongNumbers({ minimum = 0, maximum = 0 }: Schema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum - 1, maximum + 1, -0, -maximum, 2 ** 31, 2 ** 53, 1e21, 1e308, 0.5, maximum - 0.5),
    fc.integer({ max: minimum - 1 }),
    fc.integer({ min: maximum + 1 }),
  );
}

function faultsOfObject(description: Description, schema: Schema): fc.Arbitrary<Faulty>[] {
  const base = valid(description, schema) as fc.Arbitrary<Fields>;
  const faults = [...inProperties(description, schema, base), unknownProperty(schema, base), ...echoes(schema, base)];
  for (const name of schema.required ?? []) {
    const without = ({ [name]: _, ...rest }: Fields) => ({ value: rest, pointer: `/${name}`, fault: 'a lack' });
    faults.push(base.map(without));
  }
  return faults;
}

function inProperties(description: Description, schema: Schema, base: fc.Arbitrary<Fields>): fc.Arbitrary<Faulty>[] {
  return chosen(schema).flatMap(([name, property]) =>
    faultsOf(description, property).map((faulty) =>
      fc.tuple(base, faulty).map(([fields, { value, pointer, fault }]) => {
        return { value: { ...fields, [name]: value }, pointer: `/${name}${pointer}`, fault };
      }),
    ),
  );
}

/** Names that are refused as such, wherever they stand, have tests of their own. */
const PROTOTYPES = ['__proto__', 'constructor', 'prototype'];

function unknownProperty(schema: Schema, base: fc.Arbitrary<Fields>): fc.Arbitrary<Faulty> {
  const known = Object.keys(schema.properties ?? {});
  const near = known.flatMap((name) => [name.toUpperCase(), `${name} `, ` ${name}`]);
  const names = fc
    .oneof(
      fc.constantFrom(...near, 'id ', 'isAdmin', '', '/', '~', 'a/b~c', 'hasOwnProperty', 'toString'),
      fc.array(pieces, { maxLength: 6 }).map((all) => all.join('')),
    )
    .filter((name) => !known.includes(name) && !PROTOTYPES.includes(name));
  return fc.tuple(base, names, fc.constantFrom<unknown>(null, 'a', 1, {}, [])).map(([fields, name, value]) => ({
    value: { ...fields, [name]: value },
    pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    fault: 'an unknown field',
  }));
}

/** Fields set by the server, with values that they do not have. */
function echoes(schema: Schema, base: fc.Arbitrary<Fields>): fc.Arbitrary<Faulty>[] {
  const names = Object.entries(schema.properties ?? {}).filter(([, property]) => isEcho(property));
  const others = fc.constantFrom<unknown>(
    'LOST',
    '01900000-0000-7000-8000-000000000000',
    '2026-01-01T00:00:00.000Z',
    7,
    {},
  );
  return names.map(([name]) =>
    fc.tuple(base, others).map(([fields, value]) => {
      return {
        value: { ...fields, [name]: value },
        pointer: `/${name}`,
        fault: 'another value of what the server sets',
      };
    }),
  );
}
