import type { Client } from 'pg';
import { LAST_CHANGE } from '../../src/history/history-sql.js';
import { PastVersions } from '../../src/writes/past-versions.js';
import { untilBlocked, untilNoTransaction } from '../support/database/activity.js';
import { Api, type Answer, type Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { queriesDuring } from '../support/database/queries.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { startApp, startService, useService } from '../support/service/service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

const service = useService({ POOL_SIZE: '2' });
let other: Client;

beforeEach(async () => {
  other = await service.connect();
});
afterEach(() => other.end());

/** A shipment that was changed by somebody who is not this process, which therefore does not know that `stale` is past. */
async function changedElsewhere(): Promise<{ path: string; id: string; stale: string; current: Json }> {
  const { id, eTag: stale } = await createShipment(service.api);
  const path = `/v1/shipments/${id}`;
  await service.sql.query('UPDATE shipments SET estimated_weight = 100 WHERE id = $1', [id]);
  return { path, id, stale, current: (await service.api.get(path)).body };
}

/** Changes a shipment in a transaction that stays open. */
async function changeAndHold(id: string): Promise<void> {
  await other.query('BEGIN');
  await other.query('UPDATE shipments SET actual_weight = 7 WHERE id = $1', [id]);
}

test.each([
  ['when it is first looked at', 0],
  ['when it is known', 1],
])('a version that is past is refused while somebody else holds the row lock, %s', async (_, refusedBefore) => {
  const { path, id, stale, current } = await changedElsewhere();
  for (let turn = 0; turn < refusedBefore; turn += 1) await service.api.patch(path, stale, { estimatedWeight: 1 });
  await changeAndHold(id);
  const problem = expectProblem(
    await service.api.patch(path, stale, { estimatedWeight: 1 }),
    412,
    'PRECONDITION_FAILED',
  );
  expect(problem).toMatchObject({ currentETag: current.eTag, changes: [{ field: 'estimatedWeight', current: 100 }] });
  await other.query('ROLLBACK');
});

test('a version that is current waits for the row lock and is judged by what it finds then', async () => {
  const { path, id, current } = await changedElsewhere();
  await changeAndHold(id);
  const waiting = service.api.patch(path, current.eTag, { estimatedWeight: 1 });
  await untilBlocked(service.sql);
  await other.query('COMMIT');
  expectProblem(await waiting, 412, 'PRECONDITION_FAILED');
});

test('of the requests that name one version, one waits for the row lock and the others hold no connection', async () => {
  const { path, id, current } = await changedElsewhere();
  await changeAndHold(id);
  const writers = Array.from({ length: 20 }, (_, index) =>
    service.api.patch(path, current.eTag, { estimatedWeight: index + 1 }),
  );
  await untilBlocked(service.sql);
  expect((await service.api.get(path)).status).toBe(200);
  await other.query('ROLLBACK');
  const statuses = (await Promise.all(writers)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
});

test('a writer that waited for another one succeeds when that one was refused for its own reasons', async () => {
  const { path, id, current } = await changedElsewhere();
  await changeAndHold(id);
  const invalid = service.api.patch(path, current.eTag, { estimatedWeight: -1 });
  await untilBlocked(service.sql);
  const valid = service.api.patch(path, current.eTag, { estimatedWeight: 1 });
  await other.query('ROLLBACK');
  expect((await invalid).status).toBe(422);
  expect((await valid).status).toBe(200);
});

test('writers that waited for one that is rolled back open one transaction at a time', async () => {
  const { path, id, current } = await changedElsewhere();
  await changeAndHold(id);
  const refused = () => service.api.patch(path, current.eTag, { estimatedWeight: -1 });
  const first = refused();
  await untilBlocked(service.sql);
  const others = Array.from({ length: 8 }, refused);
  const sent = await queriesDuring(async () => {
    await other.query('ROLLBACK');
    for (const { status } of await Promise.all([first, ...others])) expect(status).toBe(422);
  });
  const steps = sent.flatMap(({ text }) => /^(BEGIN|ROLLBACK|COMMIT)/.exec(text)?.[0] ?? []);
  expect(steps.join(' ')).toBe(['ROLLBACK ROLLBACK', ...others.map(() => 'BEGIN ROLLBACK')].join(' '));
});

test('503 without a transaction for writers whose time is over before it is their turn', async () => {
  const busy = await startService({ POOL_SIZE: '8', ...timeoutsWithin(2000) });
  const { id, eTag } = await createShipment(busy.api);
  await busy.sql.query('BEGIN');
  await busy.sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [id]);
  let answers: Answer<Json>[] = [];
  const sent = await queriesDuring(async () => {
    const writers = Array.from({ length: 6 }, () => busy.api.patch(`/v1/shipments/${id}`, eTag, {}));
    answers = await Promise.all(writers);
  });
  await busy.sql.query('ROLLBACK');
  await busy.stop();
  for (const answer of answers) expectProblem(answer, 503, 'UNAVAILABLE');
  const begun = sent.filter(({ text }) => text === 'BEGIN').length;
  expect([1, 2]).toContain(begun);
});

test('a version that this process replaced is refused with reads alone, and the second time with one', async () => {
  const { path, current } = await changedElsewhere();
  await service.api.patch(path, current.eTag, { estimatedWeight: 200 });
  await untilNoTransaction(service.sql);
  const refused = () => service.api.patch(path, current.eTag, { estimatedWeight: 300 });
  const reads = { text: expect.stringMatching(/^\s*SELECT(?![^]*FOR (NO )?KEY)/) as string };
  for (const sent of await queriesDuring(refused)) expect(sent).toMatchObject(reads);
  expect(await queriesDuring(refused)).toMatchObject([reads]);
  expect(expectProblem(await refused(), 412, 'PRECONDITION_FAILED')).toMatchObject({
    changes: [{ field: 'estimatedWeight', base: 100, yours: 300, current: 200, conflicting: true }],
  });
});

test.each<[string, (shipment: Json) => Promise<unknown>]>([
  [
    'PATCH',
    ({ id, eTag }) => service.api.patch(`/v1/shipments/${id}`, eTag, { estimatedWeight: 7, pickupDate: '2026-03-01' }),
  ],
  [
    'PATCH of an address',
    ({ id, eTag }) => service.api.patch(`/v1/shipments/${id}`, eTag, { destinationAddress: { city: 'Rome' } }),
  ],
  [
    'PATCH without the address',
    ({ id, eTag }) => service.api.patch(`/v1/shipments/${id}`, eTag, { destinationAddress: null }),
  ],
  ['PATCH without a field', ({ id, eTag }) => service.api.patch(`/v1/shipments/${id}`, eTag, {})],
  ['PUT', ({ id, eTag }) => service.api.put(`/v1/shipments/${id}`, eTag, { shipmentType: '"' })],
  [
    'PUT address',
    ({ id, eTag, destinationAddress }) =>
      service.api.put(`/v1/mto-shipment/${id}/address/${destinationAddress.id}`, eTag, { ...ADDRESS, state: 'KY' }),
  ],
  [
    'updateStatus',
    ({ id, eTag }) =>
      service.api.patch(`/prime/v1/shipments/${id}/updateStatus`, eTag, {
        status: 'REJECTED',
        rejectionReason: 'late',
      }),
  ],
])(
  'a version that this process replaced by %s is explained as by a replica that has to search the history',
  async (_, write) => {
    const shipment = await createShipment(service.api, { destinationAddress: ADDRESS, estimatedWeight: 1 });
    await write(shipment);
    const stale = (api: Api) =>
      api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { estimatedWeight: 2 }, { 'X-Request-ID': 'same' });
    const replica = await startApp({ WEBHOOKS: 'off' }, service.databaseUrl);
    const expected = await stale(new Api(replica.url));
    await replica.app.close();
    let answer = {} as Answer<Json>;
    const sent = await queriesDuring(async () => (answer = await stale(service.api)));
    expect(expectProblem(answer, 412, 'PRECONDITION_FAILED')).toEqual(expected.body);
    expect(sent.map(({ text }) => text)).toEqual([expect.stringMatching(/FROM shipments r/), LAST_CHANGE.text]);
  },
);

test('a version between which and the current one somebody else wrote is searched in the history', async () => {
  const { path, id, current } = await changedElsewhere();
  const { body: next } = await service.api.patch(path, current.eTag, { estimatedWeight: 200 });
  await service.sql.query('UPDATE shipments SET actual_weight = 300 WHERE id = $1', [id]);
  const answer = await service.api.patch(path, current.eTag, { estimatedWeight: 400 });
  expect(expectProblem(answer, 412, 'PRECONDITION_FAILED').changes).toMatchObject([
    { field: 'estimatedWeight', base: 100, current: 200, changedBy: 'anonymous', changedAt: next.updatedAt },
    { field: 'actualWeight', base: null, current: 300, changedBy: 'sql:waybill' },
  ]);
});

test('what is remembered for one refusal is not told after a further change', async () => {
  const { path, current } = await changedElsewhere();
  const { body: next } = await service.api.patch(path, current.eTag, { estimatedWeight: 200 });
  await service.api.patch(path, current.eTag, { estimatedWeight: 300 });
  const { body: last } = await service.api.patch(path, next.eTag, { estimatedWeight: 400 });
  const answer = await service.api.patch(path, current.eTag, { estimatedWeight: 300 });
  expect(expectProblem(answer, 412, 'PRECONDITION_FAILED')).toMatchObject({
    currentETag: last.eTag,
    changes: [{ field: 'estimatedWeight', current: 400 }],
  });
});

test('a version that is past for one record is not so for another record with the same eTag', async () => {
  const [one, same] = [await createShipment(service.api), await createShipment(service.api)];
  await service.sql.query('SET session_replication_role = replica');
  await service.sql.query(`UPDATE shipments SET updated_at = '2030-01-01T00:00:00Z' WHERE id IN ($1, $2)`, [
    one.id,
    same.id,
  ]);
  await service.sql.query('RESET session_replication_role');
  const { eTag } = (await service.api.get(`/v1/shipments/${one.id}`)).body;
  expect((await service.api.patch(`/v1/shipments/${one.id}`, eTag, { estimatedWeight: 1 })).status).toBe(200);
  expect((await service.api.patch(`/v1/shipments/${one.id}`, eTag, { estimatedWeight: 1 })).status).toBe(412);
  expect((await service.api.patch(`/v1/shipments/${same.id}`, eTag, { estimatedWeight: 1 })).status).toBe(200);
});

test('a version that was taken for past by mistake is judged in a transaction and accepted', async () => {
  const { path, id, current } = await changedElsewhere();
  service.app.get(PastVersions).add(`shipment ${id} ${current.eTag}`);
  expect((await service.api.patch(path, current.eTag, { estimatedWeight: 1 })).status).toBe(200);
});

test('a record that is gone is 404 also for a version that is known to be past', async () => {
  const { path, stale } = await changedElsewhere();
  expect((await service.api.patch(path, stale, { estimatedWeight: 1 })).status).toBe(412);
  await service.api.delete(path);
  expectProblem(await service.api.patch(path, stale, { estimatedWeight: 1 }), 404, 'NOT_FOUND');
});
