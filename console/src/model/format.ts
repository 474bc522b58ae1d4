import { fieldOf, type Value } from './fields.js';

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_AND_YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const LONG_DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const NUMBER = new Intl.NumberFormat();
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

/** A calendar day, independent of the time zone. */
export function formatDay(day: string): string {
  const date = new Date(`${day}T12:00:00`);
  // Files may contain invalid days, which Date would shift.
  if (today(date) !== day) return day;
  return (date.getFullYear() === new Date().getFullYear() ? DAY : DAY_AND_YEAR).format(date);
}

/** A calendar day with its weekday. */
export function formatLongDay(day: string): string {
  return LONG_DAY.format(new Date(`${day}T12:00:00`));
}

export function formatWeekday(day: string): string {
  return WEEKDAY.format(new Date(`${day}T12:00:00`));
}

/** A month, or the days from the first to the last. */
export function formatSpan(span: 'week' | 'month', day: string, days: readonly string[]): string {
  if (span === 'month') return MONTH.format(new Date(`${day}T12:00:00`));
  const [first = day, last = day] = [days[0], days.at(-1)];
  return DAY_AND_YEAR.formatRange(new Date(`${first}T12:00:00`), new Date(`${last}T12:00:00`));
}

/** A number of the overview. */
export function formatCount({ count, more }: { readonly count: number; readonly more: boolean }): string {
  return `${NUMBER.format(count)}${more ? '+' : ''}`;
}

/** A timestamp in local time; only the time if it is today. */
export function formatMoment(moment: string, now = new Date()): string {
  const date = new Date(moment);
  if (date.toDateString() === now.toDateString()) return TIME.format(date);
  const day = (date.getFullYear() === now.getFullYear() ? DAY : DAY_AND_YEAR).format(date);
  return `${day}, ${TIME.format(date)}`;
}

/** The time since a timestamp, in words. */
export function formatAgo(moment: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1000);
  if (seconds > -10) return 'just now';
  if (seconds > -60) return RELATIVE.format(seconds, 'second');
  if (seconds > -3600) return RELATIVE.format(Math.round(seconds / 60), 'minute');
  if (seconds > -86_400) return RELATIVE.format(Math.round(seconds / 3600), 'hour');
  return RELATIVE.format(Math.round(seconds / 86_400), 'day');
}

/** IN_TRANSIT as "In transit". */
export function formatCode(code: string): string {
  return `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}`;
}

const CODES = ['status', 'agentType'];

/** The value of a field, for use in a sentence. */
export function formatValue(field: string, value: Value): string {
  if (value === null || value === '') return 'none';
  const input = fieldOf(field)?.input;
  if (input === 'date') return formatDay(String(value));
  if (input === 'weight' && typeof value === 'number') return `${NUMBER.format(value)} lb`;
  return CODES.includes(field) ? formatCode(String(value)) : String(value);
}

/** Today in local time, as YYYY-MM-DD. */
export function today(now = new Date()): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Enough of an eTag to tell versions apart by eye. */
export function shortETag({ eTag }: { readonly eTag: string }): string {
  return eTag.slice(0, 8);
}

/** A timestamp that is still clear on paper. */
export function formatExactly(moment: string): string {
  return EXACT.format(new Date(moment));
}
