import type { HistoryEntry } from '@waybill/client';
import { replacedBy as replacedByChange } from '../../console/src/model/undoable.js';
import { nextStatuses } from '../../src/model/shipment-status.js';

const replacedBy = (entries: readonly HistoryEntry[], at: number) =>
  replacedByChange(entries, at, (from, to) => nextStatuses(to).includes(from));

let count = 0;
const entry = (changes: object, more: object = {}) => {
  count += 1;
  return {
    ...{
      resource: 'shipment',
      resourceID: 's1',
      type: 'updated',
      eTag: `e${count}`,
      changedAt: `2027-01-01T00:00:0${count}`,
    },
    changes: Object.entries(changes as Record<string, [unknown, unknown]>).map(([field, [from, to]]) => ({
      field,
      from,
      to,
    })),
    ...more,
  } as unknown as HistoryEntry;
};
const WEIGHT = { estimatedWeight: [4500, 4800] };

test('the values before a change are what undoes it, and no others', () => {
  const change = entry({ ...WEIGHT, deliveryDate: [null, '2027-03-20'] });
  expect(replacedBy([change], 0)).toEqual({ estimatedWeight: 4500, deliveryDate: null });
});

test('an address that was added is undone without its id', () => {
  const change = entry({ 'pickupAddress/id': [null, 'a1'], 'pickupAddress/city': [null, 'Austin'] });
  expect(replacedBy([change], 0)).toEqual({ 'pickupAddress/city': null });
});

test('a change is not offered once others have replaced all that it wrote', () => {
  const change = entry({ ...WEIGHT, deliveryDate: [null, '2027-03-20'] });
  const date = entry({ deliveryDate: ['2027-03-20', '2027-03-21'] });
  const weight = entry({ estimatedWeight: [4800, 4500] });
  expect(replacedBy([date, change], 1)).toEqual({ estimatedWeight: 4500, deliveryDate: null });
  expect(replacedBy([weight, date, change], 2)).toBeUndefined();
  expect(replacedBy([entry({ estimatedWeight: [1, 2] }, { resourceID: 'other' }), entry(WEIGHT)], 1)).toBeDefined();
});

test('a status is undone where the table has a way back', () => {
  const status = (from: string, to: string) =>
    replacedBy([entry({ status: [from, to] }, { type: 'statusChanged' })], 0);
  expect(status('APPROVED', 'DIVERSION_REQUESTED')).toEqual({ status: 'APPROVED' });
  expect(status('SUBMITTED', 'APPROVED')).toBeUndefined();
  expect(status('IN_TRANSIT', 'DELIVERED')).toBeUndefined();
});

test.each([
  ['a record that was deleted since', [entry({}, { type: 'deleted', eTag: null }), entry(WEIGHT)], 1],
  ['a creation', [entry(WEIGHT, { type: 'created' })], 0],
  ['a change whose values were erased', [entry({}, { erased: true })], 0],
  ['a change whose former values are not known', [entry({ estimatedWeight: [undefined, 4800] })], 0],
  ['a field that no form has', [entry({ moveID: ['m1', 'm2'] })], 0],
  ['a version without a change', [entry({})], 0],
])('%s is not undone', (_, entries, at) => {
  expect(replacedBy(entries, at)).toBeUndefined();
});
