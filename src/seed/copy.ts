import { finished } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { EntityMetadata } from 'typeorm';

type Json = Record<string, unknown>;

/** Where a column's value stands in a row: in the row itself or in one of its embedded parts. */
interface Place {
  readonly part: string | undefined;
  readonly property: string;
}

/** Rows of one table on their way into it by COPY, PostgreSQL's fastest door; the columns are those of the entity. */
export class TableCopy {
  readonly name: string;
  /** How many rows were added. */
  count = 0;
  private readonly places: readonly Place[];
  private readonly statement: string;
  private lines: string[] = [];

  constructor({ columns, tableName }: EntityMetadata) {
    this.name = tableName;
    this.places = columns.map(({ propertyName, embeddedMetadata }) => ({
      part: embeddedMetadata?.propertyName,
      property: propertyName,
    }));
    this.statement = `COPY ${tableName} (${columns.map((column) => column.databaseName).join(', ')}) FROM STDIN`;
  }

  add(row: object): void {
    this.lines.push(this.places.map((place) => encode(valueAt(row as Json, place))).join('\t'));
    this.count++;
  }

  /** What was added since the last time, as a job that sends it. Rows that are added meanwhile wait for the next one. */
  take(): (client: Client) => Promise<void> {
    const { lines, statement } = this;
    this.lines = [];
    return async (client) => {
      if (lines.length === 0) return;
      const stream = client.query(copyFrom(statement));
      stream.end(`${lines.join('\n')}\n`);
      await finished(stream);
    };
  }
}

function valueAt(row: Json, { part, property }: Place): unknown {
  return part === undefined ? row[property] : (row[part] as Json | null)?.[property];
}

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value in COPY's text format. */
function encode(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string') return SPECIAL.test(value) ? escape(value) : value;
  if (typeof value === 'number') return String(value);
  throw new TypeError(`Values of type ${typeof value} are not seeded`);
}

function escape(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
