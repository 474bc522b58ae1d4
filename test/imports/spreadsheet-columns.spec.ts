import type { Json } from '../support/http/api.js';
import { csvOf, CSV, imported } from '../support/records/imports.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** Cells that are the old value in one notation and another value in another one: the other cells of their columns decide. */
const service = useService();

/** A file with one row for each old value and cell of a column. */
async function fileOf(field: string, cells: readonly (readonly [string | number, string])[]): Promise<string> {
  const rows: unknown[][] = [];
  for (const [value, cell] of cells) {
    const { id, eTag } = await createShipment(service.api, { [field]: value });
    rows.push([id, eTag, cell]);
  }
  return csvOf(['id', 'eTag', field], rows);
}

const counts = ({ state, toChange, unchanged, refused, ambiguousCells }: Json) => ({
  ...{ state, toChange, unchanged, refused },
  cells: ambiguousCells.map(({ cell }: Json) => cell),
});

const OF_DATES: readonly (readonly [string, string, (readonly [string, string])[], object])[] = [
  [
    'is no change if a spreadsheet has written all cells in the same way',
    'pickupDate',
    [
      ['2026-12-01', '12/1/2026'],
      ['2026-03-04', '3/4/2026'],
      ['2026-05-05', '5/5/2026'],
    ],
    { state: 'ready', unchanged: 3, toChange: 0, refused: 0, cells: [] },
  ],
  [
    'and if only one cell was changed, to a value with one reading',
    'pickupDate',
    [
      ['2026-12-01', '12/1/2026'],
      ['2026-03-04', '3/14/2026'],
    ],
    { state: 'ready', unchanged: 1, toChange: 1, refused: 0, cells: [] },
  ],
  [
    'is ambiguous among cells as exported, where somebody has typed it',
    'pickupDate',
    [
      ['2026-12-01', '12/1/2026'],
      ['2026-03-04', '2026-03-04'],
    ],
    { state: 'ambiguous', unchanged: 1, toChange: 0, refused: 1, cells: ['12/1/2026'] },
  ],
  [
    'is no change among cells as exported, if others prove the order',
    'pickupDate',
    [
      ['2026-12-01', '12/1/2026'],
      ['2026-03-04', '2026-03-04'],
      ['2026-03-14', '3/14/2026'],
    ],
    { state: 'ready', unchanged: 3, toChange: 0, refused: 0, cells: [] },
  ],
  [
    'is ambiguous if another cell is unchanged only in the other order',
    'pickupDate',
    [
      ['2026-12-01', '12/1/2026'],
      ['2026-04-03', '3/4/2026'],
    ],
    { state: 'ambiguous', unchanged: 1, toChange: 0, refused: 1, cells: ['3/4/2026'] },
  ],
  [
    'is ambiguous if the other cells can only be read in the other order',
    'pickupDate',
    [
      ['2026-12-01', '1/12/2026'],
      ['2026-12-14', '12/14/2026'],
      ['2026-12-15', '12/15/2026'],
    ],
    { state: 'ambiguous', unchanged: 2, toChange: 0, refused: 1, cells: ['1/12/2026'] },
  ],
  [
    'is ambiguous if the cells have no order in common',
    'pickupDate',
    [
      ['2026-12-01', '12/1/2026'],
      ['2026-12-14', '12/14/2026'],
      ['2026-12-15', '15/12/2026'],
    ],
    { state: 'ambiguous', unchanged: 2, toChange: 0, refused: 1, cells: ['12/1/2026'] },
  ],
];

test.each(OF_DATES)('a date %s', async (_, field, cells, expected) => {
  expect(counts(await imported(service.api, await fileOf(field, cells)))).toEqual(expected);
});

test('the columns of a file are looked at apart, also far down', async () => {
  const { id, eTag } = await createShipment(service.api, { pickupDate: '2026-12-01', deliveryDate: '2026-12-02' });
  const columns = ['id', 'eTag', 'shipmentType', 'pickupDate', 'deliveryDate'];
  const others = Array.from({ length: 300 }, () => ['', '', 'HHG', '', '12/24/2026']);
  const last = ['', '', 'HHG', '2026-12-01', '12/24/2026'];
  const file = csvOf(columns, [[id, eTag, 'HHG', '12/1/2026', '12/2/2026'], ...others, last]);
  const ready = await imported(service.api, file);
  expect(counts(ready)).toMatchObject({ state: 'ambiguous', refused: 1, cells: ['12/1/2026'] });
  expect(ready.ambiguousCells[0]).toMatchObject({ line: 2, column: 'pickupDate' });
});

test.each([
  [
    [
      [4500, '4,500'],
      [950, '950'],
    ] as const,
    { state: 'ready', unchanged: 2, cells: [] },
  ],
  // 4.5 is no weight.
  [
    [
      [4500, '4,500'],
      [4600, '4600'],
    ] as const,
    { state: 'ready', unchanged: 2, cells: [] },
  ],
  [
    [
      [4000, '4.000'],
      [5000, '5.000'],
    ] as const,
    { state: 'ready', unchanged: 2, cells: [] },
  ],
  [
    [
      [4, '4.000'],
      [5000, '5000'],
    ] as const,
    { state: 'ambiguous', unchanged: 1, cells: ['4.000'] },
  ],
])('of the weights %j the import makes %j', async (cells, expected) => {
  expect(counts(await imported(service.api, await fileOf('estimatedWeight', cells)))).toMatchObject(expected);
});

test('with the order, nothing is ambiguous: the cell is unchanged or another day', async () => {
  const file = await fileOf('pickupDate', [
    ['2026-12-01', '12/1/2026'],
    ['2026-03-04', '2026-03-04'],
  ]);
  const { body } = await service.api.post('/v1/imports?dates=MDY', file, CSV);
  expect(counts(body)).toMatchObject({ state: 'ready', unchanged: 2 });
  const { body: other } = await service.api.post('/v1/imports?dates=DMY', file, CSV);
  expect(counts(other)).toMatchObject({ state: 'ready', toChange: 1 });
  expect(other.firstChanges[0].changes).toEqual([{ field: 'pickupDate', from: '2026-12-01', to: '2026-01-12' }]);
});
