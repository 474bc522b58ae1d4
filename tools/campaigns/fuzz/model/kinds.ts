import type { Schema } from '../../../../src/validation/json-schema.js';
import type { Json } from '../../../../test/support/http/api.js';
import { CHILDREN, KINDS } from '../../../../test/support/records/records.js';
import type { Description } from '../description.js';
import { chosen } from '../generate/valid.js';

export type KindName = string;
export const KIND_NAMES: readonly KindName[] = KINDS.map(({ name }) => name);
export const CHILD_NAMES: readonly KindName[] = CHILDREN.map(({ name }) => name);
export const ADDRESSES = ['pickupAddress', 'destinationAddress'] as const;
export type AddressName = (typeof ADDRESSES)[number];

/** A kind of record as the document describes what a client may write of it. */
export interface Kind {
  readonly name: KindName;
  /** Where its records live. */
  readonly path: string;
  readonly created: Schema;
  readonly replacement: Schema;
  readonly patch: Schema;
  readonly fields: readonly string[];
}

export const ADDRESS_FIELDS = [
  ...['streetAddress1', 'streetAddress2', 'streetAddress3', 'city', 'state', 'postalCode', 'country'],
] as const;
export const REQUIRED_OF_ADDRESS = ['streetAddress1', 'city', 'state', 'postalCode'];

export function kindOf(description: Description, name: KindName): Kind {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const replacement = description.schema(`${title}Replacement`);
  return {
    name,
    path: `/v1/${name}s`,
    created: description.schema(`New${title}`),
    replacement,
    patch: description.schema(`${title}Patch`),
    fields: chosen(replacement).map(([field]) => field),
  };
}

/** The value of each field of a record that was created or replaced with a body. */
export function complete({ fields }: Kind, body: Json): Json {
  return Object.fromEntries(
    fields.map((field) => [field, isAddress(field) ? address(body[field]) : (body[field] ?? null)]),
  );
}

/** The value of each field of a record after a merge patch (RFC 7396). */
export function merged({ fields }: Kind, before: Json, patch: Json): Json {
  return Object.fromEntries(
    fields.map((field) => {
      if (!Object.hasOwn(patch, field)) return [field, isAddress(field) ? address(before[field]) : before[field]];
      if (!isAddress(field) || patch[field] === null) return [field, patch[field]];
      return [field, address({ ...before[field], ...patch[field] })];
    }),
  );
}

/** The fields of a record that a client can write. */
export function fieldsOf(kind: Kind, record: Json): Json {
  return complete(kind, record);
}

export function address(value: Json): Json {
  if (value === null || value === undefined) return null;
  return Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, value[field] ?? null]));
}

export function isAddress(field: string): field is AddressName {
  return (ADDRESSES as readonly string[]).includes(field);
}
