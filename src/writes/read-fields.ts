import { isDeepStrictEqual } from 'node:util';
import { didYouMean } from '../problem/nearest.js';
import { fieldProblem, MAX_FIELD_ERRORS, type FieldError } from '../problem/problem.js';
import { brokenRule, fieldsOf } from '../validation/fields-of.js';
import { canonicalID } from '../validation/json-schema.js';
import type { FieldsType } from '../validation/rules.js';

type Json = Record<string, unknown>;

/**
 * How a body is read. `replace`: it is complete, what is absent becomes null. `merge`: RFC 7396, what is absent stays as it is.
 * `current` is the record that is there; without one nothing can be echoed.
 */
export interface Reading {
  readonly mode: 'replace' | 'merge';
  readonly current?: object | undefined;
  /** Rules that the configuration adds to those of the fields. */
  readonly configured?: ((fields: never, current: never) => FieldError[]) | undefined;
  /** An operation of `changedBy` as this client would call it. */
  readonly operation?: ((template: string) => string) | undefined;
}

/**
 * The valid fields that a request writes, or a 422 with every fault of the body. With `merge` those that the body names, each
 * complete; otherwise all of them.
 */
export function readFields<F extends object>(
  type: FieldsType<F>,
  body: unknown,
  { mode, current, configured, operation = (template) => template }: Reading,
): F {
  const errors: FieldError[] = [];
  const document = complete(type, body, { mode, current: current as Json | undefined, pointer: '', errors, operation });
  // A PATCH answers for what it sends, not for what was stored before it.
  const concerned = mode === 'merge' ? sentOf(document, body) : document;
  errors.push(...faults(type, concerned, document, ''));
  const further = configured?.(document as never, current as never) ?? [];
  errors.push(...further.filter(({ pointer }) => isIn(concerned, pointer)));
  if (errors.length > 0) throw fieldProblem('VALIDATION_FAILED', errors);
  return concerned as F;
}

/** The first broken rule of each field; the rules may look at the whole record. */
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

/** The document that a body stands for: every field of the type, from the body, else from the record, else null. */
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
  refuseOthers(type, body, place);
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

/** What is not a field is either the server's, and may be echoed as it is, or unknown. */
function refuseOthers(type: FieldsType<object>, body: Json, place: Place): void {
  const { current, pointer, errors } = place;
  const names = fieldsOf(type).map(({ name }) => name);
  for (const [name, value] of Object.entries(body)) {
    if (names.includes(name)) continue;
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!type.readOnly.includes(name)) {
      // Only errors that will be shown are worth a search: the names are the client's, and there may be a thousand.
      const meant = errors.length < MAX_FIELD_ERRORS ? didYouMean(name, names) : '';
      errors.push({ pointer: at, code: 'UNKNOWN_FIELD', message: `is not a field of ${type.record}${meant}` });
    } else if (current === undefined || !isEcho(value, current[name])) {
      errors.push({ pointer: at, code: 'READ_ONLY', message: readOnlyMessage(type, name, place) });
    }
  }
}

/** Clients may write an id in capitals. */
function isEcho(sent: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(typeof sent === 'string' ? canonicalID(sent) : sent, stored);
}

function readOnlyMessage(type: FieldsType<object>, name: string, { current, operation }: Place): string {
  const template = type.changedBy?.[name];
  const isNew = current === undefined;
  if (template !== undefined) {
    const change = operation(template);
    return isNew
      ? `is set by the server; leave it out, and change it later with ${change}`
      : `cannot be changed here; send ${change} instead`;
  }
  return isNew
    ? 'is set by the server; leave it out'
    : 'is set by the server and cannot be changed; leave it out, or send the value it has';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** Those fields of a document that a body names. */
function sentOf(document: Json, body: unknown): Json {
  return Object.fromEntries(Object.entries(document).filter(([name]) => isObject(body) && Object.hasOwn(body, name)));
}

function isIn(fields: Json, pointer: string): boolean {
  return Object.hasOwn(fields, pointer.split('/')[1] ?? '');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
