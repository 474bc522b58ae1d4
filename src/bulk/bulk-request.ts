import { didYouMean } from '../problem/nearest.js';
import { fieldProblem, invalidField, type FieldError } from '../problem/problem.js';
import { isObject, pointerTo, type Json } from '../writes/read-fields.js';

export const BULK_PATH = '/v1/shipments/bulk';
export const MAX_ITEMS = 200;
export const MAX_BULK_BYTES = 1_048_576;
/** Room for all fields of a shipment with two addresses in every item. */
export const MAX_BULK_NAMES = 10_000;

/** The required and optional members of an item by operation. */
const MEMBERS = {
  create: [['values'], []],
  update: [['id', 'patch'], ['ifMatch']],
  updateStatus: [['id'], ['ifMatch', 'status', 'rejectionReason']],
  delete: [['id'], ['ifMatch']],
  undelete: [['id'], ['ifMatch']],
} as const satisfies Record<string, readonly [required: readonly string[], optional: readonly string[]]>;

export type Op = keyof typeof MEMBERS;
const OPS = Object.keys(MEMBERS) as readonly Op[];

const TEXTS = ['id', 'ifMatch'];

/** An item as sent. The rules of its single request are applied later. */
export interface SentItem extends Json {
  readonly op: Op;
  readonly id?: string;
  readonly ifMatch?: string;
}

export interface Bulk {
  readonly atomic: boolean;
  readonly items: readonly SentItem[];
}

/** The operations in a body, whatever its other faults. */
export function opsIn(body: unknown): readonly Op[] {
  const { items } = (isObject(body) ? body : {}) as { items?: unknown };
  const named = Array.isArray(items) ? items.map((item: unknown) => (isObject(item) ? item['op'] : undefined)) : [];
  return OPS.filter((op) => named.includes(op));
}

/** Parses the body, or throws a 422 with all faults of its structure. */
export function readBulk(body: unknown): Bulk {
  if (!isObject(body)) throw invalidField('', 'WRONG_TYPE', 'must be a JSON object with "items"');
  const errors = unknownMembers(body, ['atomic', 'items'], '', 'a bulk');
  const { atomic = true, items } = body;
  if (typeof atomic !== 'boolean') errors.push(error('/atomic', 'WRONG_TYPE', 'must be true or false'));
  if (!Array.isArray(items) || items.length < 1 || items.length > MAX_ITEMS) {
    errors.push(error('/items', 'WRONG_TYPE', `must be an array of 1 to ${MAX_ITEMS} items`));
  } else {
    errors.push(...items.flatMap((item: unknown, index) => faultsOf(item, `/items/${index}`)));
    errors.push(...duplicates(items.map((item: unknown) => (isObject(item) ? item['id'] : undefined))));
  }
  if (errors.length > 0) throw fieldProblem('VALIDATION_FAILED', errors);
  return { atomic: atomic as boolean, items: items as SentItem[] };
}

function faultsOf(item: unknown, pointer: string): FieldError[] {
  if (!isObject(item)) return [error(pointer, 'WRONG_TYPE', 'must be a JSON object with an "op"')];
  const op = OPS.find((known) => known === item['op']);
  if (op === undefined) return [error(`${pointer}/op`, 'NOT_ALLOWED', `must be one of ${OPS.join(', ')}`)];
  const [required, optional] = MEMBERS[op];
  const missing = required.filter((name) => !Object.hasOwn(item, name));
  const otherTypes = TEXTS.filter((name) => Object.hasOwn(item, name) && typeof item[name] !== 'string');
  return [
    ...unknownMembers(item, ['op', ...required, ...optional], pointer, `an item with op ${op}`),
    ...missing.map((name) => error(`${pointer}/${name}`, 'REQUIRED', 'is required')),
    ...otherTypes.map((name) => error(`${pointer}/${name}`, 'WRONG_TYPE', 'must be a string')),
  ];
}

/** 422 if two items have the same id. */
export function requireDistinct(ids: readonly (string | undefined)[]): void {
  const errors = duplicates(ids);
  if (errors.length > 0) throw fieldProblem('VALIDATION_FAILED', errors);
}

/** Of two changes of one shipment, the second would always conflict with the first. */
function duplicates(ids: readonly unknown[]): FieldError[] {
  const message = 'is a duplicate of an earlier item; a bulk must contain each shipment once';
  return ids.flatMap((id, index) => {
    const isDuplicate = typeof id === 'string' && ids.indexOf(id) < index;
    return isDuplicate ? [error(`/items/${index}/id`, 'DUPLICATE_ID', message)] : [];
  });
}

function unknownMembers(object: Json, known: readonly string[], pointer: string, about: string): FieldError[] {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const message = `is not a member of ${about}${didYouMean(name, known)}`;
    return error(pointerTo(pointer, name), 'UNKNOWN_FIELD', message);
  });
}

function error(pointer: string, code: string, message: string): FieldError {
  return { pointer, code, message };
}
