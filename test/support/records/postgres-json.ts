import type { DataSource, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Relation, Resource } from '../../../src/records/resource.js';

/** The row `alias` as PostgreSQL renders it: a second definition of the JSON of records, and of their order and versions. */
export function postgresJson(source: DataSource, resource: Resource, alias: string, expand: Relation[] = []): string {
  const { ownColumns, embeddeds }: EntityMetadata = source.getMetadata(resource.entity);
  const eTag = `etag_of(${alias}.updated_at) AS "eTag"`;
  const field = ({ databaseName, propertyName, type }: ColumnMetadata) => {
    const value = `${alias}.${databaseName}`;
    return `${type === 'timestamptz' ? `iso_ms(${value})` : value} AS "${propertyName}"`;
  };
  const common = ['createdAt', 'updatedAt'];
  const members = [
    ...ownColumns.filter(({ propertyName }) => !common.includes(propertyName)).map(field),
    ...embeddeds.map(({ propertyName, columns }) => {
      const id = columns.find((column) => column.propertyName === 'id')?.databaseName;
      const part = `(SELECT row_to_json(part) FROM (SELECT ${[...columns.map(field), eTag].join()}) part)`;
      return `CASE WHEN ${alias}.${id} IS NOT NULL THEN ${part} END AS "${propertyName}"`;
    }),
    ...ownColumns.filter(({ propertyName }) => common.includes(propertyName)).map(field),
    eTag,
    ...Object.entries(resource.live ?? {}).map(([name, sql]) => `${sql(alias)} AS "${name}"`),
    ...expand.flatMap((relation) => expanded(source, relation, alias)),
  ];
  return `(SELECT row_to_json(fields) FROM (SELECT ${members.join()}) fields)`;
}

function expanded(source: DataSource, relation: Relation, alias: string): string[] {
  const { of, by, name, to, list } = relation;
  const columnOf = (resource: Resource) =>
    source.getMetadata(resource.entity).findColumnWithPropertyPath(by)?.databaseName;
  const { tableName } = source.getMetadata(to.entity);
  if (list === undefined) {
    const json = postgresJson(source, to, 'related');
    return [`(SELECT ${json} FROM ${tableName} related WHERE related.id = ${alias}.${columnOf(of)}) AS "${name}"`];
  }
  const json = `json_agg(${postgresJson(source, to, 'related')} ORDER BY related.id DESC)`;
  const children = `FROM ${tableName} related WHERE related.${columnOf(to)} = ${alias}.id`;
  return [`(SELECT coalesce(${json}, '[]') ${children}) AS "${name}"`, `NULL AS "${name}Next"`];
}
