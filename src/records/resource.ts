import { isUUID } from '../schema/json-schema.js';
import { Problem } from '../problem/problem.js';
import type { VersionedRecord } from './versioned-record.js';

/** A kind of record that the API serves. The entity says how it is stored, this says how it is addressed. */
export interface Resource<T extends VersionedRecord = VersionedRecord> {
  readonly entity: new () => T;
  /** What a person calls one of them, in errors. */
  readonly name: string;
  /** Where one of them lives, without its id. */
  readonly path: string;
  /** The path parameter that carries the id. */
  readonly parameter: string;
  /** A second name that can stand where the id stands. */
  readonly alternateKey?: { readonly property: string; readonly pattern: RegExp };
}

/** Records that `expand` can put inside another: those that point at it, or the one it points at. */
export type Relation = { readonly of: Resource; readonly name: string; readonly by: string } & (
  { readonly many: Resource } | { readonly one: Resource }
);

/** The property that a name in a path is looked up by. A name that can be none of them is an unknown record. */
export function keyOf(resource: Resource, name: string): string {
  if (isUUID(name)) return 'id';
  if (resource.alternateKey?.pattern.test(name)) return resource.alternateKey.property;
  return notFound(resource, name);
}

export function notFound(resource: Resource, name: string): never {
  const shown = name.length <= 64 ? ` ${JSON.stringify(name)}` : '';
  throw new Problem('NOT_FOUND', `There is no ${resource.name}${shown}.`);
}
