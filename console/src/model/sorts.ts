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

/** The default order of the API: a range is sorted by its own field. */
function defaultSort(hasRange: boolean): string {
  return hasRange ? 'deliveryDate' : '-createdAt';
}

/** The current order, and the orders that can be combined with the date filter. */
export function sortChoices(asked: string, hasRange: boolean) {
  const sort = asked === '' ? defaultSort(hasRange) : asked;
  const offered = SORTS.filter(([each]) => each === sort || !hasRange || each.endsWith('deliveryDate'));
  // An invalid order in a link is shown unchanged; the list shows the error.
  const choices = offered.some(([each]) => each === sort) ? offered : [...offered, [sort, sort] as const];
  return { sort, choices };
}
