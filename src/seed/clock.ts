export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const TWO_YEARS = 730 * DAY;

/** A moment as PostgreSQL and the API both read it. */
export function iso(moment: number): string {
  return new Date(moment).toISOString();
}

export function calendarDay(moment: number): string {
  return iso(moment).slice(0, 10);
}
