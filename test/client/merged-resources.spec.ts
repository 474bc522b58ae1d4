import { WaybillClient } from '../../client/src/waybill.js';
import { createAgent, createMove, createShipment } from '../support/records/records.js';
import { LOOPBACK } from '../support/records/webhooks.js';
import type { Api, Json } from '../support/http/api.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
let client: WaybillClient;
beforeAll(() => {
  client = new WaybillClient({ baseUrl: service.url });
});

interface Resource {
  readonly create: (api: Api) => Promise<Json>;
  /** A change of others, and one's own of another field. */
  readonly theirs: object;
  readonly mine: object;
}

async function createWebhook(api: Api): Promise<Json> {
  const types = ['shipment.created', 'shipment.updated'];
  return (await api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', types, enabled: false })).body;
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  moves: { create: (api) => createMove(api), theirs: { remarks: 'theirs' }, mine: { orderID: 'mine' } },
  shipments: {
    create: (api) => createShipment(api),
    theirs: { customerRemarks: 'theirs' },
    mine: { estimatedWeight: 7 },
  },
  agents: { create: (api) => createAgent(api), theirs: { lastName: 'Theirs' }, mine: { firstName: 'Mine' } },
  services: {
    create: async (api) =>
      (await api.post(`/v1/shipments/${(await createShipment(api)).id}/services`, { code: 'PACK' })).body,
    theirs: { description: 'theirs' },
    mine: { code: 'MINE' },
  },
  webhooks: {
    create: createWebhook,
    theirs: { description: 'theirs' },
    mine: { payload: 'full' },
  },
};

test.each(Object.entries(RESOURCES))(
  'after a 412 a record of %s is the one that a fresh read has',
  async (name, one) => {
    const { id } = await one.create(service.api);
    const path = `/v1/${name}/${id}`;
    const resource = client[name as 'moves'];
    const shown = await resource.get(id);
    await service.api.patch(path, '*', one.theirs);
    const seen: Json[] = [];
    await resource.update(shown, async (given) => {
      const { updatedAt: _, ...fresh } = (await service.api.get(path)).body;
      seen.push({ given, fresh });
      return one.mine;
    });
    expect(seen).toHaveLength(2);
    const [, { given = {}, fresh } = {}] = seen as readonly Partial<Record<'given' | 'fresh', Json>>[];
    const { updatedAt: _, ...merged } = given;
    expect(merged).toEqual(fresh);
    expect((await service.api.get(path)).body).toMatchObject({ ...one.theirs, ...one.mine });
  },
);

test('adding a type to a webhook after somebody else changed it keeps the others', async () => {
  const { id } = await createWebhook(service.api);
  const shown = await client.webhooks.get(id);
  await service.api.patch(`/v1/webhooks/${id}`, '*', { description: 'theirs' });
  const updated = await client.webhooks.update(shown, ({ types }) => ({
    types: [...(types ?? []), 'shipment.deleted'] as never,
  }));
  expect(updated.types).toEqual(['shipment.created', 'shipment.updated', 'shipment.deleted']);
});
