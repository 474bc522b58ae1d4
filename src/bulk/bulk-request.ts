import { didYouMean } from '../problem/nearest.js';
import { fieldProblem, invalidField, type FieldError } from '../problem/problem.js';
import { isObject, pointerTo, type Json } from '../writes/read-fields.js';

export const BULK_PATH = '/v1/shipments/bulk';
export const MAX_ITEMS = 200;
export const MAX_BULK_BYTES = 1_048_576;
/** Room for all fields of a shipment with two addresses in every item. */
export const MAX_BULK_NAMES = 10_000;

export const OPS = ['create', 'update', 'updateStatus', 'delete'] as const;
export type Op = (typeof OPS)[number];

/** The required and optional members of an item by operation. */
const MEMBERS: Readonly<Record<Op, readonly [required: readonly string[], optional: readonly string[]]>> = {
  create: [['values'], []],
  update: [['id', 'patch'], ['ifMatch']],
  updateStatus: [['id'], ['ifMatch', 'status', 'rejectionReason']],
  delete: [['id'], ['ifMatch']],
};

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
  const errors: FieldError[] = [];
  if (!isObject(body)) throw invalidField('', 'WRONG_TYPE', 'must be a JSON object with "items"');
  refuseOthers(body, ['atomic', 'items'], '', 'a bulk', errors);
  const { atomic = true, items } = body;
  if (typeof atomic !== 'boolean') errors.push(error('/atomic', 'WRONG_TYPE', 'must be true or false'));
  if (!Array.isArray(items) || items.length < 1 || items.length > MAX_ITEMS) {
    errors.push(error('/items', 'WRONG_TYPE', `must be an array of 1 to ${MAX_ITEMS} items`));
  } else {
    items.forEach((item: unknown, index) => checkItem(item, `/items/${index}`, errors));
    checkIDs(items, errors);
  }
  if (errors.length > 0) throw fieldProblem('VALIDATION_FAILED', errors);
  return { atomic: atomic as boolean, items: items as SentItem[] };
}

function checkItem(item: unknown, pointer: string, errors: FieldError[]): void {
  if (!isObject(item)) {
    errors.push(error(pointer, 'WRONG_TYPE', 'must be a JSON object with an "op"'));
    return;
  }
  const op = OPS.find((known) => known === item['op']);
  if (op === undefined) {
    errors.push(error(`${pointer}/op`, 'NOT_ALLOWED', `must be one of ${OPS.join(', ')}`));
    return;
  }
  const [required, optional] = MEMBERS[op];
  refuseOthers(item, ['op', ...required, ...optional], pointer, `an item with op ${op}`, errors);
  for (const name of required) {
    if (!Object.hasOwn(item, name)) errors.push(error(`${pointer}/${name}`, 'REQUIRED', 'is required'));
  }
  for (const name of TEXTS) {
    if (Object.hasOwn(item, name) && typeof item[name] !== 'string') {
      errors.push(error(`${pointer}/${name}`, 'WRONG_TYPE', 'must be a string'));
    }
  }
}

/** 422 if two items name the same shipment, by id or code. */
export function requireDistinct(items: readonly { readonly id?: string | undefined }[]): void {
  const errors: FieldError[] = [];
  checkIDs(items, errors);
  if (errors.length > 0) throw fieldProblem('VALIDATION_FAILED', errors);
}

/** Of two changes of one shipment, the second would always conflict with the first. */
function checkIDs(items: readonly unknown[], errors: FieldError[]): void {
  const seen = new Set<string>();
  items.forEach((item, index) => {
    const id = isObject(item) ? item['id'] : undefined;
    if (typeof id !== 'string') return;
    if (seen.has(id)) {
      errors.push(
        error(
          `/items/${index}/id`,
          'DUPLICATE_ID',
          'is a duplicate of an earlier item; a bulk must contain each shipment once',
        ),
      );
    }
    seen.add(id);
  });
}

function refuseOthers(
  object: Json,
  known: readonly string[],
  pointer: string,
  about: string,
  errors: FieldError[],
): void {
  for (const name of Object.keys(object)) {
    if (known.includes(name)) continue;
    const message = `is not a member of ${about}${didYouMean(name, known)}`;
    errors.push(error(pointerTo(pointer, name), 'UNKNOWN_FIELD', message));
  }
}

function error(pointer: string, code: string, message: string): FieldError {
  return { pointer, code, message };
}
