import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from '../../tools/archive/archive.js';
import { Month } from '../../tools/archive/month.js';
import type { Json } from '../support/http/api.js';
import { erased } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { ADDRESS, createAgent, createShipment } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

async function eventsOf(id: string): Promise<Json[]> {
  await allNumbered(service.sql);
  return (await service.api.get(`/v1/events?resourceID=${id}&limit=1000`)).body;
}

/** A shipment with an agent: created, changed in three ways, and deleted. */
async function deletedShipment(): Promise<Json> {
  const { api } = service;
  const shipment = await createShipment(api, { destinationAddress: ADDRESS });
  const path = `/v1/shipments/${shipment.id}`;
  await createAgent(api, {}, shipment);
  const { body: patched } = await api.patch(path, shipment.eTag, { estimatedWeight: 7 });
  await api.patch(`/prime${path}/updateStatus`, patched.eTag, { status: 'APPROVED' });
  const { body: current } = await api.get(path);
  const { destinationAddress: address } = current;
  await api.put(`/v1/mto-shipment/${shipment.id}/address/${address.id}`, current.eTag, { ...address, city: 'Salem' });
  await api.delete(path);
  return shipment;
}

test('an event has the version that it follows, which is null for a creation', async () => {
  const { id } = await deletedShipment();
  const versions = new Map<string, string | null>();
  const events = await eventsOf(id);
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'agent.created',
    'agent.deleted',
    'shipment.created',
    'shipment.deleted',
    'shipment.statusChanged',
    'shipment.updated',
    'shipment.updated',
  ]);
  for (const { data } of events) {
    expect(data.previousETag).toBe(versions.get(data.resourceID) ?? null);
    versions.set(data.resourceID, data.eTag);
  }
});

/** A move that was created, changed and deleted in three past months. */
async function oldMove(): Promise<string> {
  await service.sql.query(`SELECT prepare_history('2024-04-01', '2024-06-01')`);
  const { rows } = await service.sql.query<{ id: string }>(
    `INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, changed_at)
     SELECT id, 'move', id, type, e_tag, record, 'somebody', changed_at
     FROM (SELECT gen_random_uuid() AS id) AS move, (VALUES
       ('created', sha256('1'), '{"move_code": "AAAAAA"}'::jsonb, '2024-04-17Z'::timestamptz),
       ('updated', sha256('2'), '{"move_code": "AAAAAA", "remarks": "call first"}', '2024-05-17Z'),
       ('deleted', NULL, NULL, '2024-06-17Z')
     ) AS entry (type, e_tag, record, changed_at)
     RETURNING record_id AS id`,
  );
  await allNumbered(service.sql);
  return rows[0]?.id ?? '';
}

describe('where the entry before was archived', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-versions-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const moveOut = (before: string) =>
    archive(service.sql, { before: Month.parse(before), folder, dryRun: false, say: () => undefined });

  test('an event has neither the version that it follows nor the previous values', async () => {
    const id = await oldMove();
    const dataAfter = async () => (await eventsOf(id)).map(({ data }) => [data.previousETag, data.changes]);
    expect(await dataAfter()).toEqual([
      [null, [{ field: 'moveCode', from: null, to: 'AAAAAA' }]],
      [expect.any(String), [{ field: 'remarks', from: null, to: 'call first' }]],
      [
        expect.any(String),
        [
          { field: 'moveCode', from: 'AAAAAA', to: null },
          { field: 'remarks', from: 'call first', to: null },
        ],
      ],
    ]);
    await moveOut('2024-05');
    const { body: page } = await service.api.get(`/v1/moves/${id}/history`);
    const all = [
      { field: 'moveCode', to: 'AAAAAA' },
      { field: 'orderID', to: null },
      { field: 'remarks', to: 'call first' },
    ];
    expect(page.at(-1)).toMatchObject({ type: 'updated', changes: all });
    const rest = await eventsOf(id);
    expect(rest.map(({ data }) => 'previousETag' in data)).toEqual([false, true]);
    expect(rest[0]?.data.changes).toEqual(all);
  });
});

describe('where the entry before was erased', () => {
  test('an event has neither the version that it follows nor the previous values', async () => {
    const shipment = await createShipment(service.api);
    await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { estimatedWeight: 7 });
    await allNumbered(service.sql);
    await erased(service, { recordID: shipment.id });
    const events = await eventsOf(shipment.id);
    expect(events.map(({ type, data }) => [type, data.previousETag])).toEqual([
      ['shipment.created', null],
      ['shipment.updated', undefined],
      ['shipment.erased', undefined],
    ]);
    expect(events[1]?.data.changes).toContainEqual({ field: 'estimatedWeight', to: 7 });
  });

  test('an event still has it if only the author was erased', async () => {
    const shipment = await createShipment(service.api);
    await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { estimatedWeight: 7 });
    await allNumbered(service.sql);
    await erased(service, { subject: 'anonymous' });
    const [, updated] = await eventsOf(shipment.id);
    expect(updated?.data).toMatchObject({ previousETag: shipment.eTag, erased: true });
  });
});

test.each(['thin', 'full'])('a %s payload of a webhook has it, too', async (payload) => {
  await world.create({ payload, types: ['move.created', 'move.updated'] });
  const { body: move } = await service.api.post('/v1/moves', {});
  await service.api.patch(`/v1/moves/${move.id}`, move.eTag, { remarks: 'x' });
  await world.received(2);
  expect(world.receiver.received.map(({ event }) => event.data.previousETag)).toEqual([null, move.eTag]);
});
