import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { ETag } from './version.js';
import type { VersionedRecord } from './versioned-record.js';

/** A row as it is stored: its columns by their names, in the JSON that PostgreSQL makes of a row. */
export type StoredRow = Readonly<Record<string, unknown>>;

interface Field {
  readonly name: string;
  readonly column: string;
  readonly isMoment: boolean;
}

interface Part {
  readonly name: string;
  /** The part is there when its id is. */
  readonly id: string;
  readonly fields: readonly Field[];
}

/** Makes of a stored row the record that clients see, as RecordSql's JSON shows it. */
export class RowReader {
  private readonly own: readonly Field[];
  private readonly parts: readonly Part[];

  constructor({ ownColumns, embeddeds }: EntityMetadata) {
    this.own = ownColumns.map(fieldOf);
    this.parts = embeddeds.map(({ propertyName, columns }) => {
      return { name: propertyName, id: idColumn(columns), fields: columns.map(fieldOf) };
    });
  }

  read(row: StoredRow, eTag: ETag): VersionedRecord {
    const record = valuesOf(row, this.own);
    for (const { name, id, fields } of this.parts) {
      record[name] = row[id] === null ? null : { ...valuesOf(row, fields), eTag };
    }
    record['eTag'] = eTag;
    return record as unknown as VersionedRecord;
  }
}

/** The column that holds the id of a part. */
export function idColumn(columns: readonly ColumnMetadata[]): string {
  return String(columns.find(({ propertyName }) => propertyName === 'id')?.databaseName);
}

function fieldOf({ propertyName, databaseName, type }: ColumnMetadata): Field {
  return { name: propertyName, column: databaseName, isMoment: type === 'timestamptz' };
}

function valuesOf(row: StoredRow, fields: readonly Field[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, column, isMoment } of fields) {
    // PostgreSQL writes moments in the time zone of the connection and without trailing zeros.
    values[name] = isMoment ? new Date(String(row[column])).toISOString() : row[column];
  }
  return values;
}
