/** Fields of which the API takes a range. */
export type RangeField = 'pickupDate' | 'deliveryDate' | 'updatedAt';

/** Sort orders of the API and their labels. */
const SORTS: readonly (readonly [string, string])[] = [
  ['-createdAt', 'Newest first'],
  ['createdAt', 'Oldest first'],
  ['pickupDate', 'Pickup, earliest first'],
  ['-pickupDate', 'Pickup, latest first'],
  ['deliveryDate', 'Delivery, earliest first'],
  ['-deliveryDate', 'Delivery, latest first'],
  ['-updatedAt', 'Recently changed first'],
  ['updatedAt', 'Recently changed last'],
];

/** The current order, and the orders that can be combined with a range of this field. By default a range is sorted by its own field. */
export function sortChoices(asked: string, range: RangeField | undefined) {
  const sort = asked === '' ? (range ?? '-createdAt') : asked;
  const offered = SORTS.filter(([each]) => each === sort || range === undefined || each.endsWith(range));
  // An invalid order in a link is shown unchanged; the list shows the error.
  const choices = offered.some(([each]) => each === sort) ? offered : [...offered, [sort, sort] as const];
  return { sort, choices };
}
