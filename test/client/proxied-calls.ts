import type { Agent, Move, Service, Shipment, WaybillClient } from '../../client/src/waybill.js';
import { ADDRESS } from '../support/records/records.js';

/** Records of its own for each call. */
export interface Own {
  readonly move: Move;
  readonly shipment: Shipment;
  readonly agent: Agent;
  readonly service: Service;
}

export type Call = (client: WaybillClient, own: Own) => Promise<unknown>;

const version = ({ eTag }: { readonly eTag: string }) => ({ ifMatch: eTag });
const addressOf = ({ id, destinationAddress }: Shipment) => ({
  shipmentID: id,
  addressID: destinationAddress?.id ?? '',
});
const APPROVED = { status: 'APPROVED' } as const;
const AGENT = { agentType: 'RECEIVING_AGENT', firstName: 'Ben', phone: '1' } as const;

export const WRITES: Readonly<Record<string, Call>> = {
  'moves.create': ({ moves }) => moves.create({ remarks: 'x' }),
  'moves.update': ({ moves }, { move }) => moves.update(move.id, { remarks: 'x' }),
  'moves.patch': ({ moves }, { move }) => moves.patch(move.id, { remarks: 'x' }, version(move)),
  'moves.replace': ({ moves }, { move }) => moves.replace(move.id, { remarks: 'x' }, version(move)),
  'moves.delete': ({ moves }, { move }) => moves.delete(move.id),
  'shipments.create': ({ shipments }) => shipments.create({ shipmentType: 'HHG' }),
  'shipments.update': ({ shipments }, { shipment }) => shipments.update(shipment, { actualWeight: 7 }),
  'shipments.patch': ({ shipments }, { shipment }) =>
    shipments.patch(shipment.id, { actualWeight: 7 }, { ...version(shipment), expand: ['agents'] }),
  'shipments.replace': ({ shipments }, { shipment }) =>
    shipments.replace(shipment.id, { shipmentType: 'X' }, version(shipment)),
  'shipments.delete': ({ shipments }, { shipment }) => shipments.delete(shipment.id, version(shipment)),
  'shipments.updateStatus': ({ shipments }, { shipment }) => shipments.updateStatus(shipment.id, APPROVED),
  'shipments.patchStatus': ({ shipments }, { shipment }) =>
    shipments.patchStatus(shipment.id, APPROVED, version(shipment)),
  'shipments.bulk': ({ shipments }, { shipment: { id, eTag } }) =>
    shipments.bulk([{ op: 'update', id, ifMatch: eTag, patch: { actualWeight: 7 } }]),
  'shipments.updateMany': async ({ shipments }, { shipment }) =>
    allDone(await shipments.updateMany([shipment], { actualWeight: 7 })),
  'shipments.updateStatusMany': async ({ shipments }, { shipment }) =>
    allDone(await shipments.updateStatusMany([shipment.id], APPROVED)),
  'addresses.update': ({ addresses }, { shipment }) => addresses.update(addressOf(shipment), { ...ADDRESS, city: 'B' }),
  'addresses.replace': ({ addresses }, { shipment }) =>
    addresses.replace(addressOf(shipment), { ...ADDRESS, city: 'B' }, version(shipment)),
  'agents.create': ({ agents }, { shipment }) => agents.create(shipment.id, AGENT),
  'agents.update': ({ agents }, { agent }) => agents.update(agent.id, { lastName: 'x' }),
  'agents.patch': ({ agents }, { agent }) => agents.patch(agent.id, { lastName: 'x' }, version(agent)),
  'agents.replace': ({ agents }, { agent }) => agents.replace(agent.id, AGENT, version(agent)),
  'agents.delete': ({ agents }, { agent }) => agents.delete(agent.id),
  'services.create': ({ services }, { shipment }) => services.create(shipment.id, { code: 'X' }),
  'services.update': (client, { service: { id } }) => client.services.update(id, { description: 'x' }),
  'services.patch': (client, { service: one }) => client.services.patch(one.id, { description: 'x' }, version(one)),
  'services.replace': (client, { service: one }) => client.services.replace(one.id, { code: 'X' }, version(one)),
  'services.delete': (client, { service: { id } }) => client.services.delete(id),
  'imports.upload': ({ imports }) => imports.upload('shipmentType\r\nHHG\r\n'),
  'webhooks.create': ({ webhooks }) => webhooks.create({ url: 'https://partner.example/hook', enabled: false }),
};

/** Many shipments that were not all changed are a rejection, whose error is that of the first one. */
function allDone({ refused, unknown }: { refused: readonly { error: Error }[]; unknown: readonly { error: Error }[] }) {
  const [first] = [...refused, ...unknown];
  if (first !== undefined) throw first.error;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const READS: Readonly<Record<string, Call>> = {
  'moves.get': ({ moves }, { move }) => moves.get(move.id),
  'moves.list': ({ moves }, { move }) => all(moves.list({ orderID: move.id })),
  'moves.history': ({ moves }, { move }) => all(moves.history(move.id)),
  'shipments.get': ({ shipments }, { shipment }) =>
    shipments.get(shipment.id, { expand: ['agents', 'services', 'move'] }),
  'shipments.list': ({ shipments }, { shipment }) => all(shipments.list({ moveID: shipment.moveID })),
  'shipments.export': ({ shipments }, { shipment }) => all(shipments.export({ moveID: shipment.moveID })),
  'shipments.export as a file': async ({ shipments }, { shipment }) =>
    new Response(await shipments.export({ moveID: shipment.moveID }).file('csv')).text(),
  'addresses.get': ({ addresses }, { shipment }) => addresses.get(addressOf(shipment)),
  'agents.list': ({ agents }, { shipment }) => all(agents.list(shipment.id)),
  'services.get': (client, { service: { id } }) => client.services.get(id),
  'events.list': async ({ events }, { move }) => {
    const { items } = await events.list({ resourceID: move.id }).page();
    return items.map(({ id }) => id);
  },
  overview: async (client) => (await client.overview({ from: '2020-01-01', to: '2020-01-02' })).days,
};
