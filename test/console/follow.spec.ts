import type { Event } from '@waybill/client';
import { rowsAfterEvents } from '../../console/src/live/apply.js';
import type { Row, Rows } from '../../console/src/model/rows.js';

const row = (id: string): Row =>
  ({ id, eTag: 'v1', updatedAt: '2027-01-01T00:00:00.000Z', status: 'SUBMITTED', pickupAddress: null }) as Row;
const list = (...pages: string[][]): Rows =>
  ({ pages: pages.map((ids) => ({ items: ids.map(row), readAfter: 0 })), pageParams: [] }) as unknown as Rows;
const event = (resourceID: string, data: object, type = 'shipment.updated'): Event =>
  ({
    type,
    time: '2027-01-02T00:00:00.000Z',
    data: { resourceID, eTag: 'v2', changes: [], ...data },
  }) as unknown as Event;
const status = (to: string) => ({ changes: [{ field: 'status', from: 'SUBMITTED', to }] });

test('a change is shown in place, and other pages keep their identity', () => {
  const before = list(['a', 'b'], ['c']);
  const { rows, unknown } = rowsAfterEvents(before, new Map([['b', [event('b', status('APPROVED'))]]]));
  expect(rows.pages[0]?.items).toMatchObject([{ id: 'a' }, { id: 'b', status: 'APPROVED', eTag: 'v2' }]);
  expect(rows.pages[1]).toBe(before.pages[1]);
  expect(unknown).toEqual([]);
});

test('a list without the changed shipment stays the same object', () => {
  const before = list(['a']);
  expect(rowsAfterEvents(before, new Map([['z', [event('z', status('APPROVED'))]]])).rows).toBe(before);
});

test('a deleted shipment stays in its place, marked', () => {
  const events = new Map([['a', [event('a', {}, 'shipment.deleted')]]]);
  expect(rowsAfterEvents(list(['a', 'b']), events).rows.pages[0]?.items).toMatchObject([
    { id: 'a', isDeleted: true },
    { id: 'b' },
  ]);
});

test('a shipment whose events lack details is named, and shown as it was until it is read', () => {
  const before = list(['a'], ['b']);
  const { rows, unknown } = rowsAfterEvents(before, new Map([['b', [event('b', { truncated: true })]]]));
  expect(unknown).toEqual(['b']);
  expect(rows).toBe(before);
});
