import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { idColumn } from './row-reader.js';
import { eTagOf, isoOf } from '../etag/version.js';

/** The columns every record has, which stand first and last in its JSON. */
export const COMMON = ['id', 'createdAt', 'updatedAt'];

/** Members that `expand` adds to the JSON of a record, and the subqueries of its FROM that they come from. */
export interface Expansion {
  readonly fields: readonly string[];
  readonly from?: string;
}

/** The row `alias` as the JSON that clients see; `expansions` stand last in it. Its eTag stands in it several times and is computed once. */
export function recordJson(metadata: EntityMetadata, alias: string, expansions: readonly Expansion[]): string {
  const own = metadata.ownColumns.filter((column) => !COMMON.includes(column.propertyName));
  const fields = [
    `${alias}.id`,
    ...own.map((column) => field(alias, column)),
    ...metadata.embeddeds.map((part) => embedded(alias, part.propertyName, part.columns)),
    `${isoOf(`${alias}.created_at`)} AS "createdAt"`,
    `${isoOf(`${alias}.updated_at`)} AS "updatedAt"`,
    'version."eTag"',
    ...expansions.flatMap((expansion) => expansion.fields),
  ];
  // Without OFFSET the planner would inline the call at each use.
  const version = `(SELECT ${eTagOf(`${alias}.updated_at`)} AS "eTag" OFFSET 0) version`;
  const sources = [version, ...expansions.flatMap(({ from }) => from ?? [])];
  return `(SELECT row_to_json(fields) FROM (SELECT ${fields.join(', ')} FROM ${sources.join(', ')}) fields)`;
}

function field(alias: string, { databaseName, propertyName, type }: ColumnMetadata): string {
  const value = `${alias}.${databaseName}`;
  return `${type === 'timestamptz' ? isoOf(value) : value} AS "${propertyName}"`;
}

/** A part that lives in its record's row and shares its version; it is there when its id is. */
function embedded(alias: string, name: string, columns: readonly ColumnMetadata[]): string {
  const fields = [...columns.map((column) => field(alias, column)), 'version."eTag"'];
  return `CASE WHEN ${alias}.${idColumn(columns)} IS NOT NULL THEN (SELECT row_to_json(part) FROM (SELECT ${fields.join(', ')}) part) END AS "${name}"`;
}
