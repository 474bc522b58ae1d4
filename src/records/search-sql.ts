import type { EntityMetadata } from 'typeorm';
import type { PlainRow } from '../database/statement.js';
import {
  ListSql,
  numbered,
  valuesOf,
  where,
  withRows,
  type BoundText,
  type Condition,
  type FoundPage,
  type ListRequest,
} from './list-sql.js';
import type { RecordColumns } from './record-columns.js';
import type { Resource } from './resource.js';

/** Records that are read in list order before the word index is used. */
const WALKED_FIRST = 1000;
/** Matching records that are read from the word index and sorted. */
const MAX_FOUND = 20_000;
/** Records that are read in list order if more than MAX_FOUND match. A page may then be incomplete; its next link continues the search. */
const MAX_WALKED = 30_000;

const QUERY = '(SELECT words FROM query)';
const HAS_WORDS = `s.words @@ ${QUERY}`;
/** The index does not count for a record that changed since. */
const IS_INDEXED = 's.id NOT IN (SELECT id FROM changed)';

/**
 * The records that changed after the events that the index of words has reached, with their words. If they are too many, `behind` is the
 * number of changes, and the page has what is indexed.
 */
const BACKLOG = `
        backlog AS MATERIALIZED (SELECT * FROM search_backlog()),
        changed AS MATERIALIZED (SELECT id, move_id, words FROM backlog WHERE id IS NOT NULL)`;

/** The same for a whole list, which must not lack any. */
const CHANGED = 'changed AS MATERIALIZED (SELECT * FROM unindexed_words())';

/**
 * One page of a list of the records that have all the words, newest first. PostgreSQL's index of words has no order, so a word that many
 * records have would cost as many rows. Three ways are tried in turn, each with a bounded cost:
 *
 * 1. Walk the index of the list as `ListSql` does, for a few records. That fills the page when the words are common, or shows that the
 *    filters leave few records. Of several walks together, only the records are complete that are newer than the newest unread one.
 * 2. Ask the index of words, which finds all records with rare words, and sort them.
 * 3. If there are too many: they are common, but among older records. Walk on along the primary key.
 */
export class SearchSql extends ListSql {
  private readonly search: { readonly id: string; readonly rows: string };

  constructor(
    resource: Resource,
    metadata: EntityMetadata,
    request: ListRequest,
    private readonly written: string,
  ) {
    super(resource, metadata, request);
    if (resource.search === undefined) throw new Error(`A ${resource.name} has no words to search for`);
    this.search = resource.search;
  }

  override get values(): unknown[] {
    return this.tables().values as unknown[];
  }

  override get shape(): string {
    return `search ${super.shape}`;
  }

  override text(columns: readonly string[]): string {
    const about = ['(SELECT id FROM walked_to)', '(SELECT max(behind)::text FROM backlog)'];
    return `WITH ${numbered(this.tables().sql)} ${withRows([...columns, ...about], 'page', 'ORDER BY r.id DESC')}`;
  }

  override read(rows: readonly PlainRow[], columns: RecordColumns, width: number): FoundPage {
    const { records, lastKey } = super.read(rows, columns, width);
    const [walkedTo, behind] = rows[0]?.slice(width) ?? [];
    return { records, lastKey: lastKey ?? walkedTo ?? undefined, behind };
  }

  override whole(columns: readonly string[]): BoundText {
    const found = `r.id IN (${this.found()} UNION ALL ${this.changedFound()})`;
    const rows = `${this.table} r WHERE ${where([...this.conditions, { sql: found, values: [] }])}`;
    return {
      text: `WITH query AS MATERIALIZED (SELECT search_query_with_codes($1) AS words), ${CHANGED}
        SELECT ${columns.join(', ')} FROM ${numbered(rows, 1)} ORDER BY r.id DESC`,
      values: [this.written, ...valuesOf(this.conditions)],
    };
  }

  /** Counts by the first way if the filters leave few records, else by the second. Of common words, it counts the first that are found. */
  override count(): BoundText {
    const walked = this.firstRows(WALKED_FIRST + 1);
    const few = [...this.checked, this.hasWords()];
    const sql = `
      query AS MATERIALIZED (SELECT search_query_with_codes(?) AS words),
      ${BACKLOG},
      walked AS MATERIALIZED (${walked.sql}),
      walk AS MATERIALIZED (SELECT count(*) > ${WALKED_FIRST} AS is_long FROM walked),
      found AS MATERIALIZED (
        (${this.found()} AND (SELECT is_long FROM walk) LIMIT ${MAX_FOUND + 1}) UNION ALL ${this.changedFound()}
      )
      SELECT
        CASE WHEN is_long
          THEN (SELECT count(*) FROM (SELECT DISTINCT id FROM found) f,
            LATERAL (SELECT r.* FROM ${this.table} r WHERE r.id = f.id OFFSET 0) r WHERE ${where(this.conditions)})
          ELSE (SELECT count(*) FROM walked r WHERE ${where(few)}) END,
        NOT is_long OR (SELECT count(*) FROM found) <= ${MAX_FOUND}
      FROM walk`;
    const values = [this.written, ...walked.values, ...valuesOf(this.conditions), ...valuesOf(few)];
    return { text: `WITH ${numbered(sql)}`, values };
  }

  /** The common table expressions of the page, the last of which is `page`. */
  private tables(): Condition {
    const { limit } = this.request;
    const hasWords = this.hasWords();
    const checked = [...this.checked, hasWords];
    const walk = (conditions: readonly Condition[], rest: string) => ({
      sql: `SELECT r.* FROM ${this.table} r WHERE ${where(conditions)} ${this.orderBy(this.index)} ${rest}`,
      values: valuesOf(conditions),
    });
    const first = this.walks.map((conditions) => walk(conditions, `LIMIT ${WALKED_FIRST}`));
    const beyond = this.walks.map((conditions) => walk(conditions, `OFFSET ${WALKED_FIRST} LIMIT 1`));
    // A page that a single walk fills need not know whether more follows.
    const complete =
      this.walks.length === 1 ? '' : 'WHERE id > (SELECT id FROM unread) OR NOT EXISTS (SELECT FROM unread)';
    const passing = first.map(({ sql, values }) => ({
      sql: `(SELECT r.* FROM (${sql}) r WHERE ${where(checked)} ${this.orderBy(this.index)} LIMIT ${limit + 1})`,
      values: [...values, ...valuesOf(checked)],
    }));
    const after = this.after();
    const deep = `SELECT r.* FROM ${this.table} r WHERE ${where(after)} ORDER BY r.id DESC`;
    const bounds = valuesOf(after);
    return {
      sql: `
        query AS MATERIALIZED (SELECT search_query_with_codes(?) AS words),
        ${BACKLOG},
        recent AS MATERIALIZED (
          SELECT r.* FROM (${passing.map(({ sql }) => sql).join(' UNION ALL ')}) r ORDER BY r.id DESC LIMIT ${limit + 1}
        ),
        unread AS MATERIALIZED (
          SELECT r.id FROM (${beyond.map(({ sql }) => `(${sql})`).join(' UNION ALL ')}) r ORDER BY r.id DESC LIMIT 1
        ),
        state AS MATERIALIZED (
          SELECT (SELECT count(*) FROM recent ${complete}) <= ${limit} AND EXISTS (SELECT FROM unread) AS is_open
        ),
        found AS MATERIALIZED (
          (${this.found()} AND (SELECT is_open FROM state) LIMIT ${MAX_FOUND + 1}) UNION ALL ${this.changedFound()}
        ),
        chosen AS MATERIALIZED (SELECT is_open, (SELECT count(*) FROM found) > ${MAX_FOUND} AS is_common FROM state),
        walked_to AS MATERIALIZED (
          SELECT r.id FROM (${deep} OFFSET ${MAX_WALKED - 1} LIMIT 1) r WHERE (SELECT is_common FROM chosen)
        ),
        page AS MATERIALIZED (
          SELECT r.* FROM (
            SELECT r.* FROM recent r WHERE NOT (SELECT is_open FROM state)
            UNION ALL
            (SELECT r.* FROM (SELECT DISTINCT id FROM found ORDER BY id DESC) f,
               LATERAL (SELECT r.* FROM ${this.table} r WHERE r.id = f.id OFFSET 0) r
             WHERE (SELECT is_open AND NOT is_common FROM chosen) AND ${where(this.conditions)} ORDER BY f.id DESC LIMIT ${limit + 1})
            UNION ALL
            (SELECT r.* FROM (${deep} LIMIT ${MAX_WALKED}) r
             WHERE (SELECT is_common FROM chosen) AND ${where([...this.conditions, hasWords])} ORDER BY r.id DESC LIMIT ${limit + 1})
          ) r ORDER BY r.id DESC LIMIT ${limit + 1}
        )`,
      values: [
        this.written,
        ...valuesOf(passing),
        ...valuesOf(beyond),
        ...bounds,
        ...valuesOf(this.conditions),
        ...bounds,
        ...valuesOf(this.conditions),
      ],
    };
  }

  /** A scalar subquery on an expression without an index: the planner would otherwise join all that the index of words finds. */
  private hasWords(): Condition {
    return {
      sql: `(r.id IN (${this.changedFound()})
        OR (SELECT true FROM ${this.search.rows} AND coalesce(${HAS_WORDS}, false) AND ${IS_INDEXED} LIMIT 1))`,
      values: [],
    };
  }

  /** The ids of the records that the index of words finds. */
  private found(): string {
    return `SELECT ${this.search.id} AS id FROM search s WHERE ${HAS_WORDS} AND ${IS_INDEXED}`;
  }

  private changedFound(): string {
    return `SELECT ${this.search.id} AS id FROM changed s WHERE ${HAS_WORDS}`;
  }

  private after(): Condition[] {
    const { after } = this.request;
    return after === undefined ? [] : [{ sql: 'r.id < ?', values: after }];
  }
}
