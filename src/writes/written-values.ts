import { fieldsOf } from '../validation/fields-of.js';
import type { FieldsType } from '../validation/rules.js';
import type { Reading } from './read-fields.js';

/**
 * The values that a body would write, by field, before validation: the fields in a PATCH, all fields of a PUT. Nested fields look like
 * `destinationAddress/city`; `part` is the part that the whole request is about.
 */
export function writtenValues(
  type: FieldsType<object>,
  body: unknown,
  mode: Reading['mode'],
  part?: string,
): ReadonlyMap<string, unknown> {
  return new Map(valuesIn(type, body, mode, part === undefined ? '' : `${part}/`));
}

function* valuesIn(
  type: FieldsType<object>,
  body: unknown,
  mode: Reading['mode'],
  prefix: string,
): Generator<[string, unknown]> {
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  for (const { name, part } of fieldsOf(type)) {
    if (mode === 'merge' && !Object.hasOwn(given, name)) continue;
    const value = given[name] ?? null;
    // Null clears every field of a part, so nothing inside it is kept.
    if (part !== undefined) yield* valuesIn(part, value, value === null ? 'replace' : mode, `${prefix}${name}/`);
    else yield [prefix + name, value];
  }
}
