import type { ShipmentQuery, ShipmentStatus } from '@waybill/client';
import { addDays } from './days.js';
import type { RangeField } from './sorts.js';
import { COLUMNS, isFinal } from './status.js';

export type DateField = 'pickupDate' | 'deliveryDate';

/** Parameters that make a range. The API takes a range of only one field. */
const RANGES: Readonly<Record<RangeField, readonly string[]>> = {
  pickupDate: ['pickupDateFrom', 'pickupDateTo'],
  deliveryDate: ['deliveryDateFrom', 'deliveryDateTo'],
  updatedAt: ['updatedSince'],
};

/** The field that a list is restricted by a range of. */
export function rangeIn(parameters: URLSearchParams): RangeField | undefined {
  const fields = Object.keys(RANGES) as RangeField[];
  return fields.find((field) => RANGES[field].some((name) => parameters.has(name)));
}

/** The statuses in a URL, repeated or separated by commas as in the API. */
export function statusesIn(parameters: URLSearchParams): ShipmentStatus[] {
  const asked = parameters.getAll('status').flatMap((each) => each.split(','));
  return COLUMNS.filter((status) => asked.includes(status));
}

/** Reads the filters from the URL. */
export function queryOf(parameters: URLSearchParams): ShipmentQuery {
  const status = statusesIn(parameters);
  const names = ['shipmentType', 'moveID', 'q', ...Object.values(RANGES).flat(), 'sort'];
  const texts = names.map((name): [string, string | null] => [name, parameters.get(name)]);
  return {
    ...(status.length > 0 && { status }),
    ...Object.fromEntries(texts.filter(([, text]) => text !== null)),
    limit: 100,
  };
}

/** Removes all ranges, except of one field, and an order that does not go with it. */
export function withoutOtherRanges(parameters: URLSearchParams, field: RangeField | undefined): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const [other, names] of Object.entries(RANGES)) {
    if (other !== field) for (const name of names) next.delete(name);
  }
  if (field !== undefined && next.get('sort')?.endsWith(field) !== true) next.delete('sort');
  return next;
}

/** The filters with another order, without ranges that cannot be combined with it. */
export function sortedBy(parameters: URLSearchParams, sort: string): URLSearchParams {
  const field = (Object.keys(RANGES) as RangeField[]).find((each) => sort.endsWith(each));
  const next = withoutOtherRanges(parameters, field);
  next.set('sort', sort);
  return next;
}

const NOT_PICKED_UP: readonly ShipmentStatus[] = ['SUBMITTED', 'APPROVED'];

/** The filters of what was planned before today and is not done. */
function overdueFilters(field: DateField, today: string): Record<string, string> {
  const statuses = field === 'pickupDate' ? NOT_PICKED_UP : COLUMNS.filter((status) => !isFinal(status));
  return { status: statuses.join(), [`${field}To`]: addDays(today, -1) };
}

export function showsOverdue(parameters: URLSearchParams, field: DateField, today: string): boolean {
  const { status = '', ...to } = overdueFilters(field, today);
  const isRange = Object.entries(to).every(([name, day]) => parameters.get(name) === day);
  return isRange && !parameters.has(`${field}From`) && statusesIn(parameters).join() === status;
}

/** The filters with those of overdue shipments added, or taken away. */
export function toggleOverdue(parameters: URLSearchParams, field: DateField, today: string): URLSearchParams {
  const isOn = showsOverdue(parameters, field, today);
  const next = withoutOtherRanges(parameters, isOn ? undefined : field);
  next.delete('status');
  next.delete(`${field}From`);
  if (!isOn) for (const [name, value] of Object.entries(overdueFilters(field, today))) next.set(name, value);
  return next;
}
