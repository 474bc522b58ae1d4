import { t } from '../texts/texts.js';
/** Fields of which the API takes a range. */
export type RangeField = 'pickupDate' | 'deliveryDate' | 'updatedAt';

/** The current order, and the orders that can be combined with a range of this field. By default a range is sorted by its own field. */
export function sortChoices(asked: string, range: RangeField | undefined) {
  const sort = asked === '' ? (range ?? '-createdAt') : asked;
  // The sort orders of the API and their labels.
  const sorts: (readonly [string, string])[] = Object.entries(t.list.sorts);
  const offered = sorts.filter(([each]) => each === sort || range === undefined || each.endsWith(range));
  // An invalid order in a link is shown unchanged; the list shows the error.
  const choices = offered.some(([each]) => each === sort) ? offered : [...offered, [sort, sort] as const];
  return { sort, choices };
}
