import { isDeepStrictEqual } from 'node:util';
import { didYouMean } from '../problem/nearest.js';
import { fieldProblem, MAX_FIELD_ERRORS, type FieldError } from '../problem/problem.js';
import { brokenRule, fieldsOf } from '../validation/fields-of.js';
import { canonicalID, canonicalName } from '../validation/json-schema.js';
import type { FieldsType } from '../validation/rules.js';

export type Json = Record<string, unknown>;

/**
 * How to read a body. `replace`: absent fields become null. `merge` (RFC 7396): absent fields keep their value. `current` is the existing
 * record; without one, read-only fields cannot be echoed.
 */
export interface Reading {
  readonly mode: 'replace' | 'merge';
  readonly current?: object | undefined;
  readonly configured?: ((fields: never, current: never) => FieldError[]) | undefined;
  /** Formats an operation of `changedBy` for this client. */
  readonly operation?: ((template: string) => string) | undefined;
}

/** The valid fields that a request writes, or a 422 with all faults. With `merge`, only fields in the body, each complete. */
export function readFields<F extends object>(
  type: FieldsType<F>,
  body: unknown,
  { mode, current, configured, operation = (template) => template }: Reading,
): F {
  const errors: FieldError[] = [];
  const document = complete(type, body, { mode, current: current as Json | undefined, pointer: '', errors, operation });
  // A PATCH is validated for the fields it sends, not for stored ones.
  const concerned = mode === 'merge' ? sentOf(document, body) : document;
  errors.push(...faults(type, concerned, document, ''));
  const further = configured?.(document as never, current as never) ?? [];
  errors.push(...further.filter(({ pointer }) => isIn(concerned, pointer)));
  if (errors.length > 0) throw fieldProblem('VALIDATION_FAILED', errors);
  return concerned as F;
}

/** The first broken rule of each field; rules may use the whole record. */
function faults(type: FieldsType<object>, fields: Json, record: Json, parent: string): FieldError[] {
  const found: FieldError[] = [];
  for (const field of fieldsOf(type)) {
    const { name, part } = field;
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name];
    const broken = brokenRule(field, value, record);
    if (broken !== undefined) found.push({ pointer: `${parent}/${name}`, ...broken });
    if (part !== undefined && isObject(value)) found.push(...faults(part, value, value, `${parent}/${name}`));
  }
  return found;
}

interface Place {
  readonly mode: Reading['mode'];
  readonly current: Json | undefined;
  readonly pointer: string;
  readonly errors: FieldError[];
  readonly operation: (template: string) => string;
}

/** The complete document: each field from the body, else from the record, else null. */
function complete(type: FieldsType<object>, body: unknown, place: Place): Json {
  const { mode, current, pointer, errors } = place;
  if (!isObject(body)) {
    errors.push({
      pointer,
      code: 'WRONG_TYPE',
      message: `must be a JSON object with the fields of ${type.record}, not ${kindOf(body)}`,
    });
    return {};
  }
  rejectOthers(type, body, place);
  const document: Json = {};
  for (const { name, part } of fieldsOf(type)) {
    const stored = current?.[name] ?? null;
    if (!Object.hasOwn(body, name)) {
      document[name] = mode === 'replace' ? null : stored;
    } else if (part !== undefined && body[name] !== null) {
      const inside = { ...place, current: (stored ?? undefined) as Json | undefined, pointer: `${pointer}/${name}` };
      document[name] = complete(part, body[name], inside);
    } else {
      document[name] = body[name];
    }
  }
  return document;
}

/** Other members are read-only fields, which may be echoed unchanged, or unknown. */
function rejectOthers(type: FieldsType<object>, body: Json, place: Place): void {
  const { current, pointer, errors } = place;
  const names = fieldsOf(type).map(({ name }) => name);
  for (const [name, value] of Object.entries(body)) {
    if (names.includes(name)) continue;
    const at = pointerTo(pointer, name);
    if (!type.readOnly.includes(name)) {
      // Search for similar names only if the error will be listed: clients may send a thousand names.
      const meant = errors.length < MAX_FIELD_ERRORS ? didYouMean(name, names) : '';
      errors.push({ pointer: at, code: 'UNKNOWN_FIELD', message: `is not a field of ${type.record}${meant}` });
    } else if (current === undefined || !isAccepted(type, name, value, current[name])) {
      errors.push({ pointer: at, code: 'READ_ONLY', message: readOnlyMessage(type, name, place) });
    }
  }
}

/** The JSON pointer (RFC 6901) to a member of the object at another one. */
export function pointerTo(object: string, member: string): string {
  return `${object}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A read-only field may be sent back. Clients may write an id in capitals, and a code in any case. */
function isAccepted({ live, codes }: FieldsType<object>, name: string, sent: unknown, stored: unknown): boolean {
  if (live?.includes(name) === true) return true;
  if (typeof sent !== 'string') return isDeepStrictEqual(sent, stored);
  return (codes?.includes(name) === true ? canonicalName(sent) : canonicalID(sent)) === stored;
}

function readOnlyMessage(type: FieldsType<object>, name: string, { current, operation }: Place): string {
  const template = type.changedBy?.[name];
  const isNew = current === undefined;
  if (template !== undefined) {
    const change = operation(template);
    return isNew
      ? `is set by the server; omit it, and change it later with ${change}`
      : `cannot be changed here; send ${change} instead`;
  }
  return isNew
    ? 'is set by the server; omit it'
    : 'is set by the server and cannot be changed; omit it, or send its current value';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function sentOf(document: Json, body: unknown): Json {
  return Object.fromEntries(Object.entries(document).filter(([name]) => isObject(body) && Object.hasOwn(body, name)));
}

function isIn(fields: Json, pointer: string): boolean {
  return Object.hasOwn(fields, pointer.split('/')[1] ?? '');
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The values that a body would write, by field, before validation: the fields in a PATCH, all fields of a PUT. Nested fields look like
 * `destinationAddress/city`; `whole` is the part that the whole request is about.
 */
export function writtenValues(
  type: FieldsType<object>,
  body: unknown,
  mode: Reading['mode'],
  whole?: string,
): Map<string, unknown> {
  const written = new Map<string, unknown>();
  const given = isObject(body) ? body : {};
  for (const { name, part } of fieldsOf(type)) {
    if (mode === 'merge' && !Object.hasOwn(given, name)) continue;
    const value = given[name] ?? null;
    const field = whole === undefined ? name : `${whole}/${name}`;
    // Null clears every field of a part, so nothing inside it is kept.
    const inside = part && writtenValues(part, value, value === null ? 'replace' : mode, field);
    if (inside === undefined) written.set(field, value);
    else for (const [path, nested] of inside) written.set(path, nested);
  }
  return written;
}
