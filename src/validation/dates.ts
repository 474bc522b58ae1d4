const DAY_PATTERN = '(19|20|21)\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';

/** The first and the last of the days that the service accepts. */
export const FIRST_DAY = '1900-01-01';
export const LAST_DAY = '2199-12-31';

export const DAY = new RegExp(`^${DAY_PATTERN}$`);

/** RFC 3339. PostgreSQL accepts offsets up to 15:59; real ones are at most 14 hours. */
export const MOMENT = new RegExp(
  `^${DAY_PATTERN}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?(Z|[+-](0\\d|1[0-5]):[0-5]\\d)$`,
);

/** Whether a text is an existing date in the form YYYY-MM-DD. */
export function isCalendarDate(written: string): boolean {
  // Date turns February 30th into a day of March.
  return DAY.test(written) && new Date(written).getUTCDate() === Number(written.slice(8));
}

export function isTimestamp(written: string): boolean {
  return MOMENT.test(written) && isCalendarDate(written.slice(0, 10));
}
