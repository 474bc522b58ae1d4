import { getMetadataArgsStorage } from 'typeorm';
import type { Resource } from '../records/resource.js';
import { fieldsOf } from '../validation/fields-of.js';
import { schemaOfProperty } from '../validation/json-schema.decorator.js';
import { partAt, type FieldsType } from '../validation/rules.js';

/** A kind of record that goes out and comes back in files, with what a client may write of it. */
export interface FileKind {
  readonly resource: Resource;
  /** What a new record takes. */
  readonly created: FieldsType<object>;
  /** What a change of a record takes. */
  readonly changed: FieldsType<object>;
}

/** What a cell holds. An id is made by a program (ids, eTags): no person writes one by hand. */
export type CellKind = 'text' | 'enum' | 'date' | 'timestamp' | 'number' | 'id';

/**
 * What an import does with a cell.
 * - `version`: id and eTag, which name the version that the row was exported from; a new record has neither.
 * - `written`: a value of a new record, or a change of one.
 * - `created`: a value of a new record. Later it is compared.
 * - `compared`: set by the service. A value other than the one of the version is an error, as it is in a PATCH: who edits the status in a
 *   spreadsheet must not believe that it was changed.
 * - `ignored`: the timestamps. Spreadsheets show them in their own form and save them so, and nobody expects to change them.
 */
export type ImportUse = 'version' | 'written' | 'created' | 'compared' | 'ignored';

/** A column of a file: a field of the record, `destinationAddress.city` reaching into a part. */
export interface Column {
  readonly path: string;
  /** The names that lead from the record to the value. */
  readonly names: readonly string[];
  readonly kind: CellKind;
  readonly use: ImportUse;
}

/**
 * The columns of a kind of record, in the order of its JSON. Of a part there are those that a client may write: its id is not needed to
 * come back, and its eTag is that of its record.
 */
export function columnsOf({ resource: { entity }, created, changed }: FileKind): readonly Column[] {
  return [
    columnAt(['id'], 'id', 'version'),
    ...storedIn(entity).map(({ name, kind }) => columnAt([name], kind, useOf(name, created, changed))),
    ...partsOf(entity).flatMap(({ name, type }) => {
      const part = partAt(changed.prototype as object, name);
      const written = storedIn(type).filter((column) => part !== undefined && isField(part, column.name));
      return written.map((column) => columnAt([name, column.name], column.kind, 'written'));
    }),
    columnAt(['createdAt'], 'timestamp', 'ignored'),
    columnAt(['updatedAt'], 'timestamp', 'ignored'),
    columnAt(['eTag'], 'id', 'version'),
  ];
}

function columnAt(names: readonly string[], kind: CellKind, use: ImportUse): Column {
  return { path: names.join('.'), names, kind, use };
}

function useOf(name: string, created: FieldsType<object>, changed: FieldsType<object>): ImportUse {
  if (isField(changed, name)) return 'written';
  return isField(created, name) ? 'created' : 'compared';
}

function isField(type: FieldsType<object>, name: string): boolean {
  return fieldsOf(type).some((field) => field.name === name);
}

type Class = new () => object;

/** The columns that a class declares for itself, without those that every record has. */
export function storedIn(type: Class): readonly { readonly name: string; readonly kind: CellKind }[] {
  return getMetadataArgsStorage()
    .filterColumns(type)
    .map(({ propertyName: name, options }) => ({ name, kind: kindOf(type, name, options.type) }));
}

/** The objects that a record consists of, such as its addresses. */
export function partsOf(type: Class): readonly { readonly name: string; readonly type: Class }[] {
  return getMetadataArgsStorage()
    .filterEmbeddeds(type)
    .map((part) => ({ name: part.propertyName, type: part.type() as Class }));
}

function kindOf(owner: Class, name: string, type: unknown): CellKind {
  switch (type) {
    case 'uuid':
      return 'id';
    case 'varchar':
      return schemaOfProperty(owner, name).enum === undefined ? 'text' : 'enum';
    case 'date':
      return 'date';
    case 'integer':
      return 'number';
    default:
      throw new Error(`Say how a column of type ${String(type)} looks in a file (${owner.name}.${name})`);
  }
}
