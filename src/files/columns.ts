import { getMetadataArgsStorage } from 'typeorm';
import type { Resource } from '../records/resource.js';
import { fieldsOf } from '../validation/fields-of.js';
import { schemaOfProperty } from '../validation/json-schema.decorator.js';
import type { FieldsType } from '../validation/rules.js';

/** A kind of record that can be exported and imported. */
export interface FileKind {
  readonly resource: Resource;
  /** The fields of a record that can be changed. */
  readonly fields: FieldsType<object>;
}

/** The content of a cell. An `id` (id or eTag) is generated, never typed by hand. */
export type CellKind = 'text' | 'enum' | 'date' | 'timestamp' | 'number' | 'id';

/**
 * How an import uses a cell.
 * - `version`: id and eTag of the exported version; empty for a new record.
 * - `body`: a member of the body of the equivalent request. As in a PATCH, another value of a field that the service sets is an error: a
 *   user who edits the status in a spreadsheet must not believe that it changed.
 * - `ignored`: the timestamps, because spreadsheets reformat them and nobody expects to change them.
 */
export type ImportUse = 'version' | 'body' | 'ignored';

/** A column of a file: a field of the record, such as `destinationAddress.city`. */
export interface Column {
  readonly path: string;
  /** The property path of the value. */
  readonly names: readonly string[];
  readonly kind: CellKind;
  readonly use: ImportUse;
}

/**
 * The columns of a kind of record, in the order of its JSON. Parts have only their writable fields: an import does not need their ids,
 * and their eTag is that of the record.
 */
export function columnsOf({ resource: { entity }, fields }: FileKind): readonly Column[] {
  return [
    columnAt(['id'], 'id', 'version'),
    ...storedIn(entity).map(({ name, kind }) => columnAt([name], kind, 'body')),
    ...partsOf(entity).flatMap(({ name, type }) => {
      const part = fieldsOf(fields).find((field) => field.name === name)?.part;
      const writable = part === undefined ? [] : fieldsOf(part).map((field) => field.name);
      const written = storedIn(type).filter((column) => writable.includes(column.name));
      return written.map((column) => columnAt([name, column.name], column.kind, 'body'));
    }),
    columnAt(['createdAt'], 'timestamp', 'ignored'),
    columnAt(['updatedAt'], 'timestamp', 'ignored'),
    columnAt(['eTag'], 'id', 'version'),
  ];
}

function columnAt(names: readonly string[], kind: CellKind, use: ImportUse): Column {
  return { path: names.join('.'), names, kind, use };
}

type Class = new () => object;

/** The columns that a class declares, without those of every record. */
export function storedIn(type: Class): readonly { readonly name: string; readonly kind: CellKind }[] {
  return getMetadataArgsStorage()
    .filterColumns(type)
    .map(({ propertyName: name, options }) => ({ name, kind: kindOf(type, name, options.type) }));
}

/** The embedded parts of a record, such as its addresses. */
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
      throw new Error(`No file format for column type ${String(type)} (${owner.name}.${name})`);
  }
}
