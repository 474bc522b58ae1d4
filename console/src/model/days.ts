/** Calendar days are YYYY-MM-DD, independent of the time zone. */

const DAY_MS = 86_400_000;

/** The first and the last day that the service accepts. */
export const FIRST_DAY = '1900-01-01';
export const LAST_DAY = '2199-12-31';

/** Whether a text is a day that exists and that the service accepts. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const moment = Date.parse(text);
  // Date turns February 30th into a day of March.
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export type Span = 'week' | 'month';

/** The days that a calendar shows: one week, or all weeks of a month. `firstDay` is the ISO number of the first day of the week. */
export function daysOf(span: Span, day: string, firstDay: number): string[] {
  const first = startOfWeek(span === 'week' ? day : startOfMonth(day), firstDay);
  const last = span === 'week' ? first : startOfWeek(addDays(addMonths(day, 1), -1), firstDay);
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 7;
  return Array.from({ length: count }, (_, index) => addDays(first, index));
}

/** A day in the next or previous span, or the first or last day of all. */
export function addSpan(span: Span, day: string, step: 1 | -1): string {
  const other = span === 'week' ? addDays(day, 7 * step) : addMonths(day, step);
  if (other < FIRST_DAY) return FIRST_DAY;
  return other > LAST_DAY ? LAST_DAY : other;
}

function startOfWeek(day: string, firstDay: number): string {
  return addDays(day, -((new Date(day).getUTCDay() - firstDay + 7) % 7));
}

function startOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The first day of a month before or after. */
function addMonths(day: string, months: number): string {
  const date = new Date(startOfMonth(day));
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}

interface WeekInfo {
  readonly firstDay: number;
}

/** The ISO number of the first day of the week where the user is, 1 for Monday. */
export function firstDayOfWeek(locale: string): number {
  // TypeScript does not know this part of Intl yet, and some browsers have it as a property.
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}
