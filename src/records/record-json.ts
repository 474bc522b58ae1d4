import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { idColumn } from './row-reader.js';

/** The columns of every record; the first and last in its JSON. */
export const COMMON = ['id', 'createdAt', 'updatedAt'];

/** JSON members that `expand` adds, and the subqueries in FROM that they use. */
export interface Expansion {
  readonly fields: readonly string[];
  readonly from?: string;
}

/** Renders the row `alias` as JSON for clients, with `expansions` last. Computes the eTag only once. */
export function recordJson(metadata: EntityMetadata, alias: string, expansions: readonly Expansion[]): string {
  const own = metadata.ownColumns.filter((column) => !COMMON.includes(column.propertyName));
  const fields = [
    `${alias}.id`,
    ...own.map((column) => field(alias, column)),
    ...metadata.embeddeds.map((part) => embedded(alias, part.propertyName, part.columns)),
    `iso_ms(${alias}.created_at) AS "createdAt"`,
    `iso_ms(${alias}.updated_at) AS "updatedAt"`,
    'version."eTag"',
    ...expansions.flatMap((expansion) => expansion.fields),
  ];
  // Without OFFSET, the planner would inline the call at each use.
  const version = `(SELECT etag_of(${alias}.updated_at) AS "eTag" OFFSET 0) version`;
  const sources = [version, ...expansions.flatMap(({ from }) => from ?? [])];
  return `(SELECT row_to_json(fields) FROM (SELECT ${fields.join(', ')} FROM ${sources.join(', ')}) fields)`;
}

function field(alias: string, { databaseName, propertyName, type }: ColumnMetadata): string {
  const value = `${alias}.${databaseName}`;
  return `${type === 'timestamptz' ? `iso_ms(${value})` : value} AS "${propertyName}"`;
}

/** A part that is stored in its record's row and shares its version; null unless it has an id. */
function embedded(alias: string, name: string, columns: readonly ColumnMetadata[]): string {
  const fields = [...columns.map((column) => field(alias, column)), 'version."eTag"'];
  return `CASE WHEN ${alias}.${idColumn(columns)} IS NOT NULL THEN (SELECT row_to_json(part) FROM (SELECT ${fields.join(', ')}) part) END AS "${name}"`;
}
