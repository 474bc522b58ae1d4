import { runInThisContext } from 'node:vm';
import { demoShipments } from '../../console/src/first-run/demo-shipments.js';
import { addDays, addSpan, daysOf, FIRST_DAY, isDay, LAST_DAY } from '../../console/src/model/days.js';
import { formatDay, today } from '../../console/src/model/format.js';
import { dayAfter, overviewDays } from '../../src/overview/dto/overview-query.js';
import { isCalendarDate } from '../../src/validation/dates.js';
import { shareOf } from '../support/repository/sweeps.js';

/** Where summer time begins at midnight, with such a day: it has no 00:00. */
const ZONES = [
  ['Africa/Cairo', '2026-04-24'],
  ['America/Santiago', '2026-09-06'],
  ['Asia/Beirut', '2026-03-29'],
] as const;

/** Jest gives each spec a copy of the environment, which does not change the zone of the process. */
const { env } = runInThisContext('process') as NodeJS.Process;
const before = env['TZ'];

const DAY_MS = 86_400_000;
const ALL_DAYS = Array.from({ length: (Date.UTC(2200, 0, 1) - Date.UTC(1900, 0, 1)) / DAY_MS }, (_, index) =>
  new Date(Date.UTC(1900, 0, 1) + index * DAY_MS).toISOString().slice(0, 10),
);
const YEARS = Array.from({ length: 300 }, (_, index) => 1900 + index);
/** The first and the last year, that of the changes above, and some between them. */
const CHECKED = new Set([1900, 2026, 2199, ...shareOf(YEARS, 70, 23)].map(String));
const isChecked = (day: string) => CHECKED.has(day.slice(0, 4));

describe.each(ZONES)('in %s, where %s has no midnight', (zone, day) => {
  beforeAll(() => {
    env['TZ'] = zone;
  });
  afterAll(() => {
    if (before === undefined) delete env['TZ'];
    else env['TZ'] = before;
  });

  test('the clock shows 01:00 first, and today is the day of the clock at every hour', () => {
    expect(new Date(`${day}T00:00:00`).getHours()).toBe(1);
    const clock = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
    const noon = Date.parse(`${day}T12:00:00Z`);
    const hours = Array.from({ length: 97 }, (_, index) => new Date(noon + (index - 48) * 1_800_000));
    expect(hours.map((hour) => today(hour))).toEqual(hours.map((hour) => clock.format(hour)));
  });

  test('no day from 1900 to 2199 is skipped, repeated or refused', () => {
    const steps = ALL_DAYS.flatMap((each, index) => {
      if (!isChecked(each)) return [];
      const next = ALL_DAYS[index + 1];
      const isRight = next === undefined || (addDays(each, 1) === next && dayAfter(each, 1) === next);
      const isBack = next === undefined || addDays(next, -1) === each;
      return isRight && isBack && isDay(each) && isCalendarDate(each) ? [] : [each];
    });
    expect(steps).toEqual([]);
    expect([ALL_DAYS[0], ALL_DAYS.at(-1)]).toEqual([FIRST_DAY, LAST_DAY]);
  });

  test('days around the change have their own names', () => {
    const days = [-2, -1, 0, 1, 2].map((step) => addDays(day, step));
    const names = days.map((each) => formatDay(each));
    expect(new Set(names).size).toBe(5);
    expect(names).not.toContain(day);
  });

  test('a year of 53 weeks has 53, each of seven days', () => {
    const weeks: string[][] = [];
    for (let at = '2026-01-01'; at < '2027-01-04'; at = addSpan('week', at, 1)) weeks.push(daysOf('week', at, 1));
    expect(weeks.length).toBe(53);
    const from = ALL_DAYS.indexOf('2025-12-29');
    expect(weeks.flat()).toEqual(ALL_DAYS.slice(from, from + 53 * 7));
  });

  test.each([1, 6, 7])('each month shows all its days in whole weeks that begin on day %i', (firstDay) => {
    const wrong: string[] = [];
    for (let month = FIRST_DAY; month < '2199-12-01'; month = addSpan('month', month, 1)) {
      if (!isChecked(month)) continue;
      const days = daysOf('month', month, firstDay);
      const own = days.filter((each) => each.slice(0, 7) === month.slice(0, 7));
      const [first = '', last = ''] = [days[0], days.at(-1)];
      const isWhole = days.length % 7 === 0 && addDays(first, days.length - 1) === last;
      const begins = new Date(first).getUTCDay() === firstDay % 7;
      const isAll = own[0] === month && own.at(-1) === addDays(addSpan('month', month, 1), -1);
      if (!isWhole || !begins || !isAll) wrong.push(month);
    }
    expect(wrong).toEqual([]);
  });

  test('the overview has fourteen days, and the demo goes by calendar days', () => {
    const { from, to } = overviewDays({ today: addDays(day, -7) });
    expect([from, to]).toEqual([addDays(day, -7), addDays(day, 6)]);
    const pickups = demoShipments().map(({ pickupDate }) => pickupDate);
    expect(pickups).toEqual(pickups.map((_, index) => addDays(today(), index - 6)));
  });
});

test.each([
  ['month', '2199-12-05', 1, LAST_DAY],
  ['week', '2199-12-28', 1, LAST_DAY],
  ['month', '1900-01-31', -1, FIRST_DAY],
  ['week', '1900-01-03', -1, FIRST_DAY],
] as const)('a %s from %s in direction %i stays in the calendar', (span, day, step, expected) => {
  expect(addSpan(span, day, step)).toBe(expected);
});

test.each(['1899-12-31', '2200-01-01', '2026-02-30', '2026', '2026-1-1', 'Nov 5 2026', '2026-11-17T00:00', ''])(
  'the calendar does not open at %j',
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);
