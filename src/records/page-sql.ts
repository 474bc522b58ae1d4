import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { ChangesSince } from './changes-since.js';
import type { Filter } from './filter.js';
import { BEFORE, IndexWalk, LIMIT } from './index-walk.js';
import { RangeOfDays } from './range-of-days.js';

const FIRST_FILTER = 3;

/** So many of the newest records are looked at before anything else: often enough of them pass the filters. */
const NEWEST = 256;
/** Fewer records than that can all be looked at. */
const FEW = 256;

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
 * a range of days or of moments has lanes of its own making.
 *
 * Filters that no index has together make a walk pass over records, and a range has many lanes, so then the newest records are tried first.
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
    this.rest = this.conditions.filter(({ column }) => !this.walked.includes(column)).map(sqlOf);
  }

  ids(): string {
    const isRanged = this.conditions.some(({ operator }) => isRange(operator));
    const lane = this.walked.map((column) => this.parameterOf(column, '='));
    if (lane.every((value) => value !== undefined) && (lane.length > 0 || !isRanged)) {
      return this.indexWalk(this.rest).down(lane);
    }
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

  private walk(): string {
    return this.range()?.ids() ?? `${this.everyLane(this.rest, LIMIT)} ORDER BY own.id DESC LIMIT ${LIMIT}`;
  }

  /** So many of each lane, one lane after the other. */
  private everyLane(rest: readonly string[], limit: string): string {
    const lane = this.walked.map(({ databaseName }) => `lane.${databaseName}`);
    const own = this.indexWalk(rest).down(lane, { limit });
    return `SELECT own.id FROM (${this.lanes(this.walked)}) lane CROSS JOIN LATERAL (${own}) own`;
  }

  private indexWalk(rest: readonly string[]): IndexWalk {
    return new IndexWalk(this.table, this.walked.map(inRow), rest);
  }

  /** The range of days that is walked, if one is. */
  private range(): RangeOfDays | undefined {
    const day = this.walked.at(-1);
    if (day === undefined || this.parameterOf(day, '=', 'in') !== undefined) return undefined;
    const [from, to] = [this.parameterOf(day, '>='), this.parameterOf(day, '<=')];
    return new RangeOfDays({ ...this.valuesOf(day, this.walked.slice(0, -1)), from, to, rest: this.rest });
  }

  /** The values of a column, for each kind that the columns before it in its index make. */
  private valuesOf(column: ColumnMetadata, before: readonly ColumnMetadata[]) {
    return {
      table: this.table,
      column: column.databaseName,
      before: before.map(({ databaseName }) => databaseName),
      kinds: this.lanes(before),
    };
  }

  /** Every combination of the values that are asked for. */
  private lanes(columns: readonly ColumnMetadata[]): string {
    const values = columns.map((column) => {
      const several = this.parameterOf(column, 'in') ?? `ARRAY[${String(this.parameterOf(column, '='))}]`;
      return `unnest(${several}::${String(column.type)}[]) AS ${column.databaseName}`;
    });
    return values.length > 0 ? `SELECT * FROM ${values.join(' CROSS JOIN ')}` : 'SELECT';
  }

  private inSteps(): string {
    const conditions = this.conditions.map(sqlOf).join(' AND ');
    const enough = `(SELECT count(*) FROM newest) = ${LIMIT}`;
    return `
      WITH newest AS MATERIALIZED (
        SELECT r.id FROM (SELECT * FROM ${this.table} r WHERE r.id < ${BEFORE} ORDER BY r.id DESC LIMIT ${NEWEST}) r
        WHERE ${conditions} ORDER BY r.id DESC LIMIT ${LIMIT}
      )
      SELECT id FROM newest WHERE ${enough}
      UNION ALL SELECT older.id FROM (${this.byRange()}) older WHERE NOT ${enough}`;
  }

  private byRange(): string {
    const since = this.conditions.find(({ column }) => isMoment(column));
    return since === undefined ? this.walk() : this.changedSince(since);
  }

  /** By the index on (..., moment, id) and its twin by span; but when few records pass the other filters, those are walked. */
  private changedSince(since: Condition): string {
    const index = this.metadata.indices.find(({ columns }) => columns.at(-2) === since.column);
    const before = index?.columns.slice(0, -2) ?? [];
    const others = this.conditions.filter((each) => each !== since && !before.includes(each.column));
    const rest = others.map(sqlOf);
    const changes = new ChangesSince({ ...this.valuesOf(since.column, before), from: since.parameter, rest }).ids();
    if (others.length === 0) return changes;
    const limit = `(SELECT ${FEW})`;
    const some = this.range()?.everyKind(limit) ?? this.everyLane([], limit);
    return `
      WITH few AS MATERIALIZED (SELECT count(*) < ${FEW} AS are_few FROM (${some} LIMIT ${limit}) some_records)
      SELECT walked.id FROM (${this.walk()}) walked WHERE (SELECT are_few FROM few)
      UNION ALL SELECT changed.id FROM (${changes}) changed WHERE NOT (SELECT are_few FROM few)`;
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
