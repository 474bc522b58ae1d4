const DAY_PATTERN = '(19|20|21)\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';

export const DAY = new RegExp(`^${DAY_PATTERN}$`);

/** RFC 3339. PostgreSQL accepts offsets up to 15:59; real ones are at most 14 hours. */
export const MOMENT = new RegExp(
  `^${DAY_PATTERN}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?(Z|[+-](0\\d|1[0-5]):[0-5]\\d)$`,
);

/** Whether a text is an existing date in the form YYYY-MM-DD. */
export function isCalendarDate(written: string): boolean {
  if (!DAY.test(written)) return false;
  const [year, month, day] = [written.slice(0, 4), written.slice(5, 7), written.slice(8)].map(Number) as Day;
  return day <= 28 || day <= lastDayOf(year, month);
}

export function isTimestamp(written: string): boolean {
  return MOMENT.test(written) && isCalendarDate(written.slice(0, 10));
}

type Day = [year: number, month: number, day: number];

function lastDayOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
