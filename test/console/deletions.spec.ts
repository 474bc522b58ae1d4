import type { Deletion } from '@waybill/client';
import { deletedFor, isDeletionOf } from '../../console/src/model/deletions.js';
import { filtersIn, queryOf } from '../../console/src/model/deletion-filters.js';

const query = (text: string) => queryOf(filtersIn(new URLSearchParams(text)));

describe('the filters of the list of deletions', () => {
  test('are those in its URL', () => {
    expect(query('')).toEqual({});
    expect(query('kind=agent&kind=move&by=Ann+&moveID=P9DS53&code=p9ds53-02')).toEqual({
      ...{ resource: ['move', 'agent'], deletedBy: 'Ann', moveID: 'P9DS53', code: 'P9DS53-02' },
    });
  });

  test('leave out what the service would reject: an unknown kind, part of a code, and what is not a day', () => {
    expect(query('kind=import&code=P9D&since=2026-02-30&by=+')).toEqual({});
  });

  test('begin a day in local time', () => {
    expect(query('since=2026-03-02')).toEqual({ deletedSince: new Date(2026, 2, 2).toISOString() });
  });
});

test('only the deletion of the version that was deleted is undone', () => {
  const deletion = { resource: 'move', values: { eTag: 'm2' } } as unknown as Deletion;
  expect(isDeletionOf('move', 'm2', deletion)).toBe(true);
  expect(isDeletionOf('move', 'm1', deletion)).toBe(false);
  expect(isDeletionOf('move', 'm2', null)).toBe(false);
  expect(isDeletionOf('move', 'm2', { ...deletion, values: null })).toBe(false);
});

describe('shipments that are suggested to be restored with their move', () => {
  const deletion = (resourceID: string, deletedBy: string, deletedAt: string, values: object | null = {}) =>
    ({ resourceID, deletedBy, deletedAt: `2026-03-02T${deletedAt}.000Z`, values }) as unknown as Deletion;
  const move = deletion('m', 'Ann', '12:00:00');
  const idsOf = (...shipments: Deletion[]) => deletedFor(move, shipments).map(({ resourceID }) => resourceID);

  test('were deleted by the same person shortly before it', () => {
    expect(idsOf(deletion('a', 'Ann', '11:59:00'), deletion('b', 'Ann', '11:00:00'))).toEqual(['a', 'b']);
  });

  test('were not deleted by others, long before, after it, or erased', () => {
    const others = [
      deletion('a', 'Ben', '11:59:00'),
      deletion('b', 'Ann', '10:59:59'),
      deletion('c', 'Ann', '12:00:01'),
    ];
    expect(idsOf(...others, deletion('d', 'Ann', '11:59:00', null))).toEqual([]);
  });
});
