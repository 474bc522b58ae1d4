import { getMetadataArgsStorage } from 'typeorm';
import type { Resource } from '../records/resource.js';
import { fieldsOf } from '../validation/fields-of.js';
import { schemaOfProperty } from '../validation/json-schema.decorator.js';
import type { FieldsType } from '../validation/rules.js';

export interface FileKind {
  readonly resource: Resource;
  readonly fields: FieldsType<object>;
}

/** The content of a cell. An `id` (id or eTag) is generated, never typed by hand. */
type CellKind = 'text' | 'enum' | 'date' | 'timestamp' | 'number' | 'id';

/** A column of a file: a field of the record, such as `destinationAddress.city`. */
export interface Column {
  readonly path: string;
  /** The property path of the value. */
  readonly names: readonly string[];
  readonly kind: CellKind;
}

/** The columns in the order of the record's JSON. Parts have only writable fields: an import needs neither their ids nor their eTag. */
export function columnsOf({ resource: { entity }, fields }: FileKind): readonly Column[] {
  return [
    columnAt(['id'], 'id'),
    ...storedIn(entity).map(({ name, kind }) => columnAt([name], kind)),
    ...partsOf(entity).flatMap(({ name, type }) => {
      const part = fieldsOf(fields).find((field) => field.name === name)?.part;
      const writable = part === undefined ? [] : fieldsOf(part).map((field) => field.name);
      const written = storedIn(type).filter((column) => writable.includes(column.name));
      return written.map((column) => columnAt([name, column.name], column.kind));
    }),
    columnAt(['createdAt'], 'timestamp'),
    columnAt(['updatedAt'], 'timestamp'),
    columnAt(['eTag'], 'id'),
  ];
}

function columnAt(names: readonly string[], kind: CellKind): Column {
  return { path: names.join('.'), names, kind };
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

const KINDS: Readonly<Record<string, CellKind>> = { uuid: 'id', varchar: 'text', date: 'date', integer: 'number' };

function kindOf(owner: Class, name: string, type: unknown): CellKind {
  if (schemaOfProperty(owner, name).enum !== undefined) return 'enum';
  const kind = KINDS[String(type)];
  if (kind === undefined) throw new Error(`No file format for column type ${String(type)} (${owner.name}.${name})`);
  return kind;
}
