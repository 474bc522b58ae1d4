const isFull = process.env['TEST_SWEEPS'] === 'all';

/**
 * A sweep tries many values in many places. `npm test` tries each value in some place and in each place some values; with
 * TEST_SWEEPS=all every value is tried in every place.
 */
export function shareOf<T>(items: readonly T[], place: number, places: number): readonly T[] {
  return isFull ? items : items.filter((_, index) => index % places === place % places);
}

/** How often something is repeated. */
export function repetitions(inFull: number, inTest: number): number {
  return isFull ? inFull : inTest;
}
