import type { Json } from '../support/http/api.js';
import { startService, type TestService } from '../support/service/service.js';

/** Where summer time begins at midnight: that day has no 00:00. */
const ZONES = [
  ['Africa/Cairo', '2026-04-24'],
  ['America/Santiago', '2026-09-06'],
  ['Asia/Beirut', '2026-03-29'],
] as const;

let service: TestService;
afterEach(() => service.stop());

const inZone = (zone: string) =>
  startService(
    {},
    (url) => `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c timezone=${zone}`)}`,
  );

const DAY_MS = 86_400_000;
const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

test.each(ZONES)('in %s, where summer time begins on %s, no day is missing', async (zone, day) => {
  service = await inZone(zone);
  const [from, to] = [dayAfter(day, -2), dayAfter(day, 2)];
  for (const [first, last] of [
    [from, to],
    [day, to],
    [from, day],
    [day, day],
  ] as const) {
    const { body } = await service.api.get(`/v1/overview?today=${day}&from=${first}&to=${last}`);
    const days = body.days.map(({ date }: Json) => date);
    expect([days[0], days.at(-1)]).toEqual([first, last]);
    expect(days).toEqual(days.map((_: string, index: number) => dayAfter(first, index)));
  }
});

/** All lists in an overview. */
function listsIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => (name === 'list' ? [String(inside)] : listsIn(inside)));
}

test.each(['1900-01-01', '1900-01-02', '2199-12-30', '2199-12-31'])(
  'on %s, at the edge of the calendar, every list can be read',
  async (today) => {
    service = await startService();
    const { status, body } = await service.api.get(`/v1/overview?today=${today}`);
    expect(status).toBe(200);
    for (const list of new Set(listsIn(body)))
      expect([list, (await service.api.get(list)).status]).toEqual([list, 200]);
  },
);
