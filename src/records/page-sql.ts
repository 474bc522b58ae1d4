import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Filter } from './filter.js';

/** The number of records that are wanted, and the id that they come after: every page has both. */
const LIMIT = '$1';
const BEFORE = '$2';
const FIRST_FILTER = 3;

/** So many of the newest records are looked at before anything else: often enough of them pass the filters. */
const NEWEST = 256;
/** Up to so many records that were changed since a moment are sorted. */
const CHANGED = 1000;

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
/** The id that a first page comes after: no record has it. */
export const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface Condition {
  readonly column: ColumnMetadata;
  readonly operator: Filter['operator'];
  readonly parameter: string;
}

/**
 * The ids of one page, newest first, by a plan that is right for any values and however large the table is: no step chooses by statistics.
 *
 * An index on (columns..., id) is walked down from (value, the id to go on from) of its last column and no further than the
 * value. The row comparison and the order by both say so in a way that only this index can serve. Where a filter has
 * several values, or is a range of days, each value is a lane of its own, and the lanes are merged.
 *
 * Filters that no index has together make a walk pass over records. Then the newest records are tried first, and those that were
 * changed since the moment asked for, if they are few.
 */
export class PageSql {
  private readonly table: string;
  private readonly conditions: readonly Condition[];
  private readonly walked: readonly ColumnMetadata[];
  private readonly rest: readonly Condition[];

  constructor(
    private readonly metadata: EntityMetadata,
    filters: readonly Omit<Filter, 'value'>[],
  ) {
    this.table = metadata.tableName;
    this.conditions = filters.map(({ property, operator }, index) => {
      const column = metadata.findColumnWithPropertyPath(property);
      if (column === undefined) throw new Error(`A list of ${this.table} has no property ${property}`);
      return { column, operator, parameter: `$${index + FIRST_FILTER}` };
    });
    this.walked = this.indexToWalk();
    this.rest = this.conditions.filter(({ column }) => !this.walked.includes(column));
  }

  ids(): string {
    const oneLane = this.walked.flatMap((column) => this.parameterOf(column, '=') ?? []);
    const isRanged = this.conditions.some(({ operator }) => isRange(operator));
    if (oneLane.length === this.walked.length && (oneLane.length > 0 || !isRanged)) return this.walk(oneLane);
    return isRanged || this.rest.length > 0 ? this.inSteps() : this.mergedLanes();
  }

  /**
   * Of the indexes whose columns are all asked for, the columns before the id of one that has a single lane, or else of the longest.
   * Rather one by day: the days asked for may all be far from the newest records, while other values are mostly spread evenly.
   */
  private indexToWalk(): readonly ColumnMetadata[] {
    const operators = (column: ColumnMetadata) =>
      this.conditions.filter((condition) => condition.column === column).map(({ operator }) => operator);
    const worth = (columns: readonly ColumnMetadata[]) => {
      if (columns.every((column) => operators(column).includes('='))) return Infinity;
      return columns.length + (columns.some((column) => operators(column).some(isRange)) ? 0.5 : 0);
    };
    const candidates = this.metadata.indices
      .filter(({ columns }) => columns.at(-1)?.propertyName === 'id')
      .map(({ columns }) => columns.slice(0, -1))
      .filter((columns) => columns.every((column) => operators(column).length > 0 && !isMoment(column)));
    return candidates.toSorted((one, other) => worth(other) - worth(one))[0] ?? [];
  }

  /** Down one lane; `lane` are the values of the walked columns. */
  private walk(lane: readonly string[], { limit = LIMIT, floor }: { limit?: string; floor?: string } = {}): string {
    const columns = this.walked.map(inRow);
    const [column, value] = [columns.slice(-1), lane.slice(-1)];
    const conditions = [
      ...columns.slice(0, -1).map((each, index) => `${each} = ${String(lane[index])}`),
      `${row([...column, 'r.id'])} < ${row([...value, BEFORE])}`,
      ...column.map((each) =>
        floor === undefined ? `${each} >= ${String(value)}` : `(${each}, r.id) >= (${String(value)}, ${floor})`,
      ),
      ...this.rest.map((condition) => this.passed(condition)),
    ];
    return `SELECT r.id FROM ${this.table} r WHERE ${conditions.join(' AND ')} ${newestFirst(column)} LIMIT ${limit}`;
  }

  /** A condition that the walk does not serve, in a form that no other index can serve; but without a walk one has to. */
  private passed(condition: Condition): string {
    const sql = sqlOf(condition);
    return this.walked.length === 0 && condition.operator === '=' ? sql : `(${sql}) IS TRUE`;
  }

  /**
   * The newest record of each lane, its head, tells which lanes can be part of the page: as many as there are records on it.
   * The best lane alone fills the page down to a floor, if it is long enough; no other lane has to be walked below that.
   */
  private mergedLanes(): string {
    const names = this.walked.map(({ databaseName }) => databaseName);
    const lanes = this.walked.map((column, index) => `${this.lanesOf(column, index)} ${names[index] ?? ''}`);
    const ofHead = names.map((name) => `head.${name}`);
    return `
      WITH head AS MATERIALIZED (
        SELECT ${names.map((name) => `${name}.value AS ${name}`).join(', ')}, newest.id
        FROM ${lanes.join(' CROSS JOIN ')} CROSS JOIN LATERAL (${this.headOfLane()}) newest
        WHERE newest.id IS NOT NULL ORDER BY newest.id DESC LIMIT ${LIMIT}
      ), best AS MATERIALIZED (
        SELECT own.id FROM (SELECT * FROM head ORDER BY id DESC LIMIT 1) head CROSS JOIN LATERAL (${this.walk(ofHead)}) own
      ), floor AS MATERIALIZED (
        SELECT coalesce((SELECT id FROM best ORDER BY id DESC OFFSET ${LIMIT} - 1 LIMIT 1), '${LEAST_ID}') AS id
      )
      SELECT own.id FROM head CROSS JOIN LATERAL (${this.walk(ofHead, { floor: '(SELECT id FROM floor)' })}) own
      WHERE head.id >= (SELECT id FROM floor)
      ORDER BY own.id DESC LIMIT ${LIMIT}`;
  }

  /** The newest record of a lane that passes. Where days were looked for, theirs was found with them and is often the one. */
  private headOfLane(): string {
    const head = this.walk(
      this.walked.map(({ databaseName }) => `${databaseName}.value`),
      { limit: '1' },
    );
    const day = this.walked.at(-1);
    if (day === undefined || !this.isDays(day) || this.rest.length > 0) return head;
    const newest = `${day.databaseName}.newest`;
    return `SELECT CASE WHEN ${newest} < ${BEFORE} THEN ${newest} ELSE (${head}) END AS id`;
  }

  /** The values of a walked column, of which each is a lane. */
  private lanesOf(column: ColumnMetadata, index: number): string {
    if (this.isDays(column)) return `LATERAL (${this.days(column, this.walked.slice(0, index))})`;
    const several = this.parameterOf(column, 'in');
    const values = several ?? `ARRAY[${String(this.parameterOf(column, '='))}]`;
    return `(SELECT unnest(${values}::${String(column.type)}[]) AS value)`;
  }

  private isDays(column: ColumnMetadata): boolean {
    return this.parameterOf(column, '=', 'in') === undefined;
  }

  /** The days of a range on which there is anything, found by jumping in the index from one to the one before. */
  private days(column: ColumnMetadata, before: readonly ColumnMetadata[]): string {
    const day = inRow(column);
    const lane = before.map((each) => `${inRow(each)} = ${each.databaseName}.value AND `).join('');
    const from = this.parameterOf(column, '>=') ?? `'-infinity'`;
    const to = this.parameterOf(column, '<=') ?? `'infinity'`;
    const latest = (operator: string, limit: string) => `
      SELECT ${day} AS value, r.id AS newest FROM ${this.table} r
      WHERE ${lane}${day} ${operator} ${limit} AND ${day} >= ${from} ${newestFirst([day])} LIMIT 1`;
    return `
      WITH RECURSIVE day AS (
        (${latest('<=', to)}) UNION ALL SELECT earlier.* FROM day CROSS JOIN LATERAL (${latest('<', 'day.value')}) earlier
      )
      SELECT * FROM day`;
  }

  private inSteps(): string {
    const since = this.conditions.find(({ column }) => isMoment(column));
    const conditions = this.conditions.map(sqlOf).join(' AND ');
    const enough = `(SELECT count(*) FROM newest) = ${LIMIT}`;
    const few = `(SELECT count(*) FROM changed) < ${CHANGED}`;
    const walk = this.walked.length > 0 ? this.mergedLanes() : this.walk([]);
    const newest = `newest AS MATERIALIZED (
        SELECT r.id FROM (SELECT * FROM ${this.table} r WHERE r.id < ${BEFORE} ORDER BY r.id DESC LIMIT ${NEWEST}) r
        WHERE ${conditions} ORDER BY r.id DESC LIMIT ${LIMIT}
      )`;
    const otherwise = `SELECT walked.id FROM (${walk}) walked WHERE NOT ${enough}`;
    if (since === undefined) {
      return `WITH ${newest} SELECT id FROM newest WHERE ${enough} UNION ALL ${otherwise}`;
    }
    const changed = `changed AS MATERIALIZED (
        SELECT r.id, ${conditions} AND r.id < ${BEFORE} AS fits FROM ${this.table} r
        WHERE ${sqlOf(since)} ${newestFirst([inRow(since.column)])} LIMIT ${CHANGED}
      )`;
    return `
      WITH ${newest}, ${changed}
      SELECT id FROM newest WHERE ${enough}
      UNION ALL (SELECT id FROM changed WHERE fits AND NOT ${enough} AND ${few} ORDER BY id DESC LIMIT ${LIMIT})
      UNION ALL ${otherwise} AND NOT ${few}`;
  }

  private parameterOf(column: ColumnMetadata, ...operators: Filter['operator'][]): string | undefined {
    const found = this.conditions.find((each) => each.column === column && operators.includes(each.operator));
    return found?.parameter;
  }
}

function isRange(operator: Filter['operator']): boolean {
  return operator === '>=' || operator === '<=';
}

/** Days can be walked one by one, for there are few of them; moments cannot. */
function isMoment({ type }: ColumnMetadata): boolean {
  return type === 'timestamptz';
}

function inRow({ databaseName }: ColumnMetadata): string {
  return `r.${databaseName}`;
}

function row(values: readonly string[]): string {
  return `(${values.join(', ')})`;
}

function newestFirst(columns: readonly string[]): string {
  return `ORDER BY ${[...columns, 'r.id'].map((column) => `${column} DESC`).join(', ')}`;
}

function sqlOf({ column, operator, parameter }: Condition): string {
  return operator === 'in' ? `${inRow(column)} = ANY(${parameter})` : `${inRow(column)} ${operator} ${parameter}`;
}
