import type { Json } from '../support/http/api.js';
import { applied, csvOf, imported, rowsOf } from '../support/records/imports.js';
import { countQueries, queriesDuring } from '../support/database/queries.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** Conflicts are explained together: many of them take as many statements as one. */
const service = useService();

interface Rival {
  /** The shipment before somebody else changed it. */
  readonly stale: Json;
  readonly current: Json;
}

async function rivals(count: number): Promise<Rival[]> {
  const made: Rival[] = [];
  for (let number = 0; number < count; number += 1) {
    const stale = await createShipment(service.api, { customerRemarks: 'before', actualWeight: 1 });
    const patch = { customerRemarks: `theirs ${number}` };
    const { body: current } = await service.api.patch(`/v1/shipments/${stale.id}`, stale.eTag, patch);
    made.push({ stale, current });
  }
  return made;
}

const MANY = 8;

function fileOf(conflicts: readonly Rival[]): string {
  return csvOf(
    ['id', 'eTag', 'customerRemarks'],
    conflicts.map(({ stale }) => [stale.id, stale.eTag, 'ours']),
  );
}

function bulkOf(conflicts: readonly Rival[], atomic: boolean): object {
  const items = conflicts.map(({ stale: { id, eTag } }) => {
    return { op: 'update', id, ifMatch: eTag, patch: { customerRemarks: 'ours' } };
  });
  return { atomic, items };
}

async function statementsFor(
  work: (conflicts: readonly Rival[]) => Promise<void>,
): Promise<[one: number, many: number]> {
  const [one, many] = [await rivals(1), await rivals(MANY)];
  return [await countQueries(() => work(one)), await countQueries(() => work(many))];
}

test('a dry run takes as many statements for many conflicts as for one, and each row has its own', async () => {
  const [one, many] = await statementsFor(async (conflicts) => {
    const ready = await imported(service.api, fileOf(conflicts));
    expect(ready.refused).toBe(conflicts.length);
    const rows = await rowsOf(service.api, ready);
    expect(rows.map(({ resourceID }) => resourceID)).toEqual(conflicts.map(({ stale }) => stale.id));
    const change = { field: 'customerRemarks', from: 'before', to: 'ours' };
    expect(rows.map(({ changes }) => changes[0])).toMatchObject(
      conflicts.map(({ current }) => ({ ...change, current: current.customerRemarks })),
    );
  });
  expect(many).toBe(one);
});

test.each([
  ['all or nothing', true, 409],
  ['each for itself', false, 207],
])('a bulk, %s, takes as many statements for many conflicts as for one', async (_, atomic, expected) => {
  const [one, many] = await statementsFor(async (conflicts) => {
    const { status, body } = await service.api.post('/v1/shipments/bulk', bulkOf(conflicts, atomic));
    expect(status).toBe(expected);
    const found = body.items.map(({ problem }: Json) => [problem.currentETag, problem.changes[0].current]);
    expect(found).toEqual(conflicts.map(({ current }) => [current.eTag, current.customerRemarks]));
  });
  expect(many).toBe(one);
});

test('applying reads history once for many conflicts', async () => {
  const conflicts = await rivals(MANY);
  const columns = ['id', 'eTag', 'actualWeight'];
  const file = csvOf(
    columns,
    conflicts.map(({ current }) => [current.id, current.eTag, 2]),
  );
  const ready = await imported(service.api, file);
  expect(ready.toChange).toBe(MANY);
  const ids = conflicts.map(({ stale }) => stale.id);
  await service.sql.query('UPDATE shipments SET actual_weight = 3 WHERE id = ANY ($1)', [ids]);
  // How often the test asks whether the import is applied varies; that does not read history.
  const sent = await queriesDuring(async () => expect((await applied(service.api, ready)).refused).toBe(MANY));
  expect(sent.filter(({ text }) => text.includes('FROM history'))).toHaveLength(1);
});
