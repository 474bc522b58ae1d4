import type { IndexWalk } from './index-walk.js';
import { DAY_ZERO, greatest, least, LOWEST, SpannedRange, type Calendar, type Range } from './spanned-range.js';

const DAYS: Calendar = {
  spanBits: 5,
  numberOf: (day) => `(${day} - ${DAY_ZERO})`,
  firstOf: (number) => `(${DAY_ZERO} + ${number})`,
};

/** The records whose day lies in a range, by spans of 32 days, and at its ends day by day, by the index on (..., day, id). */
export class RangeOfDays extends SpannedRange {
  protected readonly firstSpan: string | undefined;
  protected readonly endSpan: string | undefined;
  protected readonly byEnd: IndexWalk;
  protected readonly endType = 'date';
  /** The numbers of the first day and the last. */
  private readonly first: string | undefined;
  private readonly last: string | undefined;

  constructor(range: Range) {
    super(range, DAYS);
    this.byEnd = this.walkBy(this.value);
    this.first = range.from && DAYS.numberOf(`${range.from}::date`);
    this.last = range.to && DAYS.numberOf(`${range.to}::date`);
    this.firstSpan = this.first && this.spanOfDay(`(${this.first} + ${(1 << DAYS.spanBits) - 1})`);
    this.endSpan = this.last && this.spanOfDay(`(${this.last} + 1)`);
  }

  /** The days before the first whole span and after the last one, unless nothing in their span is above the floor. */
  protected ends(): string[] {
    const { first, last, firstSpan, endSpan } = this;
    const ends = [
      ...(first && firstSpan
        ? [{ span: this.spanOfDay(first), days: `${first}, ${least(`${this.firstDayOf(firstSpan)} - 1`, last)}` }]
        : []),
      ...(last && endSpan
        ? [{ span: this.spanOfDay(last), days: `${this.firstDayOf(greatest(endSpan, firstSpan))}, ${last}` }]
        : []),
    ];
    const day = DAYS.firstOf('number');
    return ends.map(
      (end) => `
        SELECT ${this.kindAnd('recent', 'NULL', day, 'own.ids')} FROM recent
        CROSS JOIN LATERAL (${this.bySpan.down([...this.kindOf('recent'), end.span], { floor: LOWEST, limit: '1' })}) newest
        CROSS JOIN generate_series(${end.days}) number
        CROSS JOIN LATERAL (${this.beginning(this.byEnd, 'recent', day)}) own WHERE own.ids <> '{}'`,
    );
  }
}
