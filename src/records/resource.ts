import type { Scope } from '../auth/access.js';
import { isUUID, UUID, type Schema } from '../validation/json-schema.js';
import { Problem } from '../problem/problem.js';
import type { VersionedRecord } from './versioned-record.js';

/** A kind of record that the API serves: the entity defines how it is stored, this how it is addressed. */
export interface Resource<T extends VersionedRecord = VersionedRecord> {
  readonly entity: new () => T;
  /** What a person calls one of them, in errors. */
  readonly name: string;
  /** Where one of them lives, without its id. */
  readonly path: string;
  /** The path parameter that carries the id. */
  readonly parameter: string;
  /** What a caller needs to read one, wherever it is shown. */
  readonly readScope: Scope;
  /** Such an id, for the document of the API. */
  readonly exampleID: string;
  /** The filter of its list that leaves few records, such as those of one move: they are found by it, whatever the order. */
  readonly selectiveFilter?: string;
  /**
   * The fields that its list can be sorted by, and for each the filters that have an index in this order: the first that is asked for is
   * walked, else the index of the order itself. The other filters are checked on the way.
   */
  readonly sortIndexes: Readonly<Record<string, readonly string[]>>;
  /** A second name that can stand where the id stands. */
  readonly alternateKey?: { readonly property: string; readonly pattern: RegExp };
}

/** Records that `expand` can put inside another: those that point at it, or the one it points at. */
export type Relation = { readonly of: Resource; readonly name: string; readonly by: string } & (
  ToMany | { readonly one: Resource }
);

interface ToMany {
  readonly many: Resource;
  /** Where those of one record are listed, with {id} in the place of its id. */
  readonly list: string;
}

/** The member beside expanded records that has the address of those that are not inside. */
export function nextName({ name }: Relation): string {
  return `${name}Next`;
}

/** What a person calls several of them: the last segment of their path. */
export function collectionName({ path }: Resource): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether a text can be the name of such a record: its id, or its second name where it has one. */
export function isNameOf({ alternateKey }: Resource, text: string): boolean {
  return isUUID(text) || alternateKey?.pattern.test(text) === true;
}

/** The same for the document of the API. */
export function nameSchema({ alternateKey }: Resource): Schema {
  return alternateKey === undefined
    ? UUID
    : { anyOf: [UUID, { type: 'string', pattern: alternateKey.pattern.source }] };
}

/** The same for people; completes "moveID ...". */
export function namesDemand({ name, alternateKey }: Resource): string {
  return `must be the id of a ${name}${alternateKey === undefined ? '' : ` or its ${alternateKey.property}`}`;
}

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
