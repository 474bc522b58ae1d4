import type { EntityMetadata } from 'typeorm';
import { every, joined, raw, sql, type Sql } from '../database/sql.js';
import type { PlainRow } from '../database/statement.js';
import { isPolled, MARK } from './list-marks.js';
import { fieldOf, NO_VALUE, type FoundPage, type PageRequest } from './paging.js';
import type { RecordColumns } from './record-columns.js';
import type { Resource, SearchTarget } from './resource.js';
import { columnOf } from './row-reader.js';

export interface ListRequest extends PageRequest {
  /** The requested value by property; an array matches any of its values. */
  readonly filters?: Readonly<Record<string, unknown>>;
  /** The search words as sent. A search is sorted newest first. */
  readonly search?: string | undefined;
  readonly expand?: readonly string[] | undefined;
}

/** Counts are exact up to here. */
export const MAX_COUNT = 10_000;
/** Records that a count examines if the index of the list does not serve all its filters. */
const MAX_EXAMINED = 30_000;

const MIN_ID = '00000000-0000-0000-0000-000000000000';
const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface ListStatements {
  /**
   * The rows of the page, and one more if another page follows. If something else is selected with them, an empty page has one row, which
   * has nothing but that.
   */
  page(columns: Sql): Sql;
  /** The rows that `page` selected; `width` is the number of columns of the records. */
  read(rows: readonly PlainRow[], columns: RecordColumns, width: number): FoundPage;
  whole(columns: Sql): Sql;
  /** Counts the records of the list: the number of those found, and whether all that may match were examined. */
  count(): Sql;
}

export type SearchStatements = (list: ListSql, target: SearchTarget, words: string) => ListStatements;

/**
 * One page of a list: an index scan that starts at the end of the previous page. For example, the second page of
 * `?status=APPROVED&shipmentType=HHG` scans the index on (status, id) and filters by type:
 *
 *     SELECT r.* FROM shipments r
 *     WHERE r.status = ANY(ARRAY['APPROVED']) AND (r.id) < ('0199c3a0-...') AND coalesce(r.shipment_type = 'HHG', false)
 *     ORDER BY r.status DESC, r.id DESC LIMIT 51
 *
 * Several statuses are scanned separately and merged. The SQL keeps the planner from choosing another plan: after a plain
 * `r.status = 'APPROVED'` it would drop the status from ORDER BY and might scan the primary key instead, and it assumes that a
 * LIMIT parameter is a tenth of the table.
 */
export class ListSql implements ListStatements {
  /** The sort key. The id comes last and breaks ties. */
  private readonly sortKey: readonly Sql[];
  private readonly isDescending: boolean;
  /** The columns of the scanned index. */
  readonly index: readonly Sql[];
  /** The conditions of each scan that its index serves: one scan per value of the filter that the index begins with. */
  readonly walks: readonly (readonly Sql[])[];
  /** The conditions that are applied to the scanned rows. */
  readonly checked: readonly Sql[];
  readonly conditions: readonly Sql[];
  readonly table: Sql;

  constructor(
    { selectiveFilter, sortIndexes }: Resource,
    private readonly metadata: EntityMetadata,
    readonly request: ListRequest,
  ) {
    this.table = raw(metadata.tableName);
    const { sort, filters = {}, range } = request;
    const sortedBy = fieldOf(sort);
    // Ids are sorted by creation time.
    this.sortKey = sortedBy === 'createdAt' ? [raw('r.id')] : [this.sortValue(sortedBy), raw('r.id')];
    this.isDescending = sort.startsWith('-');

    const requested = Object.keys(filters).filter((name) => filters[name] !== undefined);
    const narrowest = requested.filter((name) => name === selectiveFilter);
    // The filter whose index is scanned, and the values to scan for.
    const indexed = Object.entries(narrowest.length > 0 ? {} : (sortIndexes[sortedBy] ?? {}));
    const walkable = indexed.map(([name, all]) => [name, filters[name] ?? all] as const);
    const [first, values] = walkable.find(([, wanted]) => wanted !== null) ?? [];
    const checked = requested.filter((name) => name !== first && name !== selectiveFilter);
    const equals = (name: string) => this.equals(name, filters[name]);
    const isSorted = range?.field === sortedBy;
    const [start, end, onTheWay] = this.bounds(isSorted ? range : undefined);
    const inside = range === undefined || isSorted ? [] : this.inside(range);
    this.conditions = [...requested.map(equals), ...start, ...end, ...onTheWay, ...inside];
    this.checked = [...onTheWay, ...checked.map(equals), ...inside];
    const others = [...narrowest.map(equals), ...start, ...end];
    if (first === undefined) {
      this.index = this.sortKey;
      this.walks = [others];
    } else {
      this.index = [this.column(first), ...this.sortKey];
      const isOne = (value: unknown) => sql`${this.column(first)} = ANY(ARRAY[${value}])`;
      this.walks = [values].flat().map((value) => [isOne(value), ...others]);
    }
  }

  page(columns: Sql): Sql {
    const page = this.rows();
    if (!isPolled(this.request)) return sql`SELECT ${columns} FROM ${page}`;
    return withRows(sql`${columns}, ${raw(MARK)}`, sql`(SELECT r.* FROM ${page})`, this.orderBy(this.sortKey));
  }

  read(rows: readonly PlainRow[], columns: RecordColumns, width: number): FoundPage {
    const { limit } = this.request;
    const found = rows.filter(([id]) => id !== null);
    const records = found.slice(0, limit);
    const last = records.at(-1);
    const [mark] = rows[0]?.slice(width) ?? [];
    const lastKey = last && this.keyOf(last, columns);
    return { records, ...(found.length > limit && { lastKey }), mark };
  }

  whole(columns: Sql): Sql {
    return sql`SELECT ${columns} FROM ${this.table} r WHERE ${every(this.conditions)} ${this.orderBy(this.sortKey)}`;
  }

  /**
   * The walks are those of a page. For example, `?status=APPROVED&shipmentType=HHG`:
   *
   *     SELECT count(*) FILTER (WHERE r.shipment_type = 'HHG'), count(*) <= 30000
   *     FROM (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY['APPROVED']) ORDER BY r.status DESC, r.id DESC LIMIT 30001) r
   */
  count(): Sql {
    const max = this.checked.length === 0 ? MAX_COUNT : MAX_EXAMINED;
    return sql`
      SELECT count(*) FILTER (WHERE ${every(this.checked)}), count(*) <= ${raw(max)}
      FROM (${this.firstRows(max + 1)}) r`;
  }

  /** The first rows of the walks together, without the filters that are applied to them. */
  firstRows(max: number): Sql {
    const walks = this.walks.map((conditions) => sql`(${this.walk(conditions)} LIMIT ${raw(max)})`);
    return sql`SELECT r.* FROM (${joined(walks, ' UNION ALL ')}) r LIMIT ${raw(max)}`;
  }

  /** The rows of one scan. */
  walk(conditions: readonly Sql[]): Sql {
    return sql`SELECT r.* FROM ${this.table} r WHERE ${every(conditions)} ${this.orderBy(this.index)}`;
  }

  /** The rows `r` of the page. */
  private rows(): Sql {
    const end = sql`LIMIT ${raw(this.request.limit + 1)}`;
    const walks = this.walks.map((conditions) => {
      const all = every([...conditions, ...unestimated(this.checked)]);
      return sql`${this.table} r WHERE ${all} ${this.orderBy(this.index)} ${end}`;
    });
    const [only] = walks;
    if (only !== undefined && walks.length === 1) return only;
    const merged = walks.map((walk) => sql`(SELECT r.* FROM ${walk})`);
    return sql`(${joined(merged, ' UNION ALL ')}) r ${this.orderBy(this.sortKey)} ${end}`;
  }

  /** The sort key of a record, as in the condition `after`. */
  private keyOf(row: PlainRow, columns: RecordColumns): string {
    const id = String(row[0]);
    const field = fieldOf(this.request.sort);
    if (field === 'createdAt') return id;
    const { form, place } = columns.column(field);
    const value = JSON.parse(row[place] ?? `"${NO_VALUE}"`) as string;
    return `${value}${form === 'moment' ? '+00:00' : ''} ${id}`;
  }

  orderBy(key: readonly Sql[]): Sql {
    const values = key.map((value) => (this.isDescending ? sql`${value} DESC` : value));
    return sql`ORDER BY ${joined(values, ', ')}`;
  }

  /**
   * The bounds of a scan. It starts at the end of the previous page; the range bound on that side becomes a filter, because PostgreSQL
   * may start at the wrong one of two bounds. The planner assumes that a pair of `>=` and `<=` matches few records and would sort them,
   * so the upper bound is a row comparison.
   */
  private bounds(range: PageRequest['range']): [start: Sql[], end: Sql[], onTheWay: Sql[]] {
    const { after } = this.request;
    const [value = raw('')] = this.sortKey;
    const [lower, upper]: [Sql[], Sql[]] = [[], []];
    if (range?.from !== undefined) lower.push(sql`${value} >= ${range.from}`);
    if (range?.to !== undefined) upper.push(sql`(${value}, r.id) <= (${range.to}, ${raw(`'${GREATEST_ID}'`)})`);
    else if (range !== undefined) upper.push(sql`(${value}, r.id) < (${raw(`'${NO_VALUE}', '${MIN_ID}'`)})`);
    const [near, far] = this.isDescending ? [upper, lower] : [lower, upper];
    if (after === undefined) return [near, far, []];
    const key = joined(this.sortKey, ', ');
    const last = joined(
      after.map((value) => sql`${value}`),
      ', ',
    );
    return [[this.isDescending ? sql`(${key}) < (${last})` : sql`(${key}) > (${last})`], far, near];
  }

  private inside({ field, from, to }: NonNullable<PageRequest['range']>): Sql[] {
    const column = this.column(field);
    return [
      ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${column} <= ${to}`]),
    ];
  }

  private equals(property: string, value: unknown): Sql {
    const column = this.column(property);
    return Array.isArray(value) ? sql`${column} = ANY(${value})` : sql`${column} = ${value}`;
  }

  /** The indexes use this expression, so that records without a value are sorted, too. */
  private sortValue(property: string): Sql {
    const { databaseName, isNullable } = columnOf(this.metadata, property);
    return raw(isNullable ? `coalesce(r.${databaseName}, '${NO_VALUE}')` : `r.${databaseName}`);
  }

  private column(property: string): Sql {
    return raw(`r.${columnOf(this.metadata, property).databaseName}`);
  }
}

/**
 * Filters that must not affect the plan. Inside coalesce they cannot use an index, and the planner does not estimate their selectivity:
 * if it expected few matches, it would collect and sort them instead of scanning the index.
 */
function unestimated(checked: readonly Sql[]): Sql[] {
  return checked.length === 0 ? [] : [sql`coalesce(${every(checked)}, false)`];
}

/** Selects from rows `r` or, if there are none, from a row of nulls. */
export function withRows(columns: Sql, rows: Sql, orderBy: Sql): Sql {
  return sql`SELECT ${columns} FROM (SELECT) one LEFT JOIN ${rows} r ON true ${orderBy}`;
}
