import type { EntityMetadata } from 'typeorm';
import type { PlainRow } from '../database/statement.js';
import { isPolled, MARK } from './list-marks.js';
import { fieldOf, NO_VALUE, type PageRequest } from './paging.js';
import type { RecordColumns } from './record-columns.js';
import type { Resource } from './resource.js';
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

/** A condition on the row `r`, with a ? for each of its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The rows of a page, and what was selected with them. */
export interface FoundPage {
  readonly records: readonly PlainRow[];
  /** The sort key of the last record, if another page follows. */
  readonly lastKey?: string | undefined;
  /** A moment that no write that this page does not show can precede; null before the first mark. */
  readonly mark?: string | null | undefined;
  /** For a search that found only what is indexed: the number of changes that are not. */
  readonly behind?: string | null | undefined;
}

export interface BoundText {
  readonly text: string;
  readonly values: readonly unknown[];
}

const MIN_ID = '00000000-0000-0000-0000-000000000000';
const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

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
export class ListSql {
  /** The sort key. The id comes last and breaks ties. */
  private readonly sortKey: readonly string[];
  private readonly isDescending: boolean;
  /** The columns of the scanned index. */
  protected readonly index: readonly string[];
  /** The conditions of each scan that its index serves: one scan per value of the filter that the index begins with. */
  protected readonly walks: readonly (readonly Condition[])[];
  /** The conditions that are applied to the scanned rows. */
  protected readonly checked: readonly Condition[];
  /** All conditions of the list. */
  protected readonly conditions: readonly Condition[];
  protected readonly table: string;

  constructor(
    { selectiveFilter, sortIndexes }: Resource,
    private readonly metadata: EntityMetadata,
    protected readonly request: ListRequest,
  ) {
    this.table = metadata.tableName;
    const { sort, filters = {}, range } = request;
    const sortedBy = fieldOf(sort);
    // Ids are sorted by creation time.
    this.sortKey = sortedBy === 'createdAt' ? ['r.id'] : [this.sortValue(sortedBy), 'r.id'];
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
      const isOne = `${this.column(first)} = ANY(ARRAY[?])`;
      this.walks = [values].flat().map((value) => [{ sql: isOne, values: [value] }, ...others]);
    }
  }

  get values(): unknown[] {
    return this.walks.flatMap((walk) => valuesOf([...walk, ...this.checked]));
  }

  /** Equal for requests with the same SQL. */
  get shape(): string {
    const { sort, limit, expand = [] } = this.request;
    return `page ${this.walks.map(where).join(' OR ')} AND ${where(this.checked)} ${sort} ${limit} ${expand.join()}`;
  }

  /**
   * The rows of the page, and one more if another page follows. If something else is selected with them, an empty page has one row, which has
   * nothing but that.
   */
  text(columns: readonly string[]): string {
    const page = numbered(this.page());
    if (!isPolled(this.request)) return `SELECT ${columns.join(', ')} FROM ${page}`;
    return withRows([...columns, MARK], `(SELECT r.* FROM ${page})`, this.orderBy(this.sortKey));
  }

  /** The rows that `text` selected; `width` is the number of columns of the records. */
  read(rows: readonly PlainRow[], columns: RecordColumns, width: number): FoundPage {
    const { limit } = this.request;
    const found = rows.filter(([id]) => id !== null);
    const records = found.slice(0, limit);
    const last = records.at(-1);
    const [mark] = rows[0]?.slice(width) ?? [];
    const lastKey = last && this.keyOf(last, columns);
    return { records, ...(found.length > limit && { lastKey }), mark };
  }

  /** All records of the list. */
  whole(columns: readonly string[]): BoundText {
    const rows = `${this.table} r WHERE ${where(this.conditions)} ${this.orderBy(this.sortKey)}`;
    return { text: `SELECT ${columns.join(', ')} FROM ${numbered(rows)}`, values: valuesOf(this.conditions) };
  }

  /**
   * Counts the records of the list: the number of those found, and whether all that may match were examined. The walks are those of a
   * page. For example, `?status=APPROVED&shipmentType=HHG`:
   *
   *     SELECT count(*) FILTER (WHERE r.shipment_type = 'HHG'), count(*) <= 30000
   *     FROM (SELECT r.* FROM shipments r WHERE r.status = ANY(ARRAY['APPROVED']) ORDER BY r.status DESC, r.id DESC LIMIT 30001) r
   */
  count(): BoundText {
    const max = this.checked.length === 0 ? MAX_COUNT : MAX_EXAMINED;
    const walked = this.firstRows(max + 1);
    const found = numbered(where(this.checked), walked.values.length);
    const text = `SELECT count(*) FILTER (WHERE ${found}), count(*) <= ${max} FROM (${numbered(walked.sql)}) r`;
    return { text, values: [...walked.values, ...valuesOf(this.checked)] };
  }

  /** The first rows of the walks together, without the filters that are applied to them. */
  protected firstRows(max: number): Condition {
    const walks = this.walks.map((conditions) => {
      return `(SELECT r.* FROM ${this.table} r WHERE ${where(conditions)} ${this.orderBy(this.index)} LIMIT ${max})`;
    });
    const sql = `SELECT r.* FROM (${walks.join(' UNION ALL ')}) r LIMIT ${max}`;
    return { sql, values: valuesOf(this.walks.flat()) };
  }

  /** The rows `r` of the page, with a ? for each value. */
  private page(): string {
    const end = `LIMIT ${this.request.limit + 1}`;
    const walks = this.walks.map((conditions) => {
      const all = where([...conditions, ...passing(this.checked)]);
      return `${this.table} r WHERE ${all} ${this.orderBy(this.index)} ${end}`;
    });
    const [only = ''] = walks;
    if (walks.length === 1) return only;
    const merged = walks.map((walk) => `(SELECT r.* FROM ${walk})`).join(' UNION ALL ');
    return `(${merged}) r ${this.orderBy(this.sortKey)} ${end}`;
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

  protected orderBy(key: readonly string[]): string {
    return `ORDER BY ${key.map((value) => (this.isDescending ? `${value} DESC` : value)).join(', ')}`;
  }

  /**
   * The bounds of a scan. It starts at the end of the previous page; the range bound on that side becomes a filter, because PostgreSQL
   * may start at the wrong one of two bounds. The planner assumes that a pair of `>=` and `<=` matches few records and would sort them,
   * so the upper bound is a row comparison.
   */
  private bounds(range: PageRequest['range']): [start: Condition[], end: Condition[], onTheWay: Condition[]] {
    const { after } = this.request;
    const [value = ''] = this.sortKey;
    const [lower, upper]: [Condition[], Condition[]] = [[], []];
    if (range?.from !== undefined) lower.push({ sql: `${value} >= ?`, values: [range.from] });
    if (range?.to !== undefined) upper.push({ sql: `(${value}, r.id) <= (?, '${GREATEST_ID}')`, values: [range.to] });
    else if (range !== undefined) upper.push({ sql: `(${value}, r.id) < ('${NO_VALUE}', '${MIN_ID}')`, values: [] });
    const [near, far] = this.isDescending ? [upper, lower] : [lower, upper];
    if (after === undefined) return [near, far, []];
    const isAfter = this.isDescending ? '<' : '>';
    const sql = `(${this.sortKey.join(', ')}) ${isAfter} (${after.map(() => '?').join(', ')})`;
    return [[{ sql, values: after }], far, near];
  }

  private inside({ field, from, to }: NonNullable<PageRequest['range']>): Condition[] {
    const column = this.column(field);
    const bounds = [
      { sql: `${column} >= ?`, values: [from] },
      { sql: `${column} <= ?`, values: [to] },
    ];
    return bounds.filter(({ values: [value] }) => value !== undefined);
  }

  private equals(property: string, value: unknown): Condition {
    const column = this.column(property);
    return { sql: Array.isArray(value) ? `${column} = ANY(?)` : `${column} = ?`, values: [value] };
  }

  /** The indexes use this expression, so that records without a value are sorted, too. */
  private sortValue(property: string): string {
    const { databaseName, isNullable } = columnOf(this.metadata, property);
    return isNullable ? `coalesce(r.${databaseName}, '${NO_VALUE}')` : `r.${databaseName}`;
  }

  private column(property: string): string {
    return `r.${columnOf(this.metadata, property).databaseName}`;
  }
}

/**
 * Filters that must not affect the plan. Inside coalesce they cannot use an index, and the planner does not estimate their selectivity:
 * if it expected few matches, it would collect and sort them instead of scanning the index.
 */
function passing(checked: readonly Condition[]): Condition[] {
  if (checked.length === 0) return [];
  return [{ sql: `coalesce(${where(checked)}, false)`, values: valuesOf(checked) }];
}

/** Selects from rows `r` or, if there are none, from a row of nulls. */
export function withRows(columns: readonly string[], rows: string, orderBy: string): string {
  return `SELECT ${columns.join(', ')} FROM (SELECT) one LEFT JOIN ${rows} r ON true ${orderBy}`;
}

export function valuesOf(conditions: readonly Condition[]): unknown[] {
  return conditions.flatMap(({ values }) => values);
}

/** Replaces each ? with a number, starting after the parameters that are already used. */
export function numbered(sql: string, used = 0): string {
  let position = used;
  return sql.replaceAll('?', () => `$${++position}`);
}

export function where(conditions: readonly Condition[]): string {
  return conditions.map(({ sql }) => sql).join(' AND ') || 'true';
}
