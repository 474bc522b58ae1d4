import { formats, number } from '../texts/region.js';
import { t } from '../texts/texts.js';
import { fieldOf, type Value } from './fields.js';
import { formatWeight } from './weights.js';

/** A calendar day, independent of the time zone. */
export function formatDay(day: string): string {
  const date = new Date(`${day}T12:00:00`);
  // Files may contain invalid days, which Date would shift.
  if (today(date) !== day) return day;
  return (date.getFullYear() === new Date().getFullYear() ? formats.day : formats.dayAndYear).format(date);
}

/** A calendar day in words, with its weekday and year. */
export function formatWholeDay(day: string): string {
  return formats.wholeDay.format(new Date(`${day}T12:00:00`));
}

/** A calendar day with its weekday. */
export function formatLongDay(day: string): string {
  return formats.longDay.format(new Date(`${day}T12:00:00`));
}

export function formatWeekday(day: string): string {
  return formats.weekday.format(new Date(`${day}T12:00:00`));
}

/** A month, or the days from the first to the last. */
export function formatSpan(span: 'week' | 'month', day: string, days: readonly string[]): string {
  if (span === 'month') return formats.month.format(new Date(`${day}T12:00:00`));
  const [first = day, last = day] = [days[0], days.at(-1)];
  return formats.dayAndYear.formatRange(new Date(`${first}T12:00:00`), new Date(`${last}T12:00:00`));
}

/** A number of the overview. */
export function formatCount({ count, more }: { readonly count: number; readonly more: boolean }): string {
  return `${number(count)}${more ? '+' : ''}`;
}

/** A timestamp in local time; only the time if it is today. */
export function formatMoment(moment: string, now = new Date()): string {
  const date = new Date(moment);
  if (date.toDateString() === now.toDateString()) return formats.time.format(date);
  const day = (date.getFullYear() === now.getFullYear() ? formats.day : formats.dayAndYear).format(date);
  return `${day}, ${formats.time.format(date)}`;
}

/** The time since a timestamp, in words. */
export function formatAgo(moment: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1000);
  if (seconds > -10) return t.justNow;
  if (seconds > -60) return formats.relative.format(seconds, 'second');
  if (seconds > -3600) return formats.relative.format(Math.round(seconds / 60), 'minute');
  if (seconds > -86_400) return formats.relative.format(Math.round(seconds / 3600), 'hour');
  return formats.relative.format(Math.round(seconds / 86_400), 'day');
}

/** The name of a status or a role. One that this console does not know yet: IN_TRANSIT as "In transit". */
export function formatCode(code: string): string {
  const names: Readonly<Record<string, string | undefined>> = t.codes;
  return names[code] ?? `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}`;
}

const CODES = ['status', 'agentType'];

/** The value of a field, for use in a sentence. */
export function formatValue(field: string, value: Value): string {
  if (value === null || value === '') return t.none;
  if (field === 'expiresAt') return formatMoment(String(value));
  const input = fieldOf(field)?.input;
  if (input === 'date') return formatDay(String(value));
  if (input === 'weight' && typeof value === 'number') return formatWeight(value);
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
  return formats.exact.format(new Date(moment));
}
