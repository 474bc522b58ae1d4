import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DataSource, EntityMetadata } from 'typeorm';
import { raw, type Sql } from '../database/sql.js';
import type { BoundStatement, PlainRow, Statement } from '../database/statement.js';
import { Expansion } from './expansion.js';
import { ListSql, type ListRequest, type ListStatements, type SearchStatements } from './list-sql.js';
import { NEWEST_FIRST, type FoundPage } from './paging.js';
import type { Reread } from './pending-write.js';
import { COMMON, RecordColumns } from './record-columns.js';
import type { RenderedRow } from './rendered-record.js';
import { compileRenderer, type Renderer } from './renderer.js';
import type { Relation, Resource } from './resource.js';
import { columnOf, RowReader } from './row-reader.js';

/** What the SQL of a record needs besides its entity: the SQL of related records, for `expand`, and that of searches. */
interface RelatedSql {
  readonly relations: readonly Relation[];
  readonly sqlOf: (resource: Resource) => RecordSql;
  /** Precedes the paths of lists. */
  readonly baseUrl: string;
  readonly search: SearchStatements;
}

/** The statements for one kind of record, generated from its entity, and the JSON of their rows, which are plain. */
export class RecordSql {
  readonly columns: RecordColumns;
  /** Parses the rows that `lock` returns. */
  readonly rows: RowReader;
  /** The fields that history reports, by column: `destination_address_city` is `destinationAddress/city`. */
  readonly fieldsByColumn: ReadonlyMap<string, string>;
  /** The columns with timestamps among them, which stored versions have in the spelling of PostgreSQL. */
  readonly moments: ReadonlySet<string>;
  readonly table: string;
  private readonly renderer: Renderer;
  private readonly statements = new LRUCache<string, Statement>({ max: MAX_KEPT });

  constructor(
    readonly resource: Resource,
    private readonly metadata: EntityMetadata,
    private readonly related: RelatedSql,
  ) {
    this.table = metadata.tableName;
    this.columns = new RecordColumns(metadata, resource);
    this.rows = new RowReader(this.columns);
    this.renderer = compileRenderer(this.columns);
    const reported = metadata.columns.filter(({ propertyPath }) => !COMMON.includes(propertyPath));
    this.fieldsByColumn = new Map(
      reported.map((column) => [column.databaseName, column.propertyPath.replaceAll('.', '/')]),
    );
    const moments = reported.filter(({ type }) => type === 'timestamptz');
    this.moments = new Set(moments.map(({ databaseName }) => databaseName));
  }

  /** Renders a row that a statement returned; `limit` is that of the list. */
  render(row: PlainRow, expand: readonly string[] = [], limit = 1): RenderedRow {
    if (expand.length === 0) return this.renderer(row);
    const [id, ...selected] = [row[0], ...row.slice(this.columns.width)];
    const more = expand.map((name, index) => this.expansion(name).members(String(selected[index]), String(id), limit));
    return this.renderer(row, more.join(''));
  }

  find(key: string, expand: readonly string[]): Statement {
    return this.prepared(`find ${key} ${expand.join()}`, () => {
      return `SELECT ${this.shown(expand)} FROM ${this.table} r WHERE r.${this.column(key)} = $1`;
    });
  }

  /** A past version of the record from history, and whether its values were erased. */
  version(): Statement {
    return this.prepared('version', () => {
      return `SELECT ${this.shown()}, h.record ? 'erased' FROM history h, ${this.past('h.record')} WHERE h.record_id = $1 AND h.e_tag = decode($2, 'hex') AND h.record_kind = '${this.resource.name}'`;
    });
  }

  isErased(version: PlainRow): boolean {
    return version[this.columns.width] === 't';
  }

  /**
   * The record as a request wrote it in a transaction; all its columns are null if the request deleted it. After a crash, PostgreSQL reuses
   * the ids of lost transactions, so the id alone does not identify the write.
   */
  written(id: string, expand: readonly string[] = []): Reread {
    const statement = this.prepared(`written ${expand.join()}`, () => {
      return `
        SELECT ${this.shown(expand)} FROM history h, ${this.past('h.record')}
        WHERE h.record_id = $1 AND h.transaction_id = $2::xid8 AND h.request_id = $3`;
    });
    return (transactionID, requestID) => ({ statement, values: [id, transactionID, requestID] });
  }

  current(key: string): Statement {
    return this.prepared(`current ${key}`, () => this.storedBy(key));
  }

  lock(key: string): Statement {
    return this.prepared(`lock ${key}`, () => `${this.storedBy(key)} FOR NO KEY UPDATE`);
  }

  /** Locks the record $1 if it has one of the versions $2: PostgreSQL compares before it waits for the lock, and again afterwards. */
  lockVersion(key: string): Statement {
    return this.prepared(`lock version ${key}`, () => {
      return `${this.storedBy(key)} AND etag_of(r.updated_at) = ANY ($2::text[]) FOR NO KEY UPDATE`;
    });
  }

  currentAll(): Statement {
    return this.prepared('current all', () => this.storedAll());
  }

  /** Locks the records $1 in id order, so that transactions cannot deadlock. */
  lockAll(): Statement {
    return this.prepared('lock all', () => `${this.storedAll()} ORDER BY r.id FOR NO KEY UPDATE`);
  }

  /** The records $1 at the versions $2, except versions that history does not contain or that were erased. */
  versions(): Statement {
    return this.prepared('versions', () => {
      return `
        SELECT ${this.stored()}
        FROM unnest($1::uuid[], $2::text[]) AS named (id, e_tag)
        CROSS JOIN LATERAL (
          SELECT h.record FROM history h
          WHERE h.record_id = named.id AND h.e_tag = decode(named.e_tag, 'hex') AND h.record_kind = '${this.resource.name}'
            AND NOT h.record ? 'erased'
          LIMIT 1
        ) h
        CROSS JOIN LATERAL ${this.past('h.record')}`;
    });
  }

  /** The records in the array $1, each a row by column, in this order. */
  kept(): Statement {
    return this.prepared('kept', () => {
      return `SELECT ${this.shown()} FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS row (record, number), ${this.past('row.record')} ORDER BY row.number`;
    });
  }

  /** Whether history has a record with the id $1. */
  existed(): Statement {
    return this.prepared('existed', () => {
      return `SELECT FROM history WHERE root_id = $1 AND record_id = $1 AND record_kind = '${this.resource.name}' LIMIT 1`;
    });
  }

  /** The id of the record $1; FOR KEY SHARE keeps it from being deleted. */
  idBy(key: string, lock: '' | 'FOR KEY SHARE' = ''): Statement {
    return this.prepared(`id by ${key} ${lock}`, () => {
      return `SELECT r.id FROM ${this.table} r WHERE r.${this.column(key)} = $1 ${lock}`;
    });
  }

  /** The ids and alternate keys of the records with ids $1 or alternate keys $2. */
  namesAmong(lock = ''): Statement {
    return this.prepared(`names among ${lock}`, () => {
      const second = `r.${this.column(this.resource.alternateKey?.property ?? 'id')}::text`;
      return `SELECT r.id, ${second} AS name FROM ${this.table} r WHERE r.id = ANY ($1::uuid[]) OR ${second} = ANY ($2::text[]) ${lock}`;
    });
  }

  /** Locks the same records in id order: transactions that create children of several could deadlock over the children's numbers. */
  lockParents(): Statement {
    return this.namesAmong('ORDER BY r.id FOR NO KEY UPDATE');
  }

  page(request: ListRequest): BoundStatement & { read: (rows: readonly PlainRow[]) => FoundPage } {
    const { expand = [], limit } = request;
    const list = this.list(request);
    const columns = this.shownColumns(expand, limit);
    const read = (rows: readonly PlainRow[]) => list.read(rows, this.columns, columns.length);
    return { ...this.bound(list.page(raw(columns.join(', ')))), read };
  }

  /** Counts a list, whichever of its pages is requested, by the index that serves its filters. */
  count(request: ListRequest): BoundStatement {
    const { range, search } = request;
    const sort = range === undefined || search !== undefined ? NEWEST_FIRST : range.field;
    return this.bound(this.list({ ...request, sort, after: undefined }).count());
  }

  whole(request: ListRequest): Sql {
    return this.list(request).whole(raw(this.shown()));
  }

  private list(request: ListRequest): ListStatements {
    const list = new ListSql(this.resource, this.metadata, request);
    if (request.search === undefined) return list;
    if (this.resource.search === undefined) throw new Error(`A ${this.resource.name} has no words to search for`);
    return this.related.search(list, this.resource.search, request.search);
  }

  private bound(list: Sql): BoundStatement {
    const { text, values } = list;
    return { statement: this.prepared(text, () => text), values };
  }

  insert(properties: readonly string[]): Statement {
    return this.prepared(`insert ${properties.join()}`, () => {
      const columns = properties.map((property) => this.column(property));
      const values = columns.map((_, index) => `$${index + 1}`);
      return `
        INSERT INTO ${this.table} AS r (${columns.join(', ')}) VALUES (${values.join(', ')})
        RETURNING ${this.shown()}`;
    });
  }

  /** Updates the record $1 if it still has the version $2. */
  update(properties: readonly string[], expand: readonly string[]): Statement {
    return this.prepared(`update ${properties.join()} ${expand.join()}`, () => {
      const changes = properties.map((property, index) => `${this.column(property)} = $${index + 3}`);
      return `
        UPDATE ${this.table} AS r SET ${changes.join(', ') || NO_CHANGE}
        WHERE r.id = $1 AND r.updated_at = $2
        RETURNING ${this.shown(expand)}`;
    });
  }

  /** Updates the same fields of many records: $1 has their ids, $2 their versions, and each further array the values of one field. */
  updateMany(properties: readonly string[], expand: readonly string[]): Statement {
    return this.prepared(`update many ${properties.join()} ${expand.join()}`, () => {
      const columns = ['id', 'updatedAt', ...properties].map((property) => columnOf(this.metadata, property));
      const arrays = columns.map(({ type }, index) => `$${index + 1}::${String(type)}[]`);
      const changes = columns.slice(2).map(({ databaseName }) => `${databaseName} = new_row.${databaseName}`);
      return `
        UPDATE ${this.table} AS r SET ${changes.join(', ') || NO_CHANGE}
        FROM unnest(${arrays.join(', ')}) AS new_row (${columns.map(({ databaseName }) => databaseName).join(', ')})
        WHERE r.id = new_row.id AND r.updated_at = new_row.updated_at
        RETURNING ${this.shown(expand)}`;
    });
  }

  /** Deletes the record $1 if it still has the version $2. */
  remove(): Statement {
    return this.prepared('remove', () => `DELETE FROM ${this.table} WHERE id = $1 AND updated_at = $2 RETURNING id`);
  }

  private column(property: string): string {
    return columnOf(this.metadata, property).databaseName;
  }

  /** The values of an object by property path, including embedded parts; a null part clears all its columns. */
  flatten(values: Record<string, unknown>): Map<string, unknown> {
    const flat = new Map<string, unknown>();
    for (const [property, value] of Object.entries(values)) {
      const part = this.metadata.embeddeds.find((candidate) => candidate.propertyName === property);
      if (part === undefined) {
        flat.set(property, value);
        continue;
      }
      for (const column of part.columns) {
        flat.set(column.propertyPath, (value as Record<string, unknown> | null)?.[column.propertyName] ?? null);
      }
    }
    return flat;
  }

  private storedBy(key: string): string {
    return `SELECT ${this.stored()} FROM ${this.table} r WHERE r.${this.column(key)} = $1`;
  }

  private storedAll(): string {
    return `SELECT ${this.stored()} FROM ${this.table} r WHERE r.id = ANY ($1::uuid[])`;
  }

  /** The stored columns of the row `r`. They are named, so that a migration that adds a column does not change the result. */
  private stored(): string {
    return this.columns.storedOf('r').join(', ');
  }

  /** What clients see of the row `r`. */
  private shown(expand: readonly string[] = []): string {
    return this.shownColumns(expand).join(', ');
  }

  private shownColumns(expand: readonly string[] = [], limit = 1): string[] {
    return [...this.columns.of('r'), ...expand.map((name) => this.expansion(name).of('r', limit))];
  }

  private past(record: string): string {
    return `jsonb_populate_record(NULL::${this.table}, ${record}) r`;
  }

  private expansion(name: string): Expansion {
    const { relations, sqlOf, baseUrl } = this.related;
    const relation = relations.find((candidate) => candidate.of === this.resource && candidate.name === name);
    if (relation === undefined) throw new Error(`A ${this.resource.name} cannot be expanded by ${name}`);
    const related = sqlOf(relation.to);
    const holder = relation.list === undefined ? this : related;
    return new Expansion(relation, related, holder.column(relation.by), baseUrl);
  }

  /** Caches the most recently used statements. A statement is named by the hash of its text. */
  private prepared(shape: string, write: () => string): Statement {
    const known = this.statements.get(shape);
    if (known !== undefined) return known;
    const text = write();
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const statement = { name: `${this.table}_${digest}`, text, plain: true } as const;
    this.statements.set(shape, statement);
    return statement;
  }
}

/** The statements by kind of record. Those of related kinds know each other, for `expand`. */
export function recordSqls(
  resources: readonly Resource[],
  relations: readonly Relation[],
  dataSource: DataSource,
  search: SearchStatements,
  baseUrl: string,
): (resource: Resource) => RecordSql {
  const sqlOf = (resource: Resource) => {
    const sql = sqls.get(resource);
    if (sql === undefined) throw new Error(`The resource ${resource.name} is not registered`);
    return sql;
  };
  const sqls = new Map<Resource, RecordSql>(
    resources.map((resource): [Resource, RecordSql] => {
      const metadata = dataSource.getMetadata(resource.entity);
      return [resource, new RecordSql(resource, metadata, { relations, sqlOf, baseUrl, search })];
    }),
  );
  return sqlOf;
}

/** An empty update still creates a new version. */
const NO_CHANGE = 'id = r.id';

/** Each combination of fields, filters and expansions is a separate statement. */
const MAX_KEPT = 256;
