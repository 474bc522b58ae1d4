import { applyDecorators } from '@nestjs/common';
import type { Scope } from '../auth/access.js';
import type { TableRights } from '../database/service-rights.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { canonicalName, isUUID, SENT_UUID, type Schema } from '../validation/json-schema.js';
import { rule } from '../validation/rules.js';
import { Problem } from '../problem/problem.js';
import type { VersionedRecord } from './versioned-record.js';

/** Errors to throw for violated constraints, by constraint name. */
export type Rejections = Readonly<Record<string, () => Error>>;

/** A kind of record in the API: the entity defines its storage, this its addresses. */
export interface Resource<T extends VersionedRecord = VersionedRecord> {
  readonly entity: new () => T;
  /** Singular name, for messages. */
  readonly name: string;
  readonly path: string;
  readonly parameter: string;
  readonly readScope: Scope;
  /** How the service is used, not what it is used for. Few may read it, so feeds and webhooks have its events only for those who ask. */
  readonly isAdministrative?: true;
  readonly exampleID: string;
  /** A filter that matches few records, such as those of one move, so lists use its index whatever the sort order. */
  readonly selectiveFilter?: string;
  /**
   * The sortable fields, each with the filters that have an index in this order. A list scans the index of the first requested
   * filter, or else of the sort order, and applies the other filters to its rows. If only the filter has an index, it names all its
   * values: the list scans that index once per requested value, or once per value.
   */
  readonly sortIndexes: Readonly<Record<string, Readonly<Record<string, readonly string[] | null>>>>;
  /** Tables besides its own, with the rights on them that the service needs. */
  readonly tables?: TableRights;
  readonly search?: SearchTarget;
  /** Fields that change without a new version, each with the SQL of its value for the row `alias`. */
  readonly live?: Readonly<Record<string, (alias: string) => string>>;
  /** Why the service deletes these records after some time, for the 410 that then replaces the 404. */
  readonly retention?: string;
  /** Deleted records of this kind can be restored, if their parent exists. */
  readonly undelete?: { readonly parent?: Parent; readonly rejections?: Rejections };
  /** A type of change that most kinds of records do not have. */
  readonly specialChange?: 'statusChanged' | 'disabled';
  /** An alternative to the id, such as a code. Requests may spell it in any case, as the pattern says; it is stored in capitals. */
  readonly alternateKey?: { readonly property: string; readonly pattern: RegExp };
}

/** The search rows `s` of a record: the column with its id, and the FROM clause that joins them to the row `r`. */
export interface SearchTarget {
  readonly id: string;
  readonly rows: string;
}

/** The record that a record belongs to; `column` has its id. `isRoot` if its history contains that of the record. */
interface Parent {
  readonly resource: Resource;
  readonly column: string;
  readonly isRoot?: true;
}

/** Records that `expand` can include: the one that the record refers to, or the list of those that refer to it. */
export interface Relation {
  readonly of: Resource;
  readonly name: string;
  readonly to: Resource;
  readonly by: string;
  /** The path of the list, with {id} for the record's id. */
  readonly list?: string;
}

/** The JSON member with the URL of the remaining records. */
export function nextName({ name }: Relation): string {
  return `${name}Next`;
}

/** Plural name: the last segment of the path. */
export function collectionName({ path }: Resource): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether a text has the format of the record's id or alternate key. */
export function isNameOf({ alternateKey }: Resource, text: string): boolean {
  return isUUID(text) || alternateKey?.pattern.test(text) === true;
}

/** The same for the API document. */
export function nameSchema({ alternateKey }: Resource): Schema {
  return alternateKey === undefined
    ? SENT_UUID
    : { anyOf: [SENT_UUID, { type: 'string', pattern: alternateKey.pattern.source }] };
}

/** A field that refers to a record by its id or, if it has one, its alternate key. */
export function NameOf(resource: Resource): PropertyDecorator {
  const { name, alternateKey } = resource;
  const message = `must be the id of a ${name}${alternateKey === undefined ? '' : ` or its ${alternateKey.property}`}`;
  return applyDecorators(
    JsonSchema(nameSchema(resource)),
    rule('INVALID_ID', message, (value) => typeof value === 'string' && isNameOf(resource, value)),
  );
}

/** The property to look up a name by; 404 if the name has neither format. */
export function keyOf(resource: Resource, name: string): string {
  if (isUUID(name)) return 'id';
  if (resource.alternateKey?.pattern.test(name)) return resource.alternateKey.property;
  return notFound(resource, name);
}

/** The ids of records by their names as a request spells them; `known` has the ids by the names as they are stored. */
export function idsBySpelling(names: readonly string[], known: ReadonlyMap<string, string>): [string, string][] {
  return names.flatMap((name) => {
    const id = known.get(canonicalName(name));
    return id === undefined ? [] : [[name, id] as [string, string]];
  });
}

export function notFound(resource: Resource, name: string): never {
  const quoted = name.length <= 64 ? ` ${JSON.stringify(name)}` : '';
  throw new Problem('NOT_FOUND', `The ${resource.name}${quoted} does not exist.`);
}

export function notKept({ retention = '' }: Resource): never {
  throw new Problem('NOT_KEPT', retention);
}

/** The tables that only some kinds of records have, with the rights on them that the service needs. */
export function ownTables(resources: readonly Resource[]): TableRights {
  return Object.assign({}, ...resources.map(({ tables }) => tables)) as TableRights;
}
