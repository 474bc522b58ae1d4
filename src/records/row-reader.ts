import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { ETag } from '../etag/version.js';
import type { VersionedRecord } from './versioned-record.js';

/** A row as it is stored: its columns by their names, in the JSON that PostgreSQL makes of a row. */
export type RawRow = Readonly<Record<string, unknown>>;

/** The result of a statement that reads a whole row. */
export interface RawVersion {
  readonly row: RawRow;
  readonly eTag: ETag;
}

type Values = Record<string, unknown>;

/** Turns a stored row into the record that clients see, with the same fields as RecordSql's JSON. */
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

/** The column that holds the id of a part, which is there when its id is. */
export function idColumn(columns: readonly ColumnMetadata[]): string {
  return String(columns.find(({ propertyName }) => propertyName === 'id')?.databaseName);
}

/** Some columns of a row, which are read into one object. */
class Part {
  /** Has the final shape from the start: an object that grows property by property takes twice as long. */
  private readonly blank: Values;
  private readonly columns: readonly (readonly [name: string, column: string, isMoment: boolean])[];

  constructor(columns: readonly ColumnMetadata[], further: readonly string[] = []) {
    const names = [...columns.map(({ propertyName }) => propertyName), ...further, 'eTag'];
    this.blank = Object.fromEntries(names.map((name) => [name, null]));
    this.columns = columns.map((each) => [each.propertyName, each.databaseName, each.type === 'timestamptz']);
  }

  read(row: RawRow, eTag: ETag): Values {
    const values = { ...this.blank };
    for (const [name, column, isMoment] of this.columns) {
      // PostgreSQL writes moments in the time zone of the connection and without trailing zeros.
      values[name] = isMoment ? new Date(String(row[column])).toISOString() : row[column];
    }
    values['eTag'] = eTag;
    return values;
  }
}
