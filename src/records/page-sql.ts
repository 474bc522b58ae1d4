import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Filter } from './filter.js';
import { BEFORE, IndexWalk, LIMIT, newestFirst } from './index-walk.js';
import { RangeOfDays } from './range-of-days.js';

const FIRST_FILTER = 3;

/** So many of the newest records are looked at before anything else: often enough of them pass the filters. */
const NEWEST = 256;
/** Up to so many records that were changed since a moment are sorted. */
const CHANGED = 1000;

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
 * An index on (columns..., id) is walked. Where a filter has several values, each is a lane of its own, and the lanes are merged;
 * a range of days has lanes of its own making.
 *
 * Filters that no index has together make a walk pass over records. Then the newest records are tried first, and those that were
 * changed since the moment asked for, if they are few.
 */
export class PageSql {
  private readonly table: string;
  private readonly conditions: readonly Condition[];
  private readonly walked: readonly ColumnMetadata[];
  private readonly rest: readonly string[];

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
    this.rest = this.conditions.filter(({ column }) => !this.walked.includes(column)).map((each) => this.passed(each));
  }

  ids(): string {
    const isRanged = this.conditions.some(({ operator }) => isRange(operator));
    if (this.hasOneLane() && (this.walked.length > 0 || !isRanged)) return this.walk();
    return isRanged || this.rest.length > 0 ? this.inSteps() : this.walk();
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

  /** A condition that the walk does not serve, in a form that no other index can serve; but without a walk one has to. */
  private passed(condition: Condition): string {
    const sql = sqlOf(condition);
    return this.walked.length === 0 && condition.operator === '=' ? sql : `(${sql}) IS TRUE`;
  }

  private hasOneLane(): boolean {
    return this.walked.every((column) => this.parameterOf(column, '=') !== undefined);
  }

  private walk(): string {
    const day = this.walked.at(-1);
    if (day !== undefined && this.parameterOf(day, '=', 'in') === undefined) return this.rangeOf(day);
    const walk = new IndexWalk(this.table, this.walked.map(inRow), this.rest);
    if (this.hasOneLane()) return walk.down(this.walked.flatMap((column) => this.parameterOf(column, '=') ?? []));
    const lane = this.walked.map(({ databaseName }) => `lane.${databaseName}`);
    return `
      SELECT own.id FROM (${this.lanes(this.walked)}) lane CROSS JOIN LATERAL (${walk.down(lane)}) own
      ORDER BY own.id DESC LIMIT ${LIMIT}`;
  }

  private rangeOf(day: ColumnMetadata): string {
    const before = this.walked.slice(0, -1);
    return new RangeOfDays({
      table: this.table,
      day: day.databaseName,
      before: before.map(({ databaseName }) => databaseName),
      kinds: this.lanes(before),
      from: this.parameterOf(day, '>='),
      to: this.parameterOf(day, '<='),
      rest: this.rest,
    }).ids();
  }

  /** Every combination of the values that are asked for. */
  private lanes(columns: readonly ColumnMetadata[]): string {
    const values = columns.map((column) => {
      const several = this.parameterOf(column, 'in') ?? `ARRAY[${String(this.parameterOf(column, '='))}]`;
      return `unnest(${several}::${String(column.type)}[]) AS ${column.databaseName}`;
    });
    return `SELECT * FROM ${values.join(' CROSS JOIN ')}`;
  }

  private inSteps(): string {
    const since = this.conditions.find(({ column }) => isMoment(column));
    const conditions = this.conditions.map(sqlOf).join(' AND ');
    const enough = `(SELECT count(*) FROM newest) = ${LIMIT}`;
    const few = `(SELECT count(*) FROM changed) < ${CHANGED}`;
    const newest = `newest AS MATERIALIZED (
        SELECT r.id FROM (SELECT * FROM ${this.table} r WHERE r.id < ${BEFORE} ORDER BY r.id DESC LIMIT ${NEWEST}) r
        WHERE ${conditions} ORDER BY r.id DESC LIMIT ${LIMIT}
      )`;
    const otherwise = `SELECT walked.id FROM (${this.walk()}) walked WHERE NOT ${enough}`;
    if (since === undefined) {
      return `WITH ${newest} SELECT id FROM newest WHERE ${enough} UNION ALL ${otherwise}`;
    }
    return `
      WITH ${newest}, changed AS MATERIALIZED (${this.changedSince(since, conditions)})
      SELECT id FROM newest WHERE ${enough}
      UNION ALL (SELECT id FROM changed WHERE fits AND NOT ${enough} AND ${few} ORDER BY id DESC LIMIT ${LIMIT})
      UNION ALL ${otherwise} AND NOT ${few}`;
  }

  /**
   * The first of those that were changed since a moment, by the index on (..., moment, id), and whether they fit the page. The planner
   * is not told the limit: for a small one it would rather take another index and sort.
   */
  private changedSince(since: Condition, conditions: string): string {
    const index = this.metadata.indices.find(({ columns }) => columns.at(-2) === since.column);
    const before = index?.columns.slice(0, -2) ?? [];
    const ofLane = before.map((column) => `${inRow(column)} = lane.${column.databaseName}`);
    const limit = `LIMIT (SELECT ${CHANGED})`;
    const changed = `
      SELECT r.id, ${conditions} AND r.id < ${BEFORE} AS fits FROM ${this.table} r
      WHERE ${[...ofLane, sqlOf(since)].join(' AND ')} ${newestFirst([inRow(since.column)])} ${limit}`;
    if (before.length === 0) return changed;
    return `SELECT own.* FROM (${this.lanes(before)}) lane CROSS JOIN LATERAL (${changed}) own ${limit}`;
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

function sqlOf({ column, operator, parameter }: Condition): string {
  return operator === 'in' ? `${inRow(column)} = ANY(${parameter})` : `${inRow(column)} ${operator} ${parameter}`;
}
