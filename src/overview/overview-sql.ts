import { namedStatement } from '../database/statement.js';
import { nextStatuses, STATUSES, type ShipmentStatus } from '../model/shipment-status.js';

/** Numbers are exact up to here. Each costs at most so many entries of an index for each of its statuses, however many shipments there are. */
export const MAX_COUNT = 10_000;
/** The same for the numbers of one day, of which there can be 184. */
export const MAX_COUNT_OF_DAY = 1000;

export const NOT_PICKED_UP: readonly ShipmentStatus[] = ['SUBMITTED', 'APPROVED'];
export const OPEN = STATUSES.filter((status) => nextStatuses(status).length > 0);
/** Rejected and canceled shipments are neither picked up nor delivered. */
export const PLANNED = STATUSES.filter((status) => status !== 'REJECTED' && status !== 'CANCELED');

const PICKUP = `coalesce(pickup_date, 'infinity')`;
const DELIVERY = `coalesce(delivery_date, 'infinity')`;

/** A number beyond its limit is at least one more than the limit. */
export interface CountRow {
  readonly countedAt: string;
  readonly latePickups: number;
  readonly lateDeliveries: number;
  readonly pickups: number;
  readonly deliveries: number;
  /** In the order of STATUSES. */
  readonly byStatus: readonly number[];
  readonly days: readonly { readonly date: string; readonly pickups: number; readonly deliveries: number }[];
}

/** Counts what is due on the day $1 and planned from $2 to $3, in one statement, so that all numbers are of one moment. */
export const COUNT_ALL = namedStatement('overview')`
    SELECT iso_ms(now()) AS "countedAt",
      ${countOf(NOT_PICKED_UP, MAX_COUNT, `${PICKUP} < $1::date`)} AS "latePickups",
      ${countOf(OPEN, MAX_COUNT, `${DELIVERY} < $1::date`)} AS "lateDeliveries",
      ${countOf(NOT_PICKED_UP, MAX_COUNT, `${PICKUP} = $1::date`)} AS pickups,
      ${countOf(OPEN, MAX_COUNT, `${DELIVERY} = $1::date`)} AS deliveries,
      ARRAY[${STATUSES.map((status) => countOf([status], MAX_COUNT)).join(', ')}] AS "byStatus",
      (
        SELECT json_agg(json_build_object(
          'date', day,
          'pickups', ${countOf(PLANNED, MAX_COUNT_OF_DAY, `${PICKUP} = day`)},
          'deliveries', ${countOf(PLANNED, MAX_COUNT_OF_DAY, `${DELIVERY} = day`)}
        ) ORDER BY day)
        -- Dates, not timestamps: where summer time begins at midnight, a day has no 00:00.
        FROM generate_series(0, $3::date - $2::date) AS passed, LATERAL (SELECT $2::date + passed AS day) AS each
      ) AS days`;

/** A walk down one index for each status, which ends at the limit. */
function countOf(statuses: readonly ShipmentStatus[], limit: number, condition = 'true'): string {
  return `(
    SELECT sum(counted.number)::int FROM unnest('{${statuses.join()}}'::text[]) AS one, LATERAL (
      SELECT count(*) AS number FROM (SELECT FROM shipments WHERE status = one AND ${condition} LIMIT ${limit + 1}) walked
    ) counted
  )`;
}
