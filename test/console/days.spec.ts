import { addDays, addSpan, daysOf, firstDayOfWeek } from '../../console/src/model/days.js';

test.each([
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2026-03-29', -1, '2026-03-28'],
  ['2026-11-17', -17, '2026-10-31'],
])('%s and %i days is %s', (day, days, expected) => {
  expect(addDays(day, days)).toBe(expected);
});

test.each([
  ['week', '2026-11-17', 7, '2026-11-15', '2026-11-21'],
  ['week', '2026-11-15', 1, '2026-11-09', '2026-11-15'],
  ['month', '2026-11-17', 7, '2026-11-01', '2026-12-05'],
  ['month', '2026-11-17', 1, '2026-10-26', '2026-12-06'],
  ['month', '2027-02-28', 1, '2027-02-01', '2027-02-28'],
  ['month', '2026-12-31', 6, '2026-11-28', '2027-01-01'],
] as const)('the %s of %s, if weeks begin on day %i, is %s to %s', (span, day, firstDay, first, last) => {
  const days = daysOf(span, day, firstDay);
  expect([days[0], days.at(-1), days.length % 7]).toEqual([first, last, 0]);
});

test.each([
  ['week', '2026-12-31', 1, '2027-01-07'],
  ['month', '2026-12-31', 1, '2027-01-01'],
  ['month', '2026-01-31', -1, '2025-12-01'],
] as const)('a %s from %s in direction %i is %s', (span, day, step, expected) => {
  expect(addSpan(span, day, step)).toBe(expected);
});

test('weeks begin where the locale lets them begin', () => {
  expect(['en-US', 'en-GB', 'ar-EG'].map(firstDayOfWeek)).toEqual([7, 1, 6]);
});
