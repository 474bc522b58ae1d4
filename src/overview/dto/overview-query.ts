import { invalidParameter } from '../../problem/problem.js';
import { JsonSchema } from '../../validation/json-schema.decorator.js';
import { LAST_DAY } from '../../validation/dates.js';
import { CalendarDate } from '../../validation/rules.js';

const MAX_DAYS = 92;
const DEFAULT_DAYS = 14;
const DAY_MS = 86_400_000;

export class OverviewQuery {
  @JsonSchema({
    description:
      'The day that counts as today, because only the client knows where it is. Default: the current day in UTC.',
    examples: ['2026-04-01'],
  })
  @CalendarDate()
  today?: string;

  @JsonSchema({ description: 'The first day of `days`. Default: today.', examples: ['2026-04-01'] })
  @CalendarDate()
  from?: string;

  @JsonSchema({
    description: `The last day of \`days\`, of which there are at most ${MAX_DAYS}. Default: ${DEFAULT_DAYS} days in all.`,
    examples: ['2026-04-14'],
  })
  @CalendarDate()
  to?: string;
}

export type OverviewDays = Required<OverviewQuery>;

/** The days that a query asks for, or 400. */
export function overviewDays({ today = dayAfter(new Date().toISOString(), 0), ...asked }: OverviewQuery): OverviewDays {
  const from = asked.from ?? today;
  const to = asked.to ?? earlier(dayAfter(from, DEFAULT_DAYS - 1), LAST_DAY);
  const latest = earlier(dayAfter(from, MAX_DAYS - 1), LAST_DAY);
  if (to < from || to > latest) {
    const message = `must be from ${from} to ${latest}, ${MAX_DAYS} days at most`;
    throw invalidParameter('to', message);
  }
  return { today, from, to };
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

export function dayAfter(moment: string, days: number): string {
  return new Date(Date.parse(moment.slice(0, 10)) + days * DAY_MS).toISOString().slice(0, 10);
}
