import type { Json } from '../support/http/api.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { allIndexed, allNumbered } from '../support/records/events.js';
import { applied, csvOf, imported, resultOf, rowsOf } from '../support/records/imports.js';
import { expectProblem } from '../support/http/problem.js';
import { RawStream } from '../support/http/raw-stream.js';
import { ADDRESS, createAgent, createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '2' });

/** Nobody else in the database has it. */
const SECRET = 'Q7-Zebedee';

async function changed({ id, eTag }: Json, fields: object): Promise<Json> {
  const { status, body } = await service.api.patch(`/v1/shipments/${id}`, eTag, fields);
  expect(status).toBe(200);
  return body;
}

/** A shipment that had the secret in three versions, two of which are former ones. */
async function shipmentWithPast(): Promise<{ versions: Json[]; path: string; id: string }> {
  const created = await createShipment(service.api, { customerRemarks: SECRET, destinationAddress: ADDRESS });
  const second = await changed(created, { customerRemarks: `${SECRET} again` });
  const current = await changed(second, { customerRemarks: null, estimatedWeight: 7 });
  return { versions: [created, second, current], path: `/v1/shipments/${created.id}`, id: created.id };
}

async function events(): Promise<Json[]> {
  await allNumbered(service.sql);
  return (await service.api.get('/v1/events?limit=1000')).body;
}

const history = async (path: string) => (await service.api.get<Json[]>(`${path}/history`)).body;
const shown = (entries: Json[]) => entries.map(({ type, resource, erased: is }) => [resource, type, is]);

test('a deleted shipment and what belonged to it: nothing is left of its values, every entry and event is in its place', async () => {
  const shipment = await createShipment(service.api, { customerRemarks: SECRET, pickupAddress: ADDRESS });
  const path = `/v1/shipments/${shipment.id}`;
  await createAgent(service.api, { firstName: SECRET }, shipment);
  await service.api.delete(path);
  const other = await createMove(service.api, { remarks: 'stays' });
  const [entriesBefore, before] = [await history(path), await events()];
  expect(await tablesWith(service.sql, SECRET)).toEqual(['deletions', expect.stringMatching(/^history_/)]);

  const counts = await erased(service, { recordID: shipment.id }, { requestedBy: 'the officer' });

  expect(counts).toMatchObject({ entries: 4, importRows: 0, keptAnswers: 0 });
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  const entries = await history(path);
  expect(shown(entries.slice(0, 2)).sort()).toEqual([
    ['agent', 'erased', undefined],
    ['shipment', 'erased', undefined],
  ]);
  expect(entries.slice(2)).toEqual(entriesBefore.map((entry) => ({ ...entry, changes: [], erased: true })));
  expect(entries[0]).toMatchObject({ changedBy: 'the officer', eTag: null, changes: [] });

  const after = await events();
  expect(after.map(({ sequence }) => Number(sequence))).toEqual(after.map((_, index) => index + 1));
  expect(after.slice(0, before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  for (const [index, event] of before.entries()) {
    const isErased = event.data.shipmentID === shipment.id;
    // A creation follows no version; the entries before the others are erased.
    const previousETag = event.data.previousETag === null ? null : undefined;
    const data = isErased ? { ...event.data, previousETag, changes: [], erased: true } : event.data;
    expect(after[index]).toEqual({ ...event, data });
  }
  expect(after.slice(before.length).map(({ type, data }) => [type, data.shipmentID, data.moveID])).toEqual([
    [expect.stringMatching(/^(agent|shipment)\.erased$/), shipment.id, shipment.moveID],
    [expect.stringMatching(/^(agent|shipment)\.erased$/), shipment.id, shipment.moveID],
  ]);
  const filtered = await service.api.get(`/v1/events?limit=1000&moveID=${shipment.moveID}`);
  expect(filtered.body).toEqual(after.filter(({ data }) => data.moveID === shipment.moveID));
  expect((await service.api.get(`/v1/events?after=${before[0].id}&limit=1000`)).body).toEqual(after.slice(1));
  expect((await service.api.get(`/v1/moves/${other.id}`)).body).toEqual(other);
});

test('words that the index still has are gone, too', async () => {
  const { id } = await createShipment(service.api, { customerRemarks: SECRET });
  await allIndexed(service.sql);
  const indexed = async () => (await service.sql.query('SELECT FROM search WHERE id = $1', [id])).rowCount;
  await service.sql.query(`SELECT pg_advisory_lock(hashtext('number_events'))`);
  try {
    await service.api.delete(`/v1/shipments/${id}`);
    expect(await indexed()).toBe(1);
    await erased(service, { recordID: id });
    expect(await indexed()).toBe(0);
  } finally {
    await service.sql.query('SELECT pg_advisory_unlock_all()');
  }
});

test('a record that exists keeps its current version, and its former ones are erased', async () => {
  const { versions, path, id } = await shipmentWithPast();
  const [first, second, current] = versions;

  const { entries, said } = await erased(service, { recordID: id });

  expect(entries).toBe(2);
  expect(said).toContain('The shipment still exists, so its current version is kept.');
  expect((await service.api.get(path)).body).toEqual(current);
  expect(shown(await history(path))).toEqual([
    ['shipment', 'erased', undefined],
    ['shipment', 'updated', undefined],
    ['shipment', 'updated', true],
    ['shipment', 'created', true],
  ]);
  const [, newest] = await history(path);
  expect(newest.changes).toContainEqual({ field: 'estimatedWeight', to: 7 });
  expect(newest.changes.every((change: Json) => !('from' in change))).toBe(true);

  for (const version of [first, second]) {
    expectProblem(await service.api.get(`${path}?version=${version.eTag}`), 410, 'ERASED');
    const refused = await service.api.patch(path, version.eTag, { customerRemarks: 'mine' });
    const problem = expectProblem(refused, 412, 'PRECONDITION_FAILED');
    expect(problem).toMatchObject({ currentETag: current.eTag, erased: true });
    expect(problem.changes).toBeUndefined();
    expect(problem.detail).toContain('The values of that version were erased');
  }
  expect((await service.api.get(`${path}?version=${current.eTag}`)).body).toEqual(current);

  const next = await changed(current, { estimatedWeight: 8 });
  expect((await history(path))[0].changes).toEqual([{ field: 'estimatedWeight', from: 7, to: 8 }]);
  const stale = await service.api.patch(path, current.eTag, { actualWeight: 1 });
  expect(stale.body.changes).toEqual([expect.objectContaining({ field: 'estimatedWeight', base: 7, current: 8 })]);
  expect(stale.body.changes[0].changedBy).toBe('anonymous');
  expect(next.eTag).toBe(stale.body.currentETag);
});

test('an agent alone, without its shipment', async () => {
  const shipment = await createShipment(service.api, { customerRemarks: 'stays' });
  const agent = await createAgent(service.api, { firstName: SECRET }, shipment);
  await service.api.delete(`/v1/agents/${agent.id}`);
  expect(await erased(service, { recordID: agent.id })).toMatchObject({ entries: 2 });
  expect(shown(await history(`/v1/shipments/${shipment.id}`))).toEqual([
    ['agent', 'erased', undefined],
    ['agent', 'deleted', true],
    ['agent', 'created', true],
    ['shipment', 'created', undefined],
  ]);
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
});

test('a second erasure finds data written since, and announces it again', async () => {
  const { versions, id } = await shipmentWithPast();
  await erased(service, { recordID: id });
  expect(await erased(service, { recordID: id })).toMatchObject({ entries: 0 });
  await changed(versions[2], { customerRemarks: SECRET });
  await service.api.delete(`/v1/shipments/${id}`);
  expect(await erased(service, { recordID: id })).toMatchObject({ entries: 3 });
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  const types = (await events()).filter(({ data }) => data.resourceID === id).map(({ type }) => type);
  expect(types.filter((type) => type === 'shipment.erased')).toHaveLength(2);
});

test('a stream that reads from memory no longer has the values, and hears of the erasure', async () => {
  await createMove(service.api);
  const begin = (await events()).at(-1).id;
  const follower = await RawStream.open(service, '/v1/events/stream?after=now').opened();
  const { id } = await shipmentWithPast();
  await follower.until((stream) => stream.count >= 4, 'the changes');
  await erased(service, { recordID: id });
  await follower.until((stream) => stream.events.some(({ type }) => type === 'shipment.erased'), 'the erasure');
  const late = await RawStream.open(service, `/v1/events/stream?after=${begin}`).opened();
  await late.until((stream) => stream.events.some(({ type }) => type === 'shipment.erased'), 'the erasure');
  expect(late.body).not.toContain(SECRET);
  expect(late.events.filter(({ data }) => data.erased === true)).toHaveLength(2);
  late.close();
  follower.close();
});

test('a kept answer is gone, and the request is not done a second time', async () => {
  const headers = { 'Idempotency-Key': 'key-of-an-erased-answer' };
  const post = () => service.api.post('/v1/shipments', { shipmentType: 'HHG', customerRemarks: SECRET }, headers);
  const { body: shipment } = await post();
  await service.api.delete(`/v1/shipments/${shipment.id}`);
  expect(await erased(service, { recordID: shipment.id })).toMatchObject({ entries: 2, keptAnswers: 1 });
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  expect(expectProblem(await post(), 410, 'ERASED').erased).toBe(true);
  expect((await service.api.get('/v1/shipments?limit=1')).body[0]?.customerRemarks).not.toBe(SECRET);
  const { rows } = await service.sql.query('SELECT FROM shipments WHERE customer_remarks = $1', [SECRET]);
  expect(rows).toEqual([]);
});

describe('of an import', () => {
  const COLUMNS = ['id', 'eTag', 'customerRemarks'];

  /** An import with a row for a shipment that others changed since, and one for another shipment. */
  async function conflictingImport(): Promise<{ shipment: Json; other: Json; ready: Json }> {
    const [base, other] = [
      await createShipment(service.api, { customerRemarks: `${SECRET} base` }),
      await createShipment(service.api),
    ];
    const shipment = await changed(base, { customerRemarks: SECRET });
    const file = csvOf(COLUMNS, [
      [base.id, base.eTag, `${SECRET} mine`],
      [other.id, '0'.repeat(64), 'kept'],
    ]);
    return { shipment, other, ready: await imported(service.api, file) };
  }

  test('a refused row keeps its place and its code, and nothing of its values', async () => {
    const { shipment, other, ready } = await conflictingImport();
    const [{ shipmentCode, ...before } = {} as Json] = await rowsOf(service.api, ready);
    expect(before).toMatchObject({ outcome: 'refused', code: 'PRECONDITION_FAILED' });
    expect(shipmentCode).toBe(shipment.shipmentCode);
    await service.api.delete(`/v1/shipments/${shipment.id}`);

    expect(await erased(service, { recordID: shipment.id })).toMatchObject({ importRows: 1 });

    expect(await tablesWith(service.sql, SECRET)).toEqual([]);
    const [row, kept] = await rowsOf(service.api, ready);
    expect(row).toEqual({
      ...before,
      changes: [],
      detail: 'The values of this row were erased.',
      faults: [{ column: 'eTag', code: 'PRECONDITION_FAILED', message: 'The values of this row were erased.' }],
      erased: true,
    });
    expect(kept).toMatchObject({ resourceID: other.id, outcome: 'refused' });
    const result = await resultOf(service.url, ready);
    expect(result).toContain(other.id);
    expect(result).not.toContain(shipment.id);
  });

  test('a row that is still to be written is refused, and the others are written', async () => {
    const [shipment, other] = [await createShipment(service.api), await createShipment(service.api)];
    const file = csvOf(COLUMNS, [
      [shipment.id, shipment.eTag, SECRET],
      [other.id, other.eTag, 'written'],
    ]);
    const ready = await imported(service.api, file);
    expect(ready).toMatchObject({ toChange: 2 });
    expect(await erased(service, { recordID: shipment.id })).toMatchObject({ entries: 0, importRows: 1 });
    expect(await applied(service.api, ready)).toMatchObject({ changed: 1, refused: 1 });
    const [row] = await rowsOf(service.api, ready);
    expect(row).toMatchObject({ outcome: 'refused', code: 'ERASED', changes: [], erased: true });
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
    expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  });

  test('a row that names an erased version is refused in the dry run', async () => {
    const shipment = await createShipment(service.api, { customerRemarks: SECRET });
    const current = await changed(shipment, { customerRemarks: null });
    await erased(service, { recordID: shipment.id });
    const file = csvOf([...COLUMNS, 'estimatedWeight'], [[shipment.id, shipment.eTag, '', 12]]);
    const [row] = await rowsOf(service.api, await imported(service.api, file));
    expect(row).toMatchObject({ outcome: 'refused', code: 'PRECONDITION_FAILED' });
    expect(row.detail).toContain('The values of that version were erased');
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body.eTag).toBe(current.eTag);
  });
});
