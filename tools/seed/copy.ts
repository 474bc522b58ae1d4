import { finished } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { EntityMetadata } from 'typeorm';
import type { VersionedRecord } from '../../src/records/versioned-record.js';
import type { Versions } from './versions.js';

type Json = Record<string, unknown>;

/** What history says of a version beside the record itself. */
export const VERSION_COLUMNS = ['version_type', 'changed_by', 'request_id'];

/** Where a column's value stands in a row: in the row itself or in one of its embedded parts. */
interface Place {
  readonly part: string | undefined;
  readonly property: string;
}

/**
 * Records of one table on their way into it by COPY, the fastest way into PostgreSQL. All their versions go into a temporary
 * table beside it, from which their history is made. The columns are those of the entity.
 */
export class TableCopy {
  readonly name: string;
  /** The temporary table of versions: the table's own columns, then what history says of each version. */
  readonly versions: string;
  /** How many records were added. */
  count = 0;
  private readonly places: readonly Place[];
  private readonly columns: string;
  private records: string[] = [];
  private versionLines: string[] = [];

  constructor({ columns, tableName }: EntityMetadata) {
    this.name = tableName;
    this.versions = `seed_${tableName}`;
    this.places = columns.map(({ propertyName, embeddedMetadata }) => ({
      part: embeddedMetadata?.propertyName,
      property: propertyName,
    }));
    this.columns = columns.map((column) => column.databaseName).join(', ');
  }

  /** The checks of the table hold for every version, too. */
  async createVersions(client: Client): Promise<void> {
    await client.query(`
      CREATE TEMPORARY TABLE ${this.versions} (
        LIKE ${this.name} INCLUDING CONSTRAINTS,
        ${VERSION_COLUMNS.map((column) => `${column} text NOT NULL`).join(', ')}
      ) ON COMMIT DROP
    `);
  }

  add<T extends VersionedRecord>(versions: Versions<T>): void {
    let line = '';
    for (const { row, type, changedBy, requestID } of versions) {
      line = this.places.map((place) => encode(valueAt(row as unknown as Json, place))).join('\t');
      this.versionLines.push(`${line}\t${type}\t${changedBy}\t${requestID}`);
    }
    this.records.push(line);
    this.count++;
  }

  /** What was added since the last time, as a job that sends it. Rows that are added meanwhile wait for the next one. */
  take(): (client: Client) => Promise<void> {
    const { records, versionLines, columns } = this;
    this.records = [];
    this.versionLines = [];
    return async (client) => {
      await copy(client, `${this.name} (${columns})`, records);
      await copy(client, `${this.versions} (${columns}, ${VERSION_COLUMNS.join(', ')})`, versionLines);
    };
  }
}

async function copy(client: Client, target: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const stream = client.query(copyFrom(`COPY ${target} FROM STDIN`));
  stream.end(`${lines.join('\n')}\n`);
  await finished(stream);
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
