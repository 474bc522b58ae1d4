import type { Json } from '../support/api.js';
import { json, type Client } from './client.js';

/** A record of each kind that refused requests are about: none of them changes it. */
export interface Fixture {
  readonly move: Json;
  readonly shipment: Json;
  /** Another shipment, whose parts do not belong to the first. */
  readonly other: Json;
  readonly agent: Json;
  readonly service: Json;
}

export const ADDRESS = { streetAddress1: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };
const SHIPMENT = { shipmentType: 'HHG', pickupAddress: ADDRESS, destinationAddress: ADDRESS };

export async function plant(client: Client): Promise<Fixture> {
  const create = (path: string, body: object) => created(client, path, body);
  const move = await create('/v1/moves', { orderID: 'A-1' });
  const shipment = await create('/v1/shipments', { ...SHIPMENT, moveID: move.id });
  const other = await create('/v1/shipments', { ...SHIPMENT, moveID: move.id });
  const agent = await create(`/v1/shipments/${shipment.id}/agents`, {
    agentType: 'RELEASING_AGENT',
    firstName: 'Ada',
    email: 'ada@example.com',
    phone: '555-0100',
  });
  const service = await create(`/v1/shipments/${shipment.id}/services`, { code: 'PACK' });
  return { move, shipment, other, agent, service };
}

/** A record to work on. */
export async function created(client: Client, path: string, body: object): Promise<Json> {
  const answer = await client.send({ method: 'POST', path, ...json(body) });
  client.expect('valid data is accepted', answer, answer.status === 201, 'not created');
  return answer.body;
}

/** The path of an operation on the records of the fixture, and the version of the record that it is about. */
export function placeOf(template: string, fixture: Fixture): { readonly path: string; readonly eTag: string } {
  const { move, shipment, agent, service } = fixture;
  const names: Record<string, string> = {
    moveID: move.id,
    shipmentID: shipment.id,
    addressID: shipment.pickupAddress.id,
    agentID: agent.id,
    serviceID: service.id,
    code: 'NOT_FOUND',
  };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
  const record = [move, agent, service].find(({ id }) => path.endsWith(`/${id}`)) ?? shipment;
  return { path, eTag: record.eTag };
}
