import type { HistoryEntry } from '@waybill/client';
import { lastChange } from '../../console/src/model/last-change.js';

const entry = (changedBy: string, changes: readonly object[], more: object = {}): HistoryEntry =>
  ({ type: 'updated', resourceID: 'a', changedBy, changedAt: '2026-03-01T00:00:00.000Z', changes, ...more }) as never;

const changed = entry('Ann', [{ field: 'remarks', from: null, to: 'x' }]);
const other = entry('Bob', [{ field: 'orderID', from: null, to: 'B' }]);
const author = (...entries: HistoryEntry[]) => lastChange(entries, 'a', 'remarks')?.changedBy;

describe('the last change of a field', () => {
  it('is the newest one of this record', () => {
    const ofChild = entry('Cid', [{ field: 'remarks', from: 'x', to: 'y' }], { resourceID: 'b' });
    expect(author(ofChild, other, changed)).toBe('Ann');
  });

  it('has no author if a later entry lists all values, because the ones before it are archived or erased', () => {
    const all = [
      { field: 'orderID', to: 'B' },
      { field: 'remarks', to: 'x' },
    ];
    expect(author(entry('Bob', all), changed)).toBeUndefined();
    expect(author(other, entry('Bob', all))).toBeUndefined();
  });

  it('was not made by a deletion or a restoration, which list all values', () => {
    const gone = entry('Bob', [{ field: 'remarks', from: 'x', to: null }], { type: 'deleted' });
    const back = entry('Bob', [{ field: 'remarks', from: null, to: 'x' }], { type: 'restored' });
    expect(author(back, gone, changed)).toBe('Ann');
  });

  it('has no author if the values of a later entry are erased', () => {
    expect(author(entry('Bob', [], { erased: true }), changed)).toBeUndefined();
  });

  it('has its author after an erasure of other entries, and after an entry without changes', () => {
    expect(author(entry('DPO', [], { type: 'erased' }), entry('Bob', []), changed)).toBe('Ann');
  });
});
