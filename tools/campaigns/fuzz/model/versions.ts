import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../../test/support/http/api.js';
import { ADDRESS_FIELDS, ADDRESSES, fieldsOf, isAddress, type Kind } from './kinds.js';

/** Fields that only the server sets, and only once. */
const CONSTANT = ['id', 'moveCode', 'moveID', 'shipmentID', 'createdAt'];

/** Why a record is not what it should be after a write; undefined when it is. */
export function recordFault(kind: Kind, record: Json, expected: Json, before?: Json): string | undefined {
  const fields = fieldsOf(kind, record);
  const other = kind.fields.find((field) => !isDeepStrictEqual(fields[field], expected[field]));
  if (other !== undefined)
    return `${other} is ${JSON.stringify(fields[other])}, not ${JSON.stringify(expected[other])}`;
  if (record.eTag !== eTagOf(record)) return 'the eTag is not the hash of updatedAt';
  for (const name of ADDRESSES) {
    if (record[name]?.eTag !== undefined && record[name].eTag !== record.eTag) return `${name} has another eTag`;
    if (record[name] && before?.[name] && record[name].id !== before[name].id) return `${name} got another id`;
  }
  if (before === undefined) return record.createdAt <= record.updatedAt ? undefined : 'updated before it was created';
  const lost = CONSTANT.find((name) => record[name] !== before[name]);
  if (lost !== undefined) return `${lost} was changed`;
  return record.updatedAt > before.updatedAt ? undefined : 'updatedAt did not move on';
}

/** The fields that differ between two versions, as a conflict and a history name them. */
export function differences(kind: Kind, one: Json, other: Json): string[] {
  const names = [...kind.fields, ...(kind.name === 'shipment' ? ['status', 'rejectionReason'] : [])];
  const paths = names.flatMap((name) => (isAddress(name) ? ADDRESS_FIELDS.map((field) => `${name}/${field}`) : [name]));
  return paths.filter((path) => valueAt(one, path) !== valueAt(other, path)).sort();
}

function valueAt(record: Json, path: string): unknown {
  return path.split('/').reduce((value: Json, name) => value?.[name], record) ?? null;
}

export function eTagOf({ updatedAt }: Json): string {
  return createHash('sha256').update(updatedAt).digest('hex');
}
