import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { escapeLiteral } from 'pg';
import type { EntityMetadata } from 'typeorm';
import type { Statement } from '../database/statement.js';
import { ListSql, newestFirstCursor, type ListRequest } from './list-sql.js';
import { COMMON, recordJson, type Expansion } from './record-json.js';
import type { Reread } from './pending-write.js';
import { nextName, type Relation, type Resource } from './resource.js';
import { columnOf, RowReader } from './row-reader.js';
import { SearchSql } from './search-sql.js';

/** Creates the SQL of related records, for `expand`. */
interface RelatedSql {
  readonly relations: readonly Relation[];
  readonly sqlOf: (resource: Resource) => RecordSql;
  /** Precedes the paths of lists. */
  readonly baseUrl: string;
}

/** The SQL of one kind of record, generated from its entity. PostgreSQL renders the JSON, in the same way for reads, lists and writes. */
export class RecordSql {
  /** Parses the rows that `lock` returns. */
  readonly rows: RowReader;
  /** The fields that history reports, by column: `destination_address_city` is `destinationAddress/city`. */
  readonly fieldsByColumn: ReadonlyMap<string, string>;
  private readonly statements = new LRUCache<string, Statement>({ max: MAX_KEPT });
  private readonly table: string;

  constructor(
    readonly resource: Resource,
    private readonly metadata: EntityMetadata,
    private readonly related: RelatedSql,
  ) {
    this.table = metadata.tableName;
    this.rows = new RowReader(metadata);
    const reported = metadata.columns.filter(({ propertyPath }) => !COMMON.includes(propertyPath));
    this.fieldsByColumn = new Map(
      reported.map((column) => [column.databaseName, column.propertyPath.replaceAll('.', '/')]),
    );
  }

  /** Renders the row `alias` as JSON, with up to `most` expanded records per relation. */
  json(alias: string, expand: readonly string[] = [], most = MAX_EXPANDED): string {
    const expansions = expand.map((name) => this.expansion(name, alias, most));
    const live = Object.entries(this.resource.live ?? {}).map(([name, sql]) => `${sql(alias)} AS "${name}"`);
    return recordJson(this.metadata, alias, [{ fields: live }, ...expansions]);
  }

  find(key: string, expand: readonly string[]): Statement {
    return this.prepared(`find ${key} ${expand.join()}`, () => {
      return `SELECT ${this.renderedColumns('r', expand)} FROM ${this.table} r WHERE r.${this.column(key)} = $1`;
    });
  }

  /** A past version of the record, rendered from the row in history. */
  version(): Statement {
    return this.prepared('version', () => {
      return `SELECT ${this.renderedColumns('r')}, h.record ? 'erased' AS erased FROM history h, jsonb_populate_record(NULL::${this.table}, h.record) r WHERE h.record_id = $1 AND h.e_tag = decode($2, 'hex') AND h.record_kind = '${this.resource.name}'`;
    });
  }

  /**
   * The record as a request wrote it in a transaction; all its columns are null if the request deleted it. After a crash, PostgreSQL reuses
   * the ids of lost transactions, so the id alone does not identify the write.
   */
  written(id: string, expand: readonly string[] = []): Reread {
    const statement = this.prepared(`written ${expand.join()}`, () => {
      return `
        SELECT ${this.renderedColumns('r', expand)}
        FROM history h, jsonb_populate_record(NULL::${this.table}, h.record) r
        WHERE h.record_id = $1 AND h.transaction_id = $2::xid8 AND h.request_id = $3`;
    });
    return (transactionID, requestID) => ({ statement, values: [id, transactionID, requestID] });
  }

  lock(key: string): Statement {
    return this.prepared(`lock ${key}`, () => `${this.stored(key)} FOR NO KEY UPDATE`);
  }

  /**
   * Locks the record $1 if it has one of the versions $2. PostgreSQL does not wait for the lock if its snapshot shows another version,
   * and checks the version again after waiting.
   */
  lockVersion(key: string): Statement {
    return this.prepared(`lock version ${key}`, () => {
      return `${this.stored(key)} AND etag_of(r.updated_at) = ANY ($2::text[]) FOR NO KEY UPDATE`;
    });
  }

  /** Locks the records $1 in id order, so that transactions cannot deadlock. */
  lockAll(): Statement {
    return this.prepared('lock all', () => `${this.storedAll()} ORDER BY r.id FOR NO KEY UPDATE`);
  }

  /** Like `lockAll`, without locking. */
  currentAll(): Statement {
    return this.prepared('current all', () => this.storedAll());
  }

  /** The records $1 at the versions $2, except versions that history does not contain or that were erased. */
  versions(): Statement {
    return this.prepared('versions', () => {
      return `
        SELECT row_to_json(r) AS row, named.e_tag AS "eTag"
        FROM unnest($1::uuid[], $2::text[]) AS named (id, e_tag)
        CROSS JOIN LATERAL (
          SELECT h.record FROM history h
          WHERE h.record_id = named.id AND h.e_tag = decode(named.e_tag, 'hex') AND h.record_kind = '${this.resource.name}'
            AND NOT h.record ? 'erased'
          LIMIT 1
        ) h
        CROSS JOIN LATERAL jsonb_populate_record(NULL::${this.table}, h.record) r`;
    });
  }

  /** Whether history has a record with the id $1. */
  existed(): Statement {
    return this.prepared('existed', () => {
      return `SELECT FROM history WHERE root_id = $1 AND record_id = $1 AND record_kind = '${this.resource.name}' LIMIT 1`;
    });
  }

  /** Like `lock`, without locking. */
  current(key: string): Statement {
    return this.prepared(`current ${key}`, () => this.stored(key));
  }

  private stored(key: string): string {
    return `${this.rawRows()} WHERE r.${this.column(key)} = $1`;
  }

  private storedAll(): string {
    return `${this.rawRows()} WHERE r.id = ANY ($1::uuid[])`;
  }

  /** Raw rows cost half as much as JSON for clients; `rows` converts them. */
  private rawRows(): string {
    return `SELECT row_to_json(r) AS row, etag_of(r.updated_at) AS "eTag" FROM ${this.table} r`;
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

  /**
   * Locks the same records in id order. Transactions that create children of several records wait for each other here, so that they cannot
   * deadlock over the numbers of the children.
   */
  holdAll(): Statement {
    return this.namesAmong('ORDER BY r.id FOR NO KEY UPDATE');
  }

  /** One page of a list, with its values. */
  page(request: ListRequest): { statement: Statement; values: unknown[] } {
    const list = this.list(request);
    const statement = this.prepared(list.shape, () => list.text(this.json('r', request.expand, mostInList(request))));
    return { statement, values: list.values };
  }

  /** A whole list, for exports. */
  whole(request: ListRequest): { text: string; values: readonly unknown[] } {
    return this.list(request).whole(this.json('r'));
  }

  private list(request: ListRequest): ListSql {
    const { search } = request;
    return search === undefined
      ? new ListSql(this.resource, this.metadata, request)
      : new SearchSql(this.resource, this.metadata, request, search);
  }

  insert(properties: readonly string[]): Statement {
    return this.prepared(`insert ${properties.join()}`, () => {
      const columns = properties.map((property) => this.column(property));
      const values = columns.map((_, index) => `$${index + 1}`);
      return `
        INSERT INTO ${this.table} AS r (${columns.join(', ')}) VALUES (${values.join(', ')})
        RETURNING ${this.renderedColumns('r')}`;
    });
  }

  /** Updates the record $1 if it still has the version $2. */
  update(properties: readonly string[], expand: readonly string[]): Statement {
    return this.prepared(`update ${properties.join()} ${expand.join()}`, () => {
      const changes = properties.map((property, index) => `${this.column(property)} = $${index + 3}`);
      return `
        UPDATE ${this.table} AS r SET ${changes.join(', ') || NO_CHANGE}
        WHERE r.id = $1 AND r.updated_at = $2
        RETURNING ${this.renderedColumns('r', expand)}`;
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
        RETURNING ${this.renderedColumns('r', expand)}`;
    });
  }

  /** Deletes the record $1 if it still has the version $2. */
  remove(): Statement {
    return this.prepared('remove', () => `DELETE FROM ${this.table} WHERE id = $1 AND updated_at = $2 RETURNING id`);
  }

  private expansion(name: string, alias: string, most: number): Expansion {
    const { relations, sqlOf } = this.related;
    const relation = relations.find((candidate) => candidate.of === this.resource && candidate.name === name);
    if (relation === undefined) throw new Error(`A ${this.resource.name} cannot be expanded by ${name}`);
    if ('many' in relation) {
      return {
        fields: [`"${name}".items AS "${name}"`, `"${name}".next AS "${nextName(relation)}"`],
        from: `LATERAL ${sqlOf(relation.many).many(relation, alias, most)} "${name}"`,
      };
    }
    return { fields: [`${sqlOf(relation.one).one(alias, this.column(relation.by))} AS "${name}"`] };
  }

  /** The newest children of the row `parent`: `items`, a JSON array, and `next`, the URL of the remaining ones, or null. */
  many({ by, list }: { readonly by: string; readonly list: string }, parent: string, most: number): string {
    const [before = '', after = ''] = (this.related.baseUrl + list).split('{id}').map(escapeLiteral);
    const separator = list.includes('?') ? '&' : '?';
    const lastID = `(array_agg(m.id ORDER BY m.id DESC))[${most}]`;
    const rest = `concat(${before}, ${parent}.id, ${after}, '${separator}limit=${MAX_EXPANDED}&cursor=', ${newestFirstCursor(lastID)})`;
    return `(
      SELECT coalesce(json_agg(${this.json('m')} ORDER BY m.id DESC) FILTER (WHERE m.place <= ${most}), '[]') AS items,
        CASE WHEN count(*) > ${most} THEN ${rest} END AS next
      FROM (
        SELECT m.*, row_number() OVER (ORDER BY m.id DESC) AS place
        FROM ${this.table} m WHERE m.${this.column(by)} = ${parent}.id
        ORDER BY m.id DESC LIMIT ${most + 1}
      ) m
    )`;
  }

  /** The record that the row `child` refers to, as JSON. */
  one(child: string, foreignKeyColumn: string): string {
    return `(SELECT ${this.json('o')} FROM ${this.table} o WHERE o.id = ${child}.${foreignKeyColumn})`;
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

  private renderedColumns(alias: string, expand: readonly string[] = []): string {
    return `${alias}.id, etag_of(${alias}.updated_at) AS "eTag", ${this.json(alias, expand)}::text AS json`;
  }

  /** Caches the most recently used statements. A statement is named by the hash of its text. */
  private prepared(shape: string, write: () => string): Statement {
    const known = this.statements.get(shape);
    if (known !== undefined) return known;
    const text = write();
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const statement = { name: `${this.table}_${digest}`, text };
    this.statements.set(shape, statement);
    return statement;
  }
}

/** An empty update still creates a new version. */
const NO_CHANGE = 'id = r.id';

/** Maximum number of expanded children per record, and per page of a list. */
export const MAX_EXPANDED = 200;
export const MAX_EXPANDED_IN_LIST = 2000;

function mostInList({ limit }: ListRequest): number {
  return Math.min(MAX_EXPANDED, Math.floor(MAX_EXPANDED_IN_LIST / limit));
}

/** Each combination of fields, filters and expansions is a separate statement. */
const MAX_KEPT = 256;
