import { type IndexWalk, LIMIT } from './index-walk.js';
import { DAY_ZERO, SpannedRange, type Calendar, type Range } from './spanned-range.js';

const MOMENTS: Calendar = {
  spanBits: 3,
  numberOf: (moment) => `((${moment} AT TIME ZONE 'UTC')::date - ${DAY_ZERO})`,
  firstOf: (number) => `((${DAY_ZERO} + ${number})::timestamp AT TIME ZONE 'UTC')`,
};

/** Up to so many of a kind that were changed in the moment's own span are sorted. */
const FEW = 64;

/**
 * The records that were changed since a moment, by spans of 8 days. Of the moment's own span only what came after it counts: those
 * are sorted if they are few, and otherwise enough of the span to walk it and to pass over the others.
 */
export class ChangesSince extends SpannedRange {
  protected readonly firstSpan: string;
  protected readonly endSpan = undefined;
  protected readonly byEnd: IndexWalk;
  protected readonly endType = 'integer';
  private readonly ownSpan: string;

  constructor(range: Range & { readonly from: string }) {
    super(range, MOMENTS);
    this.byEnd = this.walkBy(this.spanOf(this.value), `${this.value} >= ${range.from}`);
    this.ownSpan = this.spanOf(`${range.from}::timestamptz`);
    this.firstSpan = `(${this.ownSpan} + 1)`;
  }

  protected ends(): string[] {
    // The planner is not told the limit: for a small one it would rather take another index and sort.
    const own = this.latest('recent', `(SELECT ${FEW})`, `${this.value} < ${this.startOf(this.firstSpan)}`);
    const goesOn = `CASE WHEN own.are_many THEN ${this.ownSpan} END`;
    const ids = `CASE WHEN own.are_many THEN (${this.beginning(this.byEnd, 'recent', this.ownSpan)}) ELSE own.ids[:${LIMIT}] END`;
    return [
      `SELECT ${this.kindAnd('recent', 'NULL', goesOn, ids)} FROM recent CROSS JOIN LATERAL (
         SELECT count(*) = ${FEW} AS are_many, array_agg(id ORDER BY id DESC) FILTER (WHERE fits) AS ids FROM (${own}) r
       ) own`,
    ];
  }
}
