import type { Statement } from '../database/statement.js';
import type { ShipmentStatus } from '../shipments/shipment-status.js';

/** Numbers are exact up to here. Each costs at most so many entries of an index for each of its statuses, however many shipments there are. */
export const MAX_COUNT = 10_000;
/** The same for the numbers of one day, of which there can be 184. */
export const MAX_COUNT_OF_DAY = 1000;

export type DateField = 'pickupDate' | 'deliveryDate';

/** Shipments to be counted. */
export interface Counted {
  readonly statuses: readonly ShipmentStatus[];
  /** Those with a date in this range, both ends included. */
  readonly dates?: { readonly field: DateField; readonly from?: string; readonly to: string };
}

const DATE = {
  pickupDate: `coalesce(pickup_date, 'infinity')`,
  deliveryDate: `coalesce(delivery_date, 'infinity')`,
};

/** The days whose shipments with these statuses are counted. */
export interface CountedDays {
  readonly statuses: readonly ShipmentStatus[];
  readonly from: string;
  readonly to: string;
}

/** The result of `countAll`. A number beyond its limit is at least one more than the limit. */
export interface CountRow {
  /** In the order of what was to be counted. */
  readonly counts: readonly number[];
  readonly days: readonly { readonly date: string; readonly pickups: number; readonly deliveries: number }[];
  readonly countedAt: string;
}

/** Counts everything in one statement, so that all numbers are of one moment. */
export function countAll(
  counted: readonly Counted[],
  days: CountedDays,
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const values: unknown[] = [days.statuses, days.from, days.to];
  const parameter = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const counts = counted.map(({ statuses, dates }) => {
    const conditions: string[] = [];
    if (dates?.from !== undefined) conditions.push(`${DATE[dates.field]} >= ${parameter(dates.from, 'date')}`);
    if (dates !== undefined) conditions.push(`${DATE[dates.field]} <= ${parameter(dates.to, 'date')}`);
    return countOf(parameter(statuses, 'text[]'), conditions, MAX_COUNT);
  });
  const onDay = (field: DateField) => countOf('$1::text[]', [`${DATE[field]} = day::date`], MAX_COUNT_OF_DAY);
  const text = `
    SELECT ARRAY[${counts.join(', ')}]::int[] AS counts, iso_ms(now()) AS "countedAt", (
      SELECT json_agg(json_build_object(
        'date', day::date, 'pickups', ${onDay('pickupDate')}, 'deliveries', ${onDay('deliveryDate')}
      ) ORDER BY day)
      FROM generate_series($2::date, $3::date, '1 day') AS day
    ) AS days`;
  return { statement: { name: 'overview', text }, values };
}

/** A walk down one index for each status, which ends at the limit. */
function countOf(statuses: string, conditions: readonly string[], limit: number): string {
  return `(
    SELECT sum(counted.number) FROM unnest(${statuses}) AS one, LATERAL (
      SELECT count(*) AS number FROM (SELECT FROM shipments WHERE ${['status = one', ...conditions].join(' AND ')} LIMIT ${limit + 1}) walked
    ) counted
  )`;
}
