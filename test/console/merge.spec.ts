import { merge, patchOf, resolve, type Edits, type Report, type Version } from '../../console/src/model/merge.js';
import { wordDiff } from '../../console/src/model/word-diff.js';

const BASE: Version = {
  eTag: 'v1',
  values: {
    status: 'SUBMITTED',
    deliveryDate: '2027-03-20',
    estimatedWeight: 4500,
    actualWeight: null,
    'pickupAddress/streetAddress1': null,
    'pickupAddress/city': null,
    'destinationAddress/streetAddress1': '9 Harbor Road',
    'destinationAddress/city': 'Norfolk',
    'destinationAddress/state': 'VA',
    'destinationAddress/postalCode': '23503',
  },
};

function edit(values: Record<string, string | number | null>, seen = BASE.values): Edits {
  return Object.fromEntries(Object.entries(values).map(([field, to]) => [field, { from: seen[field] ?? null, to }]));
}

function report(eTag: string, values: Record<string, string | number | null>, base = BASE.values): Report {
  const changes = Object.entries(values).map(([field, current]) => ({
    ...{ field, base: base[field] ?? null, current },
    ...{ changedBy: 'Ben', changedAt: '2027-01-01T12:00:00.000Z' },
  }));
  return { currentETag: eTag, changes };
}

describe('what others did while somebody edited', () => {
  it('is merged when it touches none of the edited fields', () => {
    const edits = edit({ estimatedWeight: 5000 });
    const met = merge(BASE, edits, report('v2', { deliveryDate: '2027-03-24' }));
    expect(met).toMatchObject({ collisions: [], mine: ['estimatedWeight'], theirs: [{ field: 'deliveryDate' }] });
    expect(met.current).toMatchObject({ eTag: 'v2', values: { deliveryDate: '2027-03-24', estimatedWeight: 4500 } });
    expect(resolve(met, edits, {})).toEqual(edits);
  });

  it('collides in a field that both changed, with the value when the edit began', () => {
    const met = merge(BASE, edit({ deliveryDate: '2027-03-28' }), report('v2', { deliveryDate: '2027-03-24' }));
    expect(met.collisions).toEqual([
      {
        ...{ name: 'deliveryDate', fields: ['deliveryDate'], changedBy: 'Ben', changedAt: '2027-01-01T12:00:00.000Z' },
        base: { deliveryDate: '2027-03-20' },
        theirs: { deliveryDate: '2027-03-24' },
        mine: { deliveryDate: '2027-03-28' },
      },
    ]);
    expect(met.theirs).toEqual([]);
  });

  it('needs no writing when both changed it to the same value', () => {
    const edits = edit({ actualWeight: 4711 });
    const met = merge(BASE, edits, report('v2', { actualWeight: 4711 }));
    expect(met).toMatchObject({ collisions: [], mine: [], same: [{ field: 'actualWeight' }] });
    expect(resolve(met, edits, {})).toEqual({});
  });

  it('does not collide when it was on the screen before the edit began', () => {
    const edits = edit({ deliveryDate: '2027-03-28' }, { ...BASE.values, deliveryDate: '2027-03-24' });
    const met = merge(BASE, edits, report('v2', { deliveryDate: '2027-03-24' }));
    expect(met).toMatchObject({ collisions: [], theirs: [], mine: ['deliveryDate'] });
    expect(resolve(met, edits, {})).toEqual({ deliveryDate: { from: '2027-03-24', to: '2027-03-28' } });
  });

  it('collides once more only where it changed after it was decided', () => {
    const edits = edit({ deliveryDate: '2027-03-28', estimatedWeight: 5000 });
    const first = merge(BASE, edits, report('v2', { deliveryDate: '2027-03-24', estimatedWeight: 4800 }));
    const decided = resolve(first, edits, {
      deliveryDate: { deliveryDate: '2027-03-28' },
      estimatedWeight: { estimatedWeight: 5000 },
    });
    const second = merge(first.current, decided, report('v3', { estimatedWeight: 4850 }, first.current.values));
    expect(second.collisions).toMatchObject([
      { name: 'estimatedWeight', base: { estimatedWeight: 4800 }, mine: { estimatedWeight: 5000 } },
    ]);
    expect(second.mine).toEqual(['deliveryDate']);
  });

  it('leaves nothing to write when all of theirs is taken', () => {
    const edits = edit({ deliveryDate: '2027-03-28' });
    const met = merge(BASE, edits, report('v2', { deliveryDate: '2027-03-24' }));
    expect(resolve(met, edits, { deliveryDate: { deliveryDate: '2027-03-24' } })).toEqual({});
  });

  it('throws rather than guess when something is not decided', () => {
    const edits = edit({ deliveryDate: '2027-03-28' });
    const met = merge(BASE, edits, report('v2', { deliveryDate: '2027-03-24' }));
    expect(() => resolve(met, edits, {})).toThrow('deliveryDate is not decided');
  });
});

describe('an address', () => {
  const removed = {
    'destinationAddress/streetAddress1': null,
    'destinationAddress/city': null,
    'destinationAddress/state': null,
    'destinationAddress/postalCode': null,
  };

  it('collides as a whole when both sides changed parts of it', () => {
    const edits = edit({ 'destinationAddress/streetAddress1': '10 Harbor Road', estimatedWeight: 5000 });
    const met = merge(BASE, edits, report('v2', { 'destinationAddress/city': 'Hampton' }));
    expect(met).toMatchObject({ collisions: [{ name: 'destinationAddress' }], theirs: [], mine: ['estimatedWeight'] });
    const [{ theirs, mine } = { theirs: {}, mine: {} }] = met.collisions;
    expect(theirs).toMatchObject({
      'destinationAddress/streetAddress1': '9 Harbor Road',
      'destinationAddress/city': 'Hampton',
    });
    expect(mine).toMatchObject({
      'destinationAddress/streetAddress1': '10 Harbor Road',
      'destinationAddress/city': 'Norfolk',
    });
    const decided = (destinationAddress: typeof mine) => resolve(met, edits, { destinationAddress });
    expect(Object.keys(decided(theirs))).toEqual(['estimatedWeight']);
    expect(patchOf(decided(mine), met.current)).toEqual({
      ...{ estimatedWeight: 5000, destinationAddress: { streetAddress1: '10 Harbor Road', city: 'Norfolk' } },
    });
  });

  it('that both sides added is one value, unless they added the same', () => {
    const added = { 'pickupAddress/streetAddress1': 'Elm St 1', 'pickupAddress/city': 'Austin' };
    const other = merge(BASE, edit(added), report('v2', { ...added, 'pickupAddress/city': 'Dallas' }));
    expect(other.collisions.map(({ name }) => name)).toEqual(['pickupAddress']);
    const same = merge(BASE, edit(added), report('v2', added));
    expect(same).toMatchObject({ collisions: [], mine: [] });
    expect(same.same).toHaveLength(2);
  });

  it('does not collide where somebody had seen what the others wrote', () => {
    const edits = edit({ 'destinationAddress/city': 'Hampton' }, { 'destinationAddress/city': 'Newport News' });
    const met = merge(BASE, edits, report('v2', { 'destinationAddress/city': 'Newport News' }));
    expect(met).toMatchObject({ collisions: [], mine: ['destinationAddress/city'] });
  });

  it.each([
    ['they removed it and I changed it', edit({ 'destinationAddress/city': 'Hampton' }), removed],
    ['I removed it and they changed it', edit(removed), { 'destinationAddress/city': 'Hampton' }],
  ])('collides as a whole when %s', (_, edits, theirs) => {
    const met = merge(BASE, edits, report('v2', theirs));
    expect(met).toMatchObject({ collisions: [{ name: 'destinationAddress' }], theirs: [], mine: [] });
  });

  it('is sent as a whole when the record no longer has it', () => {
    const edits = edit({ 'destinationAddress/city': 'Hampton' });
    const met = merge(BASE, edits, report('v2', removed));
    const [collision] = met.collisions;
    const left = resolve(met, edits, { destinationAddress: collision?.mine });
    expect(patchOf(left, met.current)).toEqual({
      destinationAddress: { streetAddress1: '9 Harbor Road', city: 'Hampton', state: 'VA', postalCode: '23503' },
    });
  });

  it('is cleared when all of it is removed, and patched by its changed parts otherwise', () => {
    expect(patchOf(edit(removed), BASE)).toEqual({ destinationAddress: null });
    expect(patchOf(edit({ 'destinationAddress/city': 'Hampton', estimatedWeight: null }), BASE)).toEqual({
      destinationAddress: { city: 'Hampton' },
      estimatedWeight: null,
    });
  });
});

describe('the word diff', () => {
  const [BEFORE, AFTER] = ['Please ring twice at the side door.', 'Please ring three times at the front door.'];

  it('keeps what is common', () => {
    const added = wordDiff(BEFORE, AFTER).filter(({ change }) => change === 'added');
    expect(added.map(({ text }) => text)).toEqual(['three times', 'front']);
  });

  it.each([
    [BEFORE, AFTER],
    ['', 'new'],
    ['old', ''],
    ['x '.repeat(3000), 'y '.repeat(3000)],
  ])('gives back both texts, also empty and very long ones', (before, after) => {
    const parts = wordDiff(before, after);
    const without = (unwanted: string) =>
      parts.flatMap(({ change, text }) => (change === unwanted ? [] : text)).join('');
    expect([without('added'), without('removed')]).toEqual([before, after]);
  });
});
