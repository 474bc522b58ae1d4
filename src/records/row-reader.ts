import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { PlainRow } from '../database/statement.js';
import { eTagOf, type ETag } from '../etag/entity-tags.js';
import { isoOf } from './moments.js';
import type { RecordColumn, RecordColumns, RecordPart } from './record-columns.js';
import type { VersionedRecord } from './versioned-record.js';

const VALUE_OF: Readonly<Record<RecordColumn['form'], (value: string) => unknown>> = {
  id: (value) => value,
  text: (value) => value,
  moment: isoOf,
  json: (value) => JSON.parse(value) as unknown,
};

/** Converts the stored columns of a row to a record with the same fields as its JSON. */
export class RowReader {
  private readonly own: Part;
  private readonly embedded: readonly (readonly [part: RecordPart, reader: Part])[];

  constructor(private readonly columns: RecordColumns) {
    const { id, own, parts, createdAt, updatedAt } = columns;
    const names = parts.map(({ name }) => name);
    this.own = new Part([id, ...own, createdAt, updatedAt], names);
    this.embedded = parts.map((part) => [part, new Part(part.columns)]);
  }

  read(row: PlainRow): VersionedRecord {
    const eTag = eTagOf(isoOf(row[this.columns.updatedAt.place] ?? ''));
    const record = this.own.read(row, eTag);
    for (const [{ name, id }, part] of this.embedded) {
      if (row[id.place] !== null) record[name] = part.read(row, eTag);
    }
    return record as unknown as VersionedRecord;
  }
}

/** The column of a property, such as `pickupAddress.city`. */
export function columnOf(metadata: EntityMetadata, property: string): ColumnMetadata {
  const column = metadata.findColumnWithPropertyPath(property);
  if (column === undefined) throw new Error(`A record in ${metadata.tableName} has no property ${property}`);
  return column;
}

/** The columns that form one object. */
class Part {
  /** Preallocates the final shape: adding properties one by one takes twice as long. */
  private readonly blank: Readonly<Record<string, unknown>>;

  constructor(
    private readonly columns: readonly RecordColumn[],
    further: readonly string[] = [],
  ) {
    const names = [...columns.map(({ name }) => name), ...further, 'eTag'];
    this.blank = Object.fromEntries(names.map((name) => [name, null]));
  }

  read(row: PlainRow, eTag: ETag): Record<string, unknown> {
    const values: Record<string, unknown> = { ...this.blank };
    for (const { name, form, place } of this.columns) {
      const value = row[place];
      if (value !== null && value !== undefined) values[name] = VALUE_OF[form](value);
    }
    values['eTag'] = eTag;
    return values;
  }
}
