import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Resource } from './resource.js';

/** The columns of every record; the first and last in its JSON. */
export const COMMON = ['id', 'createdAt', 'updatedAt'];

/** What PostgreSQL returns for a column: a text without characters that JSON escapes, any text, a timestamp in UTC as JSON, or any JSON. */
type Form = 'id' | 'text' | 'moment' | 'json';

export interface RecordColumn {
  readonly name: string;
  readonly form: Form;
  /** Its index in a row. */
  readonly place: number;
}

/** A part that is stored in its record's row and shares its version; null unless it has an id. */
export interface RecordPart {
  readonly name: string;
  readonly id: RecordColumn;
  readonly columns: readonly RecordColumn[];
}

/**
 * Selects a column by type. The result does not depend on the settings TimeZone and DateStyle, nor on the length of a varchar: if a
 * migration changed the type of a result, the statements that older replicas have prepared would fail.
 */
const SELECTED: Readonly<Record<string, readonly [form: Form, sql: (value: string) => string]>> = {
  uuid: ['id', (value) => value],
  varchar: ['text', (value) => `${value}::text`],
  timestamptz: ['moment', (value) => `to_json(${value} AT TIME ZONE 'UTC')`],
  date: ['json', toJSON],
  integer: ['json', toJSON],
  boolean: ['json', toJSON],
  array: ['json', toJSON],
};

/** What statements select of a record, and where each column is in the row. */
export class RecordColumns {
  readonly id: RecordColumn;
  readonly own: readonly RecordColumn[];
  readonly parts: readonly RecordPart[];
  readonly createdAt: RecordColumn;
  readonly updatedAt: RecordColumn;
  readonly live: readonly RecordColumn[];
  private readonly selected: ((alias: string) => string)[] = [];

  constructor({ ownColumns, embeddeds }: EntityMetadata, { live = {} }: Pick<Resource, 'live'>) {
    const common = (name: string) =>
      named(name, this.stored(ownColumns.filter((column) => column.propertyName === name)));
    this.id = common('id');
    this.own = this.stored(ownColumns.filter(({ propertyName }) => !COMMON.includes(propertyName)));
    this.parts = embeddeds.map((part) => {
      const columns = this.stored(part.columns);
      return { name: part.propertyName, id: named('id', columns), columns };
    });
    this.createdAt = common('createdAt');
    this.updatedAt = common('updatedAt');
    this.live = Object.entries(live).map(([name, sql]) => this.add(name, 'json', (alias) => toJSON(sql(alias))));
  }

  get width(): number {
    return this.selected.length;
  }

  /** The columns of the row `alias`. */
  of(alias: string): string[] {
    return this.selected.map((sql) => sql(alias));
  }

  /** The same without fields that are not stored. They come last. */
  storedOf(alias: string): string[] {
    return this.of(alias).slice(0, this.width - this.live.length);
  }

  /** A column that is not in a part. */
  column(name: string): RecordColumn {
    return named(name, [this.createdAt, this.updatedAt, ...this.own]);
  }

  private stored(columns: readonly ColumnMetadata[]): readonly RecordColumn[] {
    return columns.map(({ propertyName, databaseName, type, isArray }) => {
      const [form, sql] = SELECTED[isArray ? 'array' : String(type)] ?? [];
      if (form === undefined || sql === undefined)
        throw new Error(`No JSON for type ${String(type)} (${databaseName})`);
      return this.add(propertyName, form, (alias) => sql(`${alias}.${databaseName}`));
    });
  }

  private add(name: string, form: Form, sql: (alias: string) => string): RecordColumn {
    return { name, form, place: this.selected.push(sql) - 1 };
  }
}

function toJSON(value: string): string {
  return `to_json(${value})`;
}

function named(name: string, columns: readonly RecordColumn[]): RecordColumn {
  const found = columns.find((column) => column.name === name);
  if (found === undefined) throw new Error(`The entity has no column ${name}`);
  return found;
}
