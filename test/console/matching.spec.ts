import type { Shipment } from '@waybill/client';
import { formatCount } from '../../console/src/model/format.js';
import { mayReloadAt } from '../../console/src/model/reloads.js';
import { matchingIn, type Row, type Rows } from '../../console/src/model/rows.js';

const row = (id: string, isDeleted = false): Row => ({
  ...({ id } as Shipment),
  ...(isDeleted && { isDeleted: true }),
});
const pages = (next: string | undefined, ...rows: Row[][]): Rows => ({
  pages: rows.map((items, index) => ({ items, next: index === rows.length - 1 ? next : 'more', readAfter: 0 })),
  pageParams: [],
});

test('a list that is loaded completely has the rows that are still there', () => {
  expect(matchingIn(pages(undefined, [row('a'), row('b', true)], [row('c')]), undefined)).toEqual({
    count: 2,
    more: false,
  });
});

test('the count of the service includes what a complete list does not show yet', () => {
  expect(matchingIn(pages(undefined, [row('a'), row('b')]), { count: 3, more: false })?.count).toBe(3);
  expect(matchingIn(pages(undefined, [row('a'), row('b')]), null)?.count).toBe(2);
});

test('of a list that is loaded in part, only the count of the service is a number', () => {
  const part = pages('more', [row('a')], [row('b')]);
  expect(matchingIn(part, { count: 131, more: false })).toEqual({ count: 131, more: false });
  expect([undefined, null].map((unknown) => matchingIn(part, unknown))).toEqual([undefined, undefined]);
});

test('a count that ended early says so', () => {
  expect(formatCount({ count: 10_000, more: true })).toBe('10,000+');
  expect(formatCount({ count: 10_000, more: false })).toBe('10,000');
});

test('a page whose code is missing is loaded anew at most every 30 seconds, also after its clock was set back', () => {
  const now = Date.parse('2026-11-19T12:00:00Z');
  expect([0, now - 30_000, now + 3_600_000].map((last) => mayReloadAt(last, now))).toEqual([true, true, true]);
  expect([now, now - 29_999].map((last) => mayReloadAt(last, now))).toEqual([false, false]);
});
