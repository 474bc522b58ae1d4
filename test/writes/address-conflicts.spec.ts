import { expectProblem } from '../support/http/problem.js';
import type { Json } from '../support/http/api.js';
import { applied, csvOf, imported, JSON_LINES, resultOf, rowsOf } from '../support/records/imports.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const MOVED = { ...ADDRESS, streetAddress1: '9 Elm Street', postalCode: '62702' };
const CITY = { destinationAddress: { city: 'Shelbyville' } };

interface Case {
  readonly before: object | null;
  /** The PATCHes of others. */
  readonly theirs: readonly object[];
  readonly mine: object;
  /** The conflicting fields of the address. */
  readonly conflicting: readonly string[];
}

/** In a conflict an address is one value: what a writer means is the address that they saw, with their fields replaced. */
const CASES: Readonly<Record<string, Case>> = {
  'they changed another field of it': {
    before: ADDRESS,
    theirs: [{ destinationAddress: { streetAddress1: MOVED.streetAddress1, postalCode: MOVED.postalCode } }],
    mine: CITY,
    conflicting: ['streetAddress1', 'postalCode'],
  },
  'they made the same change, and one more': {
    before: ADDRESS,
    theirs: [{ destinationAddress: { city: 'Shelbyville', postalCode: '62702' } }],
    mine: CITY,
    conflicting: ['city', 'postalCode'],
  },
  'they made the same change': { before: ADDRESS, theirs: [CITY], mine: CITY, conflicting: [] },
  'they changed it and changed it back': {
    before: ADDRESS,
    theirs: [CITY, { destinationAddress: { city: ADDRESS.city } }],
    mine: CITY,
    conflicting: [],
  },
  'they changed the other address': {
    before: ADDRESS,
    theirs: [{ pickupAddress: MOVED }],
    mine: CITY,
    conflicting: [],
  },
  'both added one, with another second line': {
    before: null,
    theirs: [{ destinationAddress: ADDRESS }],
    mine: { destinationAddress: { ...ADDRESS, streetAddress2: 'Apt 5' } },
    conflicting: ['streetAddress1', 'city', 'state', 'postalCode'],
  },
  'both added one, only theirs with a second line': {
    before: null,
    theirs: [{ destinationAddress: { ...ADDRESS, streetAddress2: 'Apt 5' } }],
    mine: { destinationAddress: ADDRESS },
    conflicting: ['streetAddress1', 'streetAddress2', 'city', 'state', 'postalCode'],
  },
  'both added the same one': {
    before: null,
    theirs: [{ destinationAddress: ADDRESS }],
    mine: { destinationAddress: ADDRESS },
    conflicting: [],
  },
  'they removed it': {
    before: ADDRESS,
    theirs: [{ destinationAddress: null }],
    mine: CITY,
    conflicting: ['streetAddress1', 'city', 'state', 'postalCode'],
  },
  'they changed it, I remove it': {
    before: ADDRESS,
    theirs: [CITY],
    mine: { destinationAddress: null },
    conflicting: ['city'],
  },
  'both removed it': {
    before: ADDRESS,
    theirs: [{ destinationAddress: null }],
    mine: { destinationAddress: null },
    conflicting: [],
  },
};

async function changedMeanwhile({ before, theirs }: Case): Promise<{ base: Json; path: string }> {
  const base = await createShipment(service.api, { destinationAddress: before });
  const path = `/v1/shipments/${base.id}`;
  for (const patch of theirs) expect((await service.api.patch(path, '*', patch)).status).toBe(200);
  return { base, path };
}

function conflictsIn({ changes }: Json): string[] {
  return changes.filter((change: Json) => change.conflicting).map(({ field }: Json) => field.split('/')[1]);
}

describe('an address is one value in conflicts', () => {
  test.each(Object.entries(CASES))('of a PATCH: %s', async (_, one) => {
    const { base, path } = await changedMeanwhile(one);
    const problem = expectProblem(await service.api.patch(path, base.eTag, one.mine), 412, 'PRECONDITION_FAILED');
    expect(conflictsIn(problem)).toEqual(one.conflicting);
    const detail =
      one.conflicting.length > 0 ? /^A field that you write was changed/ : /nothing is left to do|in none of/;
    expect(problem.detail).toMatch(detail);
  });

  test.each(Object.entries(CASES))('of a bulk: %s', async (_, one) => {
    const { base } = await changedMeanwhile(one);
    const items = [{ op: 'update', id: base.id, ifMatch: base.eTag, patch: one.mine }];
    const { body } = await service.api.post('/v1/shipments/bulk', { atomic: false, items });
    expect(conflictsIn(body.items[0].problem)).toEqual(one.conflicting);
  });

  test.each(Object.entries(CASES))('of an import: %s', async (_, one) => {
    const { base } = await changedMeanwhile(one);
    const file = JSON.stringify({ id: base.id, eTag: base.eTag, ...one.mine });
    const ready = await imported(service.api, file, JSON_LINES);
    expect(ready.refused).toBe(one.conflicting.length > 0 ? 1 : 0);
    const [row] = await rowsOf(service.api, ready);
    expect(row.faults.map(({ column }: Json) => column)).toEqual(
      one.conflicting.map((field) => `destinationAddress.${field}`),
    );
  });
});

test('a change without the field does not claim to write it', async () => {
  const { base, path } = await changedMeanwhile({
    before: ADDRESS,
    theirs: [{ destinationAddress: { postalCode: '62702' } }],
    mine: CITY,
    conflicting: ['postalCode'],
  });
  const { body } = await service.api.patch(path, base.eTag, CITY);
  for (const change of body.changes) expect(change).not.toHaveProperty('yours');
});

test('an address that was removed and added again has its new id among the changes, which conflicts with nothing', async () => {
  const { base, path } = await changedMeanwhile({
    before: ADDRESS,
    theirs: [{ destinationAddress: null }, { destinationAddress: ADDRESS }],
    mine: {},
    conflicting: [],
  });
  const current = (await service.api.get(path)).body.destinationAddress;
  const { body } = await service.api.patch(path, base.eTag, CITY);
  expect(body.changes).toEqual([
    {
      field: 'destinationAddress/id',
      base: base.destinationAddress.id,
      current: current.id,
      changedBy: 'anonymous',
      changedAt: expect.any(String),
      conflicting: false,
    },
  ]);
});

describe('an import row that changes a field of an address that others changed', () => {
  const COLUMNS = ['streetAddress1', 'city', 'state', 'postalCode'].map((name) => `destinationAddress.${name}`);

  const rowOf = ({ id, eTag }: Json, address: Readonly<Record<string, string>>) =>
    csvOf(
      ['id', 'eTag', 'customerRemarks', ...COLUMNS],
      [[id, eTag, '', ...COLUMNS.map((name) => address[name.split('.')[1] ?? ''] ?? '')]],
    );

  test('is refused when it is applied, and its result has both addresses whole', async () => {
    const base = await createShipment(service.api, { destinationAddress: ADDRESS });
    const ready = await imported(service.api, rowOf(base, { ...ADDRESS, city: 'Shelbyville' }));
    expect(ready.toChange).toBe(1);
    const { body: current } = await service.api.patch(`/v1/shipments/${base.id}`, base.eTag, {
      destinationAddress: MOVED,
      customerRemarks: 'theirs',
    });
    expect(await applied(service.api, ready)).toMatchObject({ changed: 0, refused: 1 });
    const [row] = await rowsOf(service.api, ready);
    expect(row.changes).toEqual([
      expect.objectContaining({ field: 'destinationAddress/city', from: 'Springfield', to: 'Shelbyville' }),
      expect.objectContaining({
        field: 'destinationAddress/streetAddress1',
        from: ADDRESS.streetAddress1,
        to: ADDRESS.streetAddress1,
        current: MOVED.streetAddress1,
      }),
      expect.objectContaining({ field: 'destinationAddress/postalCode', to: ADDRESS.postalCode, current: '62702' }),
    ]);
    // Uploaded again as it is, the result writes the address of the row, and nothing of theirs is taken back.
    const again = await imported(service.api, await resultOf(service.url, ready));
    expect(again).toMatchObject({ toChange: 1, refused: 0 });
    await applied(service.api, again);
    expect((await service.api.get(`/v1/shipments/${base.id}`)).body).toMatchObject({
      customerRemarks: current.customerRemarks,
      destinationAddress: { ...ADDRESS, city: 'Shelbyville' },
    });
  });
});
