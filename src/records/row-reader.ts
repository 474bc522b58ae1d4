import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { ETag } from '../etag/entity-tags.js';
import type { VersionedRecord } from './versioned-record.js';

/** A row as JSON from PostgreSQL, by column name. */
type RawRow = Readonly<Record<string, unknown>>;

export interface RawVersion {
  readonly row: RawRow;
  readonly eTag: ETag;
}

/** Converts a raw row to a record with the same fields as RecordSql's JSON. */
export class RowReader {
  private readonly own: Part;
  private readonly embedded: readonly (readonly [name: string, id: string, part: Part])[];

  constructor({ ownColumns, embeddeds }: EntityMetadata) {
    const names = embeddeds.map(({ propertyName }) => propertyName);
    this.own = new Part(ownColumns, names);
    this.embedded = embeddeds.map(({ propertyName, columns }) => [propertyName, idColumn(columns), new Part(columns)]);
  }

  read({ row, eTag }: RawVersion): VersionedRecord {
    const record = this.own.read(row, eTag);
    for (const [name, id, part] of this.embedded) {
      if (row[id] !== null) record[name] = part.read(row, eTag);
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

/** The id column of a part; the part is null unless it has an id. */
export function idColumn(columns: readonly ColumnMetadata[]): string {
  return String(columns.find(({ propertyName }) => propertyName === 'id')?.databaseName);
}

/** The columns that form one object. */
class Part {
  /** Preallocates the final shape: adding properties one by one takes twice as long. */
  private readonly blank: RawRow;
  private readonly columns: readonly (readonly [name: string, column: string, isMoment: boolean])[];

  constructor(columns: readonly ColumnMetadata[], further: readonly string[] = []) {
    const names = [...columns.map(({ propertyName }) => propertyName), ...further, 'eTag'];
    this.blank = Object.fromEntries(names.map((name) => [name, null]));
    this.columns = columns.map((each) => [each.propertyName, each.databaseName, each.type === 'timestamptz']);
  }

  read(row: RawRow, eTag: ETag): Record<string, unknown> {
    const values: Record<string, unknown> = { ...this.blank };
    for (const [name, column, isMoment] of this.columns) {
      // PostgreSQL formats timestamps in the connection's time zone and without trailing zeros.
      const value = row[column];
      values[name] = isMoment && typeof value === 'string' ? new Date(value).toISOString() : value;
    }
    values['eTag'] = eTag;
    return values;
  }
}
