import { BEFORE, IndexWalk, LIMIT, newestFirst } from './index-walk.js';

/** A span is 32 days, an era 16 spans. Days are numbered, so that both are a matter of bits. */
const SPAN_BITS = 5;
const ERA_BITS = 4;
const DAY_ZERO = `DATE '2000-01-01'`;

/** So many of each lane are read before it is known which lanes are worth more. */
const BEGINNING = 8;

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const LOWEST = '(SELECT id FROM lowest)';
const FLOOR = '(SELECT id FROM floor)';

interface Range {
  readonly table: string;
  /** The column with the day, and those that stand before it in its index. */
  readonly day: string;
  readonly before: readonly string[];
  /** A query for the values of the columns before: each of its rows is a kind of records. */
  readonly kinds: string;
  /** The parameters; one end may be open. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** What else the records must pass, as SQL on the row `r`. */
  readonly rest: readonly string[];
}

/**
 * The ids of one page of the records whose day lies in a range. They lie in the order of their ids within one day, by the index on
 * (..., day, id), and within one span, by its twin on (..., span, id), but not over a range. So the whole spans in the middle of
 * the range and the days at its ends are lanes, few however long the range, and the lanes are merged.
 */
export class RangeOfDays {
  private readonly day: string;
  private readonly bySpan: IndexWalk;
  private readonly byDay: IndexWalk;
  /** The numbers of the first day and the last, of the first whole span and of the one after the last whole span. */
  private readonly first: string | undefined;
  private readonly last: string | undefined;
  private readonly firstSpan: string | undefined;
  private readonly endSpan: string | undefined;

  constructor(private readonly range: Range) {
    const { table, day, before, from, to, rest } = range;
    const columns = before.map((column) => `r.${column}`);
    this.day = `r.${day}`;
    this.bySpan = new IndexWalk(table, [...columns, spanOf(numberOf(this.day))], rest);
    this.byDay = new IndexWalk(table, [...columns, this.day], rest);
    this.first = from && numberOf(`${from}::date`);
    this.last = to && numberOf(`${to}::date`);
    this.firstSpan = this.first && spanOf(`(${this.first} + ${(1 << SPAN_BITS) - 1})`);
    this.endSpan = this.last && spanOf(`(${this.last} + 1)`);
  }

  ids(): string {
    const recentIDs = '(SELECT unnest(ids) AS id FROM recent) r';
    return `
      WITH RECURSIVE kind AS (${this.range.kinds}),
      recent AS MATERIALIZED (${this.recent()}),
      lowest AS MATERIALIZED (SELECT coalesce((${lastOfPage(recentIDs)}), '${LEAST_ID}') AS id),
      era AS (${this.eras()}),
      lane AS MATERIALIZED (${[this.spans(), ...this.days()].join(' UNION ALL ')}),
      begun AS MATERIALIZED (SELECT unnest(ids) AS id FROM lane),
      floor AS MATERIALIZED (SELECT coalesce((${lastOfPage('begun')}), ${LOWEST}) AS id)
      SELECT id FROM (SELECT id FROM begun UNION ALL ${this.more()}) found ORDER BY id DESC LIMIT ${LIMIT}`;
  }

  /** Of each kind, the latest day and the ids of the latest days. A page of those ids ends at a floor that most lanes do not reach. */
  private recent(): string {
    const { table, from, to, rest } = this.range;
    const conditions = [...this.isOf('kind'), ...this.isFrom(from), ...(to ? [`${this.day} <= ${to}`] : [])];
    const fits = [`r.id < ${BEFORE}`, ...rest];
    return `
      SELECT ${this.kind('kind')}, latest.* FROM kind CROSS JOIN LATERAL (
        SELECT max(day) AS day, array_agg(id) FILTER (WHERE fits) AS ids FROM (
          SELECT ${this.day} AS day, r.id, ${fits.join(' AND ')} AS fits FROM ${table} r
          WHERE ${conditions.join(' AND ')} ${newestFirst([this.day])} LIMIT ${LIMIT}
        ) r
      ) latest WHERE latest.day IS NOT NULL`;
  }

  /** Of each kind, the latest day of each era that has any, so that one date a century away does not make a thousand lanes. */
  private eras(): string {
    const start = firstDayOf(firstSpanOfEra('era.day'));
    const conditions = [
      ...this.isOf('era'),
      `${this.day} < ${start}`,
      ...this.isFrom(this.firstSpan && firstDayOf(this.firstSpan)),
    ];
    return `
      SELECT ${this.kind('recent')}, recent.day FROM recent
      UNION ALL SELECT ${this.kind('era')}, earlier.day FROM era CROSS JOIN LATERAL (
        SELECT ${this.day} AS day FROM ${this.range.table} r
        WHERE ${conditions.join(' AND ')} ${newestFirst([this.day])} LIMIT 1
      ) earlier`;
  }

  /** The lanes of the whole spans: of each its kind, its span or day, and the ids that it begins with. */
  private spans(): string {
    const from = greatest(firstSpanOfEra('era.day'), this.firstSpan);
    const to = least(spanOf(numberOf('era.day')), this.endSpan && `${this.endSpan} - 1`);
    return `
      SELECT ${this.kind('era')}, span, NULL::date AS day, own.ids
      FROM era CROSS JOIN LATERAL generate_series(${from}, ${to}) span
      CROSS JOIN LATERAL (${this.beginning(this.bySpan, 'era', 'span')}) own WHERE own.ids <> '{}'`;
  }

  /** The lanes of the days before the first whole span and after the last one, unless nothing in their span is above the floor. */
  private days(): string[] {
    const { first, last, firstSpan, endSpan } = this;
    const ends = [
      ...(first && firstSpan
        ? [{ span: spanOf(first), days: `${first}, ${least(`${firstDayNumberOf(firstSpan)} - 1`, last)}` }]
        : []),
      ...(last && endSpan
        ? [{ span: spanOf(last), days: `${firstDayNumberOf(greatest(endSpan, firstSpan))}, ${last}` }]
        : []),
    ];
    const day = `(${DAY_ZERO} + number)`;
    return ends.map(
      (end) => `
        SELECT ${this.kind('recent')}, NULL, ${day}, own.ids FROM recent
        CROSS JOIN LATERAL (${this.bySpan.down([...this.kindOf('recent'), end.span], { floor: LOWEST, limit: '1' })}) newest
        CROSS JOIN generate_series(${end.days}) number
        CROSS JOIN LATERAL (${this.beginning(this.byDay, 'recent', day)}) own WHERE own.ids <> '{}'`,
    );
  }

  private beginning(walk: IndexWalk, kind: string, value: string): string {
    const ids = walk.down([...this.kindOf(kind), value], { floor: LOWEST, limit: String(BEGINNING) });
    return `SELECT ARRAY(${ids}) AS ids OFFSET 0`;
  }

  /** The ids after the beginnings, of the lanes that have any above the floor: few, for each has a whole beginning above it. */
  private more(): string {
    const before = `lane.ids[${BEGINNING}]`;
    const down = (walk: IndexWalk, value: string) =>
      `(${walk.down([...this.kindOf('lane'), value], { before, floor: FLOOR })})`;
    return `
      SELECT more.id FROM lane
      CROSS JOIN LATERAL (${down(this.bySpan, 'lane.span')} UNION ALL ${down(this.byDay, 'lane.day')}) more
      WHERE ${before} >= ${FLOOR}`;
  }

  private kindOf(name: string): string[] {
    return this.range.before.map((column) => `${name}.${column}`);
  }

  private kind(name: string): string {
    return this.kindOf(name).join(', ');
  }

  private isOf(kind: string): string[] {
    return this.range.before.map((column) => `r.${column} = ${kind}.${column}`);
  }

  private isFrom(day: string | undefined): string[] {
    return day === undefined ? [] : [`${this.day} >= ${day}`];
  }
}

function numberOf(day: string): string {
  return `(${day} - ${DAY_ZERO})`;
}

/** The index by span is on this expression. */
function spanOf(number: string): string {
  return `(${number} >> ${SPAN_BITS})`;
}

function firstSpanOfEra(day: string): string {
  return `(${spanOf(numberOf(day))} >> ${ERA_BITS} << ${ERA_BITS})`;
}

function firstDayNumberOf(span: string): string {
  return `(${span} << ${SPAN_BITS})`;
}

function firstDayOf(span: string): string {
  return `(${DAY_ZERO} + ${firstDayNumberOf(span)})`;
}

function greatest(one: string, other = 'NULL'): string {
  return `greatest(${one}, ${other})`;
}

function least(one: string, other = 'NULL'): string {
  return `least(${one}, ${other})`;
}

/** The last id of a page, if there are enough for one. */
function lastOfPage(ids: string): string {
  return `SELECT id FROM ${ids} ORDER BY id DESC OFFSET ${LIMIT} - 1 LIMIT 1`;
}
