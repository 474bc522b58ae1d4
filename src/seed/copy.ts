import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { EntityMetadata } from 'typeorm';

type Json = Record<string, unknown>;

/** Rows of one table on their way into it by COPY, PostgreSQL's fastest door; the columns are those of the entity. */
export class TableCopy {
  readonly name: string;
  /** How many rows the table has got. */
  written = 0;
  private readonly paths: readonly (readonly string[])[];
  private readonly statement: string;
  private lines = '';

  constructor({ columns, tableName }: EntityMetadata) {
    this.name = tableName;
    this.paths = columns.map((column) => column.propertyPath.split('.'));
    this.statement = `COPY ${tableName} (${columns.map((column) => column.databaseName).join(', ')}) FROM STDIN`;
  }

  add(row: object): void {
    let separator = '';
    for (const path of this.paths) {
      this.lines += separator + encode(valueAt(row as Json, path));
      separator = '\t';
    }
    this.lines += '\n';
    this.written++;
  }

  /** Sends what was added since the last time. */
  async flush(client: Client): Promise<void> {
    if (this.lines === '') return;
    const stream = client.query(copyFrom(this.statement));
    const done = finished(stream);
    if (!stream.write(this.lines)) await Promise.race([once(stream, 'drain'), done]);
    this.lines = '';
    stream.end();
    await done;
  }
}

function valueAt(row: Json, [first = '', second]: readonly string[]): unknown {
  const value = row[first];
  return second === undefined ? value : (value as Json | null)?.[second];
}

const SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value in COPY's text format. */
function encode(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string') return value.replace(SPECIAL, (character) => ESCAPES[character] ?? character);
  if (typeof value === 'number') return String(value);
  throw new TypeError(`Values of type ${typeof value} are not seeded`);
}
