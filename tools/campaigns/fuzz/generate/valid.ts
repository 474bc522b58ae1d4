import fc from 'fast-check';
import type { Schema } from '../../../../src/validation/json-schema.js';
import type { Description } from '../description.js';
import { texts } from './texts.js';

/** Fields set by the server may only be sent back unchanged, so they cannot be generated. */
export function isEcho(schema: Schema): boolean {
  return schema.description?.startsWith('Set by the server') === true;
}

/** The properties of a schema that a client can choose. */
export function chosen(schema: Schema): [name: string, schema: Schema][] {
  return Object.entries(schema.properties ?? {}).filter(([, property]) => !isEcho(property));
}

/** Values that a schema of the document allows. */
export function valid(description: Description, schema: Schema, extent: Extent = 'any'): fc.Arbitrary<unknown> {
  const made = make(description, description.resolve(schema), extent);
  return made.filter((value) => description.isValid(schema, value));
}

/** Whether objects may lack fields, or have every field with a value. */
type Extent = 'any' | 'all fields';

function make(description: Description, schema: Schema, extent: Extent): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const mayBe = (type: unknown) => extent === 'any' || type !== 'null';
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.filter(({ type }) => mayBe(type)).map((one) => valid(description, one, extent)));
  }
  if (Array.isArray(schema.type)) {
    const types = (schema.type as readonly Schema['type'][]).filter(mayBe);
    const each = types.map((type) => make(description, { ...schema, type } as Schema, extent));
    return fc.oneof(...each.map((arbitrary, index) => ({ weight: types[index] === 'null' ? 1 : 4, arbitrary })));
  }
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'string':
      return validText(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 });
    case 'object':
      return validObject(description, schema, extent);
    default:
      throw new Error(`Say how to make a value of type ${String(schema.type)}`);
  }
}

const FIRST_DAY = new Date('1900-01-01');
const LAST_DAY = new Date('2199-12-31T23:59:59.999Z');
const moments = fc.date({ min: FIRST_DAY, max: LAST_DAY, noInvalidDate: true }).map((date) => date.toISOString());

function validText({ pattern = '', format, maxLength = 64 }: Schema): fc.Arbitrary<string> {
  if (format === 'date') return moments.map((moment) => moment.slice(0, 10));
  if (format === 'date-time') return fc.tuple(moments, fc.constantFrom('Z', '+01:00', '-15:59')).map(withZone);
  const expression = new RegExp(pattern, 'u');
  // A pattern that says what a text must not contain: any piece will do that can stand behind a letter.
  if (pattern.includes('[^')) return texts(maxLength, (piece) => expression.test(`a${piece}`));
  return fc.stringMatching(expression);
}

function withZone([moment, zone]: [string, string]): string {
  return moment.replace('Z', zone);
}

function validObject(description: Description, schema: Schema, extent: Extent): fc.Arbitrary<object> {
  const required = schema.required ?? [];
  const properties = chosen(schema).map(([name, property]) => {
    const made = valid(description, property, extent);
    const isThere = extent === 'all fields' || required.includes(name);
    // Undefined fields are omitted, in half of the cases.
    return [name, isThere ? made : fc.oneof(made, fc.constant(undefined))] as const;
  });
  return fc.record(Object.fromEntries(properties)).map(present);
}

function present(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
