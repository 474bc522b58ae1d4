import { BEFORE, IndexWalk, LIMIT, newestFirst } from './index-walk.js';

/** Days are numbered from here. */
export const DAY_ZERO = `DATE '2000-01-01'`;
/** An era is 16 spans. */
const ERA_BITS = 4;

/** So many of each lane are read before it is known which lanes are worth more. */
const BEGINNING = 8;

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
/** Below it is nothing for the page: LOWEST is known before any lane is read, FLOOR is nearer but known after their beginnings. */
export const LOWEST = '(SELECT id FROM lowest)';
const FLOOR = '(SELECT id FROM floor)';

export interface Range {
  readonly table: string;
  /** The column with the value that lies in the range, and those that stand before it in its index. */
  readonly column: string;
  readonly before: readonly string[];
  /** A query for the values of the columns before: each of its rows is a kind of records. */
  readonly kinds: string;
  /** The parameters; one end may be open. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** What else the records must pass, as SQL on the row `r`. */
  readonly rest: readonly string[];
}

/** The days of a column's values are numbered, so that a span of days is a matter of bits. */
export interface Calendar {
  readonly spanBits: number;
  /** The number of a value's day. */
  numberOf(value: string): string;
  /** The first value of a day by its number. */
  firstOf(number: string): string;
}

/**
 * The ids of one page of the records that have a value in a range. They lie in the order of their ids within one span of days, by an
 * index on (..., span, id), but not over the range. So its whole spans are lanes, few however long it is; its ends make lanes of their
 * own; and the lanes are merged. Another index, on (..., value, id), tells where there is anything.
 */
export abstract class SpannedRange {
  protected readonly value: string;
  protected readonly bySpan: IndexWalk;
  /** The first whole span, and the one after the last whole span. */
  protected abstract readonly firstSpan: string | undefined;
  protected abstract readonly endSpan: string | undefined;
  /** How the lanes at the ends go on: by what walk, from a value of what type. */
  protected abstract readonly byEnd: IndexWalk;
  protected abstract readonly endType: string;

  constructor(
    protected readonly range: Range,
    private readonly calendar: Calendar,
  ) {
    this.value = `r.${range.column}`;
    this.bySpan = this.walkBy(this.spanOf(this.value));
  }

  /** The lanes before the first whole span and after the last one: their kind, NULL, where they go on, and the ids that they begin with. */
  protected abstract ends(): string[];

  ids(): string {
    const recentIDs = '(SELECT unnest(ids) AS id FROM recent) r';
    return `
      WITH RECURSIVE kind AS (${this.range.kinds}),
      recent AS MATERIALIZED (${this.recent()}),
      lowest AS MATERIALIZED (SELECT coalesce((${lastOfPage(recentIDs)}), '${LEAST_ID}') AS id),
      era AS (${this.eras()}),
      lane AS MATERIALIZED (${[this.spans(), ...this.ends()].join(' UNION ALL ')}),
      begun AS MATERIALIZED (SELECT unnest(ids) AS id FROM lane),
      floor AS MATERIALIZED (SELECT coalesce((${lastOfPage('begun')}), ${LOWEST}) AS id)
      SELECT id FROM (
        SELECT id FROM begun
        UNION ALL ${this.more(this.bySpan, 'lane.span')}
        UNION ALL ${this.more(this.byEnd, 'lane.end_value')}
      ) found ORDER BY id DESC LIMIT ${LIMIT}`;
  }

  /** So many of each kind that lie in the range, whatever else they must pass. */
  everyKind(limit: string): string {
    return `SELECT own.id FROM (${this.range.kinds}) kind CROSS JOIN LATERAL (${this.latest('kind', limit)}) own`;
  }

  /**
   * Of each kind, the latest value and the ids of the latest ones. A page of those ids ends at a floor that most lanes do not reach.
   * They are two pages, so that some old records among them do not pull the floor down.
   */
  private recent(): string {
    return `
      SELECT ${this.kindAnd('kind', 'latest.*')} FROM kind CROSS JOIN LATERAL (
        SELECT max(value) AS value, array_agg(id) FILTER (WHERE fits) AS ids FROM (${this.latest('kind', `${LIMIT} * 2`)}) r
      ) latest WHERE latest.value IS NOT NULL`;
  }

  /** The records of a kind with the latest values in the range, and whether they fit the page. */
  protected latest(kind: string, limit: string, ...further: string[]): string {
    const { table, from, to, rest } = this.range;
    const conditions = [
      ...this.isOf(kind),
      ...this.isFrom(from),
      ...(to ? [`${this.value} <= ${to}`] : []),
      ...further,
    ];
    const fits = [`r.id < ${BEFORE}`, ...rest];
    return `
      SELECT ${this.value} AS value, r.id, ${fits.join(' AND ')} AS fits FROM ${table} r
      WHERE ${conditions.join(' AND ')} ${newestFirst([this.value])} LIMIT ${limit}`;
  }

  /** Of each kind, the latest value of each era that has any, so that one date a century away does not make a thousand lanes. */
  private eras(): string {
    const conditions = [
      ...this.isOf('era'),
      `${this.value} < ${this.startOf(this.firstSpanOfEra('era.value'))}`,
      ...this.isFrom(this.firstSpan && this.startOf(this.firstSpan)),
    ];
    return `
      SELECT ${this.kindAnd('recent', 'recent.value')} FROM recent
      UNION ALL SELECT ${this.kindAnd('era', 'earlier.value')} FROM era CROSS JOIN LATERAL (
        SELECT ${this.value} AS value FROM ${this.range.table} r
        WHERE ${conditions.join(' AND ')} ${newestFirst([this.value])} LIMIT 1
      ) earlier`;
  }

  /** The lanes of the whole spans. */
  private spans(): string {
    const from = greatest(this.firstSpanOfEra('era.value'), this.firstSpan);
    const to = least(this.spanOf('era.value'), this.endSpan && `${this.endSpan} - 1`);
    return `
      SELECT ${this.kindAnd('era', 'span', `NULL::${this.endType} AS end_value`, 'own.ids')}
      FROM era CROSS JOIN LATERAL generate_series(${from}, ${to}) span
      CROSS JOIN LATERAL (${this.beginning(this.bySpan, 'era', 'span')}) own WHERE own.ids <> '{}'`;
  }

  protected beginning(walk: IndexWalk, kind: string, value: string): string {
    const ids = walk.down([...this.kindOf(kind), value], { floor: LOWEST, limit: String(BEGINNING) });
    return `SELECT ARRAY(${ids}) AS ids OFFSET 0`;
  }

  /** The ids after the beginnings, of the lanes that have any above the floor: few, for each has a whole beginning above it. */
  private more(walk: IndexWalk, value: string): string {
    const before = `lane.ids[${BEGINNING}]`;
    const ids = walk.down([...this.kindOf('lane'), value], { before, floor: FLOOR });
    return `
      SELECT more.id FROM lane CROSS JOIN LATERAL (${ids}) more WHERE ${value} IS NOT NULL AND ${before} >= ${FLOOR}`;
  }

  protected walkBy(value: string, ...further: string[]): IndexWalk {
    const { table, before, rest } = this.range;
    return new IndexWalk(table, [...before.map((column) => `r.${column}`), value], [...rest, ...further]);
  }

  protected kindOf(name: string): string[] {
    return this.range.before.map((column) => `${name}.${column}`);
  }

  protected kindAnd(name: string, ...more: string[]): string {
    return [...this.kindOf(name), ...more].join(', ');
  }

  protected isOf(kind: string): string[] {
    return this.range.before.map((column) => `r.${column} = ${kind}.${column}`);
  }

  private isFrom(value: string | undefined): string[] {
    return value === undefined ? [] : [`${this.value} >= ${value}`];
  }

  /** The index by span is on this expression of the column. */
  protected spanOf(value: string): string {
    return this.spanOfDay(this.calendar.numberOf(value));
  }

  protected spanOfDay(number: string): string {
    return `(${number} >> ${this.calendar.spanBits})`;
  }

  protected firstDayOf(span: string): string {
    return `(${span} << ${this.calendar.spanBits})`;
  }

  protected startOf(span: string): string {
    return this.calendar.firstOf(this.firstDayOf(span));
  }

  private firstSpanOfEra(value: string): string {
    return `(${this.spanOf(value)} >> ${ERA_BITS} << ${ERA_BITS})`;
  }
}

export function greatest(one: string, other = 'NULL'): string {
  return `greatest(${one}, ${other})`;
}

export function least(one: string, other = 'NULL'): string {
  return `least(${one}, ${other})`;
}

/** The last id of a page, if there are enough for one. */
function lastOfPage(ids: string): string {
  return `SELECT id FROM ${ids} ORDER BY id DESC OFFSET ${LIMIT} - 1 LIMIT 1`;
}
