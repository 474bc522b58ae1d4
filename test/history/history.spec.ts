import type { Json } from '../support/http/api.js';
import { walk } from '../support/http/paging.js';
import { ADDRESS, createAgent, createMove, createService, createShipment, KINDS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function historyOf(path: string): Promise<Json[]> {
  const { status, body } = await service.api.get(`${path}/history`);
  expect(status).toBe(200);
  return body;
}

test('each write to a shipment is an entry that says what, when, by whom and in which request', async () => {
  const { api } = service;
  const created = await createShipment(api, { destinationAddress: ADDRESS, estimatedWeight: 100 });
  const path = `/v1/shipments/${created.id}`;
  const patched = await api.patch(
    path,
    created.eTag,
    { destinationAddress: { city: 'Shelbyville' }, estimatedWeight: null },
    { 'X-Request-ID': 'the-patch' },
  );
  const addressPath = `/v1/mto-shipment/${created.id}/address/${created.destinationAddress.id}`;
  const address = await api.put(addressPath, patched.body.eTag, { ...ADDRESS, city: 'Ogdenville', country: 'US' });
  const approved = await api.patch(`/prime${path}/updateStatus`, address.body.eTag, { status: 'APPROVED' });

  const [status, put, patch, create, ...rest] = await historyOf(path);

  expect(rest).toEqual([]);
  expect(status).toEqual({
    type: 'statusChanged',
    resource: 'shipment',
    resourceID: created.id,
    eTag: approved.body.eTag,
    changedBy: 'anonymous',
    subject: 'anonymous',
    changedAt: approved.body.updatedAt,
    requestID: approved.headers.get('X-Request-ID'),
    changes: [{ field: 'status', from: 'SUBMITTED', to: 'APPROVED' }],
  });
  expect(put).toMatchObject({
    type: 'updated',
    eTag: address.body.eTag,
    changes: [
      { field: 'destinationAddress/city', from: 'Shelbyville', to: 'Ogdenville' },
      { field: 'destinationAddress/country', from: null, to: 'US' },
    ],
  });
  expect(patch).toMatchObject({ type: 'updated', eTag: patched.body.eTag, requestID: 'the-patch' });
  expect(patch.changes).toHaveLength(2);
  expect(patch.changes).toContainEqual({ field: 'estimatedWeight', from: 100, to: null });
  expect(patch.changes).toContainEqual({ field: 'destinationAddress/city', from: 'Springfield', to: 'Shelbyville' });
  expect(create).toMatchObject({ type: 'created', eTag: created.eTag });
  expect(create.changes).toContainEqual({ field: 'shipmentType', from: null, to: 'HHG' });
  expect(create.changes).toContainEqual({ field: 'destinationAddress/city', from: null, to: 'Springfield' });
});

test.each(KINDS)('exactly one entry for each accepted write to a $name, none for a refused one', async (kind) => {
  const record = await kind.create(service.api);
  const path = `${kind.path}/${record.id}`;
  const entries = async () => {
    const { rows } = await service.sql.query<{ type: string }>(
      'SELECT type FROM history WHERE record_id = $1 ORDER BY position',
      [record.id],
    );
    return rows.map(({ type }) => type);
  };
  expect(await entries()).toEqual(['created']);
  const patched = await service.api.patch(path, record.eTag, { [kind.optional]: 'x' });
  await service.api.patch(path, record.eTag, { [kind.optional]: 'stale' });
  await service.api.patch(path, patched.body.eTag, { nonsense: true });
  expect(await entries()).toEqual(['created', 'updated']);
  const replaced = await service.api.put(path, patched.body.eTag, kind.full);
  await service.api.patch(path, replaced.body.eTag, {});
  expect(await entries()).toEqual(['created', 'updated', 'updated', 'updated']);
  await service.api.delete(path);
  expect(await entries()).toEqual(['created', 'updated', 'updated', 'updated', 'deleted']);
});

test('the changes of agents and services stand in the history of their shipment', async () => {
  const shipment = await createShipment(service.api);
  const agent = await createAgent(service.api, {}, shipment);
  const item = await createService(service.api, {}, shipment);
  await service.api.patch(`/v1/agents/${agent.id}`, agent.eTag, { phone: '555-0100' });
  await service.api.delete(`/v1/services/${item.id}`);

  const entries = await historyOf(`/v1/shipments/${shipment.id}`);

  expect(entries.map(({ type, resource }) => `${resource} ${type}`)).toEqual([
    'service deleted',
    'agent updated',
    'service created',
    'agent created',
    'shipment created',
  ]);
  expect(entries[0].changes).toContainEqual({ field: 'code', from: 'PACK', to: null });
  expect(entries[1].changes).toEqual([{ field: 'phone', from: null, to: '555-0100' }]);
});

test('a history stays readable after DELETE, with what went along', async () => {
  const shipment = await createShipment(service.api);
  const agent = await createAgent(service.api, {}, shipment);
  const path = `/v1/shipments/${shipment.id}`;
  await service.api.delete(path);
  expect((await service.api.get(path)).status).toBe(404);
  const entries = await historyOf(path);
  expect(entries.map(({ type, resourceID }) => [type, resourceID])).toEqual(
    expect.arrayContaining([
      ['deleted', shipment.id],
      ['deleted', agent.id],
    ]),
  );
  expect(entries.find(({ type }) => type === 'deleted').eTag).toBeNull();
});

test('a move has its history under its id and its code', async () => {
  const move = await createMove(service.api, { remarks: 'first' });
  await service.api.patch(`/v1/moves/${move.id}`, move.eTag, { remarks: 'second' });
  const entries = await historyOf(`/v1/moves/${move.id}`);
  expect(entries[0].changes).toEqual([{ field: 'remarks', from: 'first', to: 'second' }]);
  expect(await historyOf(`/v1/moves/${move.moveCode}`)).toEqual(entries);
});

test('a history is paged like other lists', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  let { eTag } = shipment;
  for (let weight = 1; weight <= 6; weight += 1) {
    ({ eTag } = (await service.api.patch(path, eTag, { estimatedWeight: weight })).body);
  }
  const pages = await walk(service.api, `${path}/history?limit=3`);
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
  expect(pages.flat()).toEqual(await historyOf(path));
});

test('history has no constraint that PostgreSQL parses for each write', async () => {
  const { rows } = await service.sql.query(
    `SELECT conrelid::regclass, conname FROM pg_constraint
     WHERE conrelid IN (SELECT relid FROM pg_partition_tree('history')) AND contype = 'c'`,
  );
  expect(rows).toEqual([]);
});
