import fc from 'fast-check';
import type { Schema } from '../../../../src/validation/json-schema.js';
import type { Description, Operation, Parameter } from '../description.js';
import { invalid } from './invalid.js';
import { pieces } from './texts.js';
import { valid } from './valid.js';

export type Pairs = readonly (readonly [name: string, value: string])[];

/** A query with one fault, and the name of the parameter that has it. */
export interface FaultyQuery {
  readonly pairs: Pairs;
  readonly name: string;
  readonly fault: string;
}

/** Cursors come only from responses, and this parameter is only for files. */
const NOT_MADE_UP = ['cursor', 'excel'];
/** Excludes others, which no schema can say, and so is sent alone. */
const ALONE = ['version', 'q'];
/** The field that a parameter sorts a list by. One query sorts by one field. */
const SORTED_BY: Readonly<Record<string, string>> = {
  updatedSince: 'updatedAt',
  pickupDateFrom: 'pickupDate',
  pickupDateTo: 'pickupDate',
  deliveryDateFrom: 'deliveryDate',
  deliveryDateTo: 'deliveryDate',
};

/** Values that find something, beside those that are made up. A version is never made up: there must be such a one. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

export function queryParametersOf({ parameters }: Operation): Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

export function written(pairs: Pairs): string {
  const encoded = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return encoded.length === 0 ? '' : `?${encoded.join('&')}`;
}

/** Queries that the document allows: for each parameter of an operation those that have it, alone and with others. */
export function validQueries(
  description: Description,
  operation: Operation,
  known: KnownValues = {},
): fc.Arbitrary<Pairs>[] {
  const parameters = queryParametersOf(operation).filter(({ name }) => !NOT_MADE_UP.includes(name));
  const others = parameters.filter(({ name }) => !ALONE.includes(name));
  return parameters.map((parameter) => {
    const own = validPairs(description, parameter, known);
    if (ALONE.includes(parameter.name)) return own;
    const rest = others
      .filter((other) => other !== parameter)
      .map((other) => sometimes(validPairs(description, other, known)));
    return fc.tuple(own, ...rest).map((lists) => withinDays(sortedByOne(lists.flat())));
  });
}

/** The pairs with a period of one day instead of one that ends before it begins, or is too long. */
function withinDays(pairs: Pairs): Pairs {
  const [, to] = pairs.find(([name]) => name === 'to') ?? [];
  return to === undefined ? pairs : [...pairs.filter(([name]) => name !== 'from'), ['from', to]];
}

/** The pairs without those that would sort by another field than the first of them does. */
function sortedByOne(pairs: Pairs): Pairs {
  const fieldOf = ([name, value]: Pairs[number]) => (name === 'sort' ? value.replace(/^-/, '') : SORTED_BY[name]);
  const field = pairs.map(fieldOf).find((each) => each !== undefined);
  return pairs.filter((pair) => [undefined, field].includes(fieldOf(pair)));
}

/** In one case of four, so that a query of many parameters still finds something. */
function sometimes(pairs: fc.Arbitrary<Pairs>): fc.Arbitrary<Pairs> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant<Pairs>([]) }, { weight: 1, arbitrary: pairs });
}

function validPairs(
  description: Description,
  { name, schema, explode }: Parameter,
  known: KnownValues = {},
): fc.Arbitrary<Pairs> {
  if (schema.type !== 'array') {
    const madeUp = valid(description, schema).map(String);
    const found = known[name]?.length ? fc.constantFrom(...known[name]) : undefined;
    const values = found === undefined ? madeUp : name === 'version' ? found : fc.oneof(found, madeUp);
    return values.map((value) => [[name, value]]);
  }
  const items = fc.uniqueArray(valid(description, schema.items ?? {}), { minLength: 1, maxLength: 4 });
  // The document shows one way to write a list, and the service takes the other way and a mixture as well.
  const byComma = (values: unknown[]) => [[name, values.join(',')] as const];
  const repeated = (values: unknown[]) => values.map((value) => [name, String(value)] as const);
  const documented = explode === false ? byComma : repeated;
  const mixed = (values: unknown[]) => [...byComma(values.slice(0, 2)), ...repeated(values.slice(2))];
  return fc.tuple(items, fc.constantFrom(documented, byComma, repeated, mixed)).map(([values, way]) => way(values));
}

/** Queries with one fault: for each parameter and each thing that can be wrong with it. */
export function faultyQueries(description: Description, operation: Operation): fc.Arbitrary<FaultyQuery>[] {
  const parameters = queryParametersOf(operation);
  const faults = [unknownName(parameters)];
  for (const parameter of parameters) {
    faults.push(badValue(description, parameter));
    if (parameter.name !== 'cursor') faults.push(repeated(description, parameter));
  }
  const good = parameters.filter(({ name }) => !NOT_MADE_UP.includes(name) && !ALONE.includes(name));
  const rest = fc.tuple(...good.map((parameter) => sometimes(validPairs(description, parameter))));
  return faults.map((fault) =>
    fc.tuple(rest, fault).map(([pairs, faulty]) => ({
      ...faulty,
      pairs: [...pairs.flat().filter(([name]) => name !== faulty.name), ...faulty.pairs],
    })),
  );
}

function badValue(description: Description, { name, schema }: Parameter): fc.Arbitrary<FaultyQuery> {
  const one: Schema = schema.type === 'array' ? (schema.items ?? {}) : schema;
  const stands = (text: string): unknown =>
    one.type === 'integer' && /^(0|[1-9]\d*)$/.test(text) ? Number(text) : text;
  return invalid(description, one)
    .filter(({ value }) => typeof value === 'string' || typeof value === 'number')
    .map(({ value }) => String(value))
    .filter((text) => text.isWellFormed() && !description.isValid(one, stands(text)))
    .map((text) => ({ pairs: [[name, text]] as Pairs, name, fault: 'a bad value' }));
}

function repeated(description: Description, parameter: Parameter): fc.Arbitrary<FaultyQuery> {
  const { name } = parameter;
  return validPairs(description, parameter).map((pairs) => ({
    pairs: [...pairs, ...pairs],
    name,
    fault: 'a repetition',
  }));
}

function unknownName(parameters: readonly Parameter[]): fc.Arbitrary<FaultyQuery> {
  const known = parameters.map(({ name }) => name);
  const names = fc.oneof(
    fc.constantFrom('page', 'offset', 'sort', 'Limit', 'limit[]', '__proto__', 'constructor', '', 'eTag', 'ids'),
    fc.array(pieces, { maxLength: 6 }).map((all) => all.join('')),
  );
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({ pairs: [[name, '1']] as Pairs, name, fault: 'an unknown parameter' }));
}
