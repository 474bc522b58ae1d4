import { every, joined, raw, sql, type Sql } from '../database/sql.js';
import type { PlainRow } from '../database/statement.js';
import { withRows, type ListSql, type ListStatements, type SearchStatements } from '../records/list-sql.js';
import type { FoundPage } from '../records/paging.js';
import type { RecordColumns } from '../records/record-columns.js';
import type { SearchTarget } from '../records/resource.js';

/** Records that are read in list order before the word index is used. */
const WALKED_FIRST = 1000;
/** Matching records that are read from the word index and sorted. */
const MAX_FOUND = 20_000;
/** Records that are read in list order if more than MAX_FOUND match. A page may then be incomplete; its next link continues the search. */
const MAX_WALKED = 30_000;

const HAS_WORDS = sql`s.words @@ (SELECT words FROM query)`;
/** The index does not count for a record that changed since. */
const IS_INDEXED = sql`s.id NOT IN (SELECT id FROM changed)`;

/**
 * The records that changed after the events that the index of words has reached, with their words. If they are too many, `behind` is the
 * number of changes, and the page has what is indexed.
 */
const BACKLOG = sql`
        backlog AS MATERIALIZED (SELECT * FROM search_backlog()),
        changed AS MATERIALIZED (SELECT id, move_id, words FROM backlog WHERE id IS NOT NULL)`;

/** The same for a whole list, which must not lack any. */
const CHANGED = sql`changed AS MATERIALIZED (SELECT * FROM unindexed_words())`;

/** Where a search of common words has ended, and how many changes it does not know. */
const ABOUT_THE_SEARCH = sql`(SELECT id FROM walked_to), (SELECT max(behind)::text FROM backlog)`;

/**
 * One page of a list of the records that have all the words, newest first. PostgreSQL's index of words has no order, so a word that many
 * records have would cost as many rows. Three ways are tried in turn, each with a bounded cost:
 *
 * 1. Walk the index of the list as `ListSql` does, for a few records. That fills the page when the words are common, or shows that the
 *    filters leave few records. Of several walks together, only the records are complete that are newer than the newest unread one.
 * 2. Ask the index of words, which finds all records with rare words, and sort them.
 * 3. If there are too many: they are common, but among older records. Walk on along the primary key.
 */
class SearchSql implements ListStatements {
  constructor(
    private readonly list: ListSql,
    private readonly target: SearchTarget,
    /** The words as sent. */
    private readonly written: string,
  ) {}

  page(columns: Sql): Sql {
    const { list } = this;
    const page = raw(list.request.limit + 1);
    const first = list.walks.map((conditions) => sql`${list.walk(conditions)} LIMIT ${raw(WALKED_FIRST)}`);
    const beyond = list.walks.map((conditions) => sql`(${list.walk(conditions)} OFFSET ${raw(WALKED_FIRST)} LIMIT 1)`);
    const checked = every([...list.checked, this.hasWords()]);
    const matching = first.map(
      (rows) => sql`(SELECT r.* FROM (${rows}) r WHERE ${checked} ${list.orderBy(list.index)} LIMIT ${page})`,
    );
    // A page that a single walk fills need not know whether more follows.
    const complete =
      list.walks.length === 1 ? raw('') : sql`WHERE id > (SELECT id FROM unread) OR NOT EXISTS (SELECT FROM unread)`;
    const deep = sql`SELECT r.* FROM ${list.table} r WHERE ${this.after()} ORDER BY r.id DESC`;
    return sql`
      WITH ${this.query()},
        ${BACKLOG},
        recent AS MATERIALIZED (
          SELECT r.* FROM (${joined(matching, ' UNION ALL ')}) r ORDER BY r.id DESC LIMIT ${page}
        ),
        unread AS MATERIALIZED (
          SELECT r.id FROM (${joined(beyond, ' UNION ALL ')}) r ORDER BY r.id DESC LIMIT 1
        ),
        state AS MATERIALIZED (
          SELECT (SELECT count(*) FROM recent ${complete}) < ${page} AND EXISTS (SELECT FROM unread) AS is_open
        ),
        found AS MATERIALIZED (
          (${this.found()} AND (SELECT is_open FROM state) LIMIT ${raw(MAX_FOUND + 1)}) UNION ALL ${this.changedFound()}
        ),
        chosen AS MATERIALIZED (SELECT is_open, (SELECT count(*) FROM found) > ${raw(MAX_FOUND)} AS is_common FROM state),
        walked_to AS MATERIALIZED (
          SELECT r.id FROM (${deep} OFFSET ${raw(MAX_WALKED - 1)} LIMIT 1) r WHERE (SELECT is_common FROM chosen)
        ),
        page AS MATERIALIZED (
          SELECT r.* FROM (
            SELECT r.* FROM recent r WHERE NOT (SELECT is_open FROM state)
            UNION ALL
            (SELECT r.* FROM (SELECT DISTINCT id FROM found ORDER BY id DESC) f,
               LATERAL (SELECT r.* FROM ${list.table} r WHERE r.id = f.id OFFSET 0) r
             WHERE (SELECT is_open AND NOT is_common FROM chosen) AND ${every(list.conditions)} ORDER BY f.id DESC LIMIT ${page})
            UNION ALL
            (SELECT r.* FROM (${deep} LIMIT ${raw(MAX_WALKED)}) r
             WHERE (SELECT is_common FROM chosen) AND ${every([...list.conditions, this.hasWords()])}
             ORDER BY r.id DESC LIMIT ${page})
          ) r ORDER BY r.id DESC LIMIT ${page}
        )
      ${withRows(sql`${columns}, ${ABOUT_THE_SEARCH}`, raw('page'), sql`ORDER BY r.id DESC`)}`;
  }

  read(rows: readonly PlainRow[], columns: RecordColumns, width: number): FoundPage {
    const { records, lastKey } = this.list.read(rows, columns, width);
    const [walkedTo, behind] = rows[0]?.slice(width) ?? [];
    return { records, lastKey: lastKey ?? walkedTo ?? undefined, behind };
  }

  whole(columns: Sql): Sql {
    const isFound = sql`r.id IN (${this.found()} UNION ALL ${this.changedFound()})`;
    return sql`
      WITH ${this.query()}, ${CHANGED}
      SELECT ${columns} FROM ${this.list.table} r WHERE ${every([...this.list.conditions, isFound])} ORDER BY r.id DESC`;
  }

  /** Counts by the first way if the filters leave few records, else by the second. Of common words, it counts the first that are found. */
  count(): Sql {
    const { table, conditions, checked } = this.list;
    return sql`
      WITH ${this.query()},
      ${BACKLOG},
      walked AS MATERIALIZED (${this.list.firstRows(WALKED_FIRST + 1)}),
      walk AS MATERIALIZED (SELECT count(*) > ${raw(WALKED_FIRST)} AS is_long FROM walked),
      found AS MATERIALIZED (
        (${this.found()} AND (SELECT is_long FROM walk) LIMIT ${raw(MAX_FOUND + 1)}) UNION ALL ${this.changedFound()}
      )
      SELECT
        CASE WHEN is_long
          THEN (SELECT count(*) FROM (SELECT DISTINCT id FROM found) f,
            LATERAL (SELECT r.* FROM ${table} r WHERE r.id = f.id OFFSET 0) r WHERE ${every(conditions)})
          ELSE (SELECT count(*) FROM walked r WHERE ${every([...checked, this.hasWords()])}) END,
        NOT is_long OR (SELECT count(*) FROM found) <= ${raw(MAX_FOUND)}
      FROM walk`;
  }

  private query(): Sql {
    return sql`query AS MATERIALIZED (SELECT search_query_with_codes(${this.written}) AS words)`;
  }

  /** A scalar subquery on an expression without an index: the planner would otherwise join all that the index of words finds. */
  private hasWords(): Sql {
    return sql`(r.id IN (${this.changedFound()})
        OR (SELECT true FROM ${raw(this.target.rows)} AND coalesce(${HAS_WORDS}, false) AND ${IS_INDEXED} LIMIT 1))`;
  }

  private found(): Sql {
    return sql`SELECT ${raw(this.target.id)} AS id FROM search s WHERE ${HAS_WORDS} AND ${IS_INDEXED}`;
  }

  private changedFound(): Sql {
    return sql`SELECT ${raw(this.target.id)} AS id FROM changed s WHERE ${HAS_WORDS}`;
  }

  private after(): Sql {
    const [id] = this.list.request.after ?? [];
    return id === undefined ? raw('true') : sql`r.id < ${id}`;
  }
}

export const searchStatements: SearchStatements = (list, target, words) => new SearchSql(list, target, words);
