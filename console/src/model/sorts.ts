/** The orders of a list, as the API names them and as people do. */
const SORTS: readonly (readonly [string, string])[] = [
  ['-createdAt', 'Newest first'],
  ['createdAt', 'Oldest first'],
  ['deliveryDate', 'Delivery, earliest first'],
  ['-deliveryDate', 'Delivery, latest first'],
  ['-updatedAt', 'Changed last'],
  ['updatedAt', 'Not changed for longest'],
];

/** The order in which a list comes when none is asked for: a range is sorted by its own field. */
function defaultSort(hasRange: boolean): string {
  return hasRange ? 'deliveryDate' : '-createdAt';
}

/** What the sort box shows: the order that the list has, among those that go with a range of delivery dates. */
export function sortChoices(asked: string, hasRange: boolean) {
  const sort = asked === '' ? defaultSort(hasRange) : asked;
  const offered = SORTS.filter(([each]) => each === sort || !hasRange || each.endsWith('deliveryDate'));
  // An order in a link that the API does not know is shown as it is; the list says what is wrong with it.
  const choices = offered.some(([each]) => each === sort) ? offered : [...offered, [sort, sort] as const];
  return { sort, choices };
}
