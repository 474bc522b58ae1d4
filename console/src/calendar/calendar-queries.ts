import type { Event, ShipmentStatus } from '@waybill/client';
import type { Span } from '../model/days.js';
import type { DateField } from '../model/list-query.js';
import { COLUMNS } from '../model/status.js';
import { cache, queryClient, shipmentsQuery } from '../queries.js';

/** Rejected and canceled shipments are neither picked up nor delivered. */
export const PLANNED: ShipmentStatus[] = COLUMNS.filter((status) => status !== 'REJECTED' && status !== 'CANCELED');

/** How many shipments of a day are read and shown. */
const LIMITS: Readonly<Record<Span, number>> = { week: 30, month: 5 };

/**
 * Each day is read for itself, so that a busy one does not hide the others, and whenever it is shown: events update the shipments that a
 * list has, but do not add those that come to its day while another view is open.
 */
export function dayQuery(field: DateField, day: string, span: Span) {
  const query = { status: PLANNED, [`${field}From`]: day, [`${field}To`]: day, limit: LIMITS[span] };
  return { ...shipmentsQuery(query), refetchOnMount: 'always' as const };
}

/** The list of all shipments of a day. */
export function dayPath(field: DateField, day: string): string {
  return `/list?status=${PLANNED.join()}&${field}From=${day}&${field}To=${day}`;
}

export async function readDay(field: DateField, day: string, span: Span): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: dayQuery(field, day, span).queryKey });
}

/** Reads the days on which shipments were put. Those that left a day are hidden without a read. */
export function readChangedDays(events: readonly Event[], field: DateField, days: readonly string[], span: Span): void {
  const changed = events.flatMap(({ data }) => data.changes.filter((change) => change.field === field));
  // Large events do not contain values.
  const isAny = changed.some(({ to }) => to === undefined);
  const put = new Set(isAny ? days : changed.map(({ to }) => to));
  for (const day of days) if (put.has(day)) cache.outdateKey(dayQuery(field, day, span).queryKey);
}
