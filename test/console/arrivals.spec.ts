import type { Event } from '@waybill/client';
import { arrivals, newIn } from '../../console/src/live/arrivals.js';
import { sortChoices, type RangeField } from '../../console/src/model/sorts.js';

const event = (resourceID: string, from: string | null, to: string | null): Event =>
  ({
    type: to === null ? 'shipment.deleted' : 'shipment.updated',
    data: { resource: 'shipment', resourceID, changes: [{ field: 'status', from, to }] },
  }) as unknown as Event;

beforeEach(() => {
  arrivals.set(new Map());
  arrivals.count = 0;
});

describe('shipments that are new in a list', () => {
  it('are those that were created, when every status is shown', () => {
    arrivals.collect([event('a', null, 'SUBMITTED'), event('b', 'SUBMITTED', 'APPROVED')]);
    expect(newIn(arrivals.get(), undefined, 0)).toEqual(['a']);
  });

  it('are those that came from a status that is not shown', () => {
    arrivals.collect([event('a', 'SUBMITTED', 'APPROVED'), event('b', 'APPROVED', 'IN_TRANSIT')]);
    expect(newIn(arrivals.get(), ['APPROVED', 'IN_TRANSIT'], 0)).toEqual(['a']);
  });

  it('are those that were deleted and restored', () => {
    arrivals.collect([event('a', null, 'SUBMITTED'), event('a', 'SUBMITTED', null)]);
    expect(newIn(arrivals.get(), undefined, 0)).toEqual([]);
    arrivals.collect([event('a', null, 'SUBMITTED')]);
    expect(newIn(arrivals.get(), ['SUBMITTED'], 0)).toEqual(['a']);
  });

  it('are not those that left and came back', () => {
    arrivals.collect([event('a', 'APPROVED', 'DIVERSION_REQUESTED'), event('a', 'DIVERSION_REQUESTED', 'APPROVED')]);
    expect(newIn(arrivals.get(), ['APPROVED'], 0)).toEqual([]);
  });

  it('are not those whose event lists all fields, because the values before it are unknown', () => {
    const all = event('a', null, 'APPROVED');
    for (const change of all.data.changes) Reflect.deleteProperty(change, 'from');
    arrivals.collect([all]);
    expect(newIn(arrivals.get(), ['APPROVED'], 0)).toEqual([]);
  });

  it('are not those that it was read with, nor those that were deleted', () => {
    arrivals.collect([event('a', null, 'SUBMITTED'), event('b', null, 'SUBMITTED')]);
    const readAfter = arrivals.count;
    arrivals.collect([event('c', null, 'SUBMITTED'), event('d', null, 'SUBMITTED'), event('d', 'SUBMITTED', null)]);
    expect(newIn(arrivals.get(), ['SUBMITTED'], readAfter)).toEqual(['c']);
  });
});

describe('the sort box', () => {
  const labels = (range: RangeField) => sortChoices('', range).choices.map(([, label]) => label);

  it.each([
    ['', undefined, '-createdAt'],
    ['', 'deliveryDate', 'deliveryDate'],
    ['', 'updatedAt', 'updatedAt'],
    ['-deliveryDate', 'deliveryDate', '-deliveryDate'],
    ['updatedAt', 'pickupDate', 'updatedAt'],
    ['unknown', undefined, 'unknown'],
  ] as const)('shows for "%s", with a range of %s, the order %s', (asked, range, expected) => {
    const { sort, choices } = sortChoices(asked, range);
    expect(sort).toBe(expected);
    expect(choices.some(([choice]) => choice === expected)).toBe(true);
  });

  it('offers with a range only the orders that go with it', () => {
    expect(labels('deliveryDate')).toEqual(['Delivery, earliest first', 'Delivery, latest first']);
    expect(labels('pickupDate')).toEqual(['Pickup, earliest first', 'Pickup, latest first']);
  });
});
