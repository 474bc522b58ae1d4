import type { Json } from '../../../test/support/http/api.js';
import { CHILDREN, childrenOf } from '../../../test/support/records/records.js';
import { json, type Client } from './client.js';
import type { Sent } from './wire.js';

/** A record of each kind that refused requests are about: none of them changes it. */
export interface Fixture {
  readonly move: Json;
  readonly shipment: Json;
  /** Another shipment, whose parts do not belong to the first. */
  readonly other: Json;
  /** Of the first shipment, by the name of their kind. */
  readonly children: Readonly<Record<string, Json>>;
  /** The deletion of a record of each kind, by the name of the kind. */
  readonly deletions: Readonly<Record<string, Json>>;
}

export const ADDRESS = { streetAddress1: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };
const SHIPMENT = {
  shipmentType: 'HHG',
  deliveryDate: '2026-04-01',
  pickupAddress: ADDRESS,
  destinationAddress: ADDRESS,
};

export async function plant(client: Client): Promise<Fixture> {
  const create = (path: string, body: object) => created(client, path, body);
  const move = await patched(client, await create('/v1/moves', { orderID: 'A-1' }));
  const shipment = await create('/v1/shipments', { ...SHIPMENT, moveID: move.id });
  const other = await create('/v1/shipments', { ...SHIPMENT, moveID: move.id });
  const children: Record<string, Json> = {};
  for (const kind of CHILDREN) {
    children[kind.name] = await create(childrenOf(shipment, kind), kind.full);
    // Of everything there are two, so that a page of one has another after it.
    await create(childrenOf(shipment, kind), kind.body);
  }
  const deletions = {
    move: await deletionOf(client, '/v1/moves', {}),
    shipment: await deletionOf(client, '/v1/shipments', { ...SHIPMENT, moveID: move.id }),
    ...Object.fromEntries(
      await inTurn(CHILDREN, async (kind) => [kind.name, await deletionOf(client, childrenOf(other, kind), kind.body)]),
    ),
  };
  return { move, shipment, other, children, deletions };
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Creates a record, deletes it, and returns the deletion. */
async function deletionOf(client: Client, path: string, body: object): Promise<Json> {
  const { id } = await created(client, path, body);
  await client.send({ method: 'DELETE', path: `/v1/${path.slice(path.lastIndexOf('/') + 1)}/${id}` });
  const { body: deletions } = await client.send({ method: 'GET', path: '/v1/deletions?limit=200' });
  return deletions.find(({ resourceID }: Json) => resourceID === id);
}

/** With a second version, so that its history has two entries. */
async function patched(client: Client, move: Json): Promise<Json> {
  const content = json({ remarks: 'Fragile' }, { 'If-Match': move.eTag });
  const answer = await client.send({ method: 'PATCH', path: `/v1/moves/${move.id}`, ...content });
  client.expect('valid data is accepted', answer, answer.status === 200, 'not changed');
  return answer.body;
}

/** Takes up the versions that its records have now, after a request was accepted that should not have been. */
export async function refresh(client: Client, { move, shipment, other, children }: Fixture): Promise<void> {
  const records = { move, shipment, other, ...children };
  for (const [name, record] of Object.entries(records)) {
    record.firstETag ??= record.eTag;
    const collection = name === 'other' ? 'shipments' : `${name}s`;
    const { status, body } = await client.send({ method: 'GET', path: `/v1/${collection}/${record.id}` });
    if (status === 200) Object.assign(record, body);
  }
}

/** A request that was made for the first version of a record, made for the present one. */
export function upToDate(sent: Sent, { move, shipment, children }: Fixture): Sent {
  const named = sent.headers?.['If-Match'];
  const record = [move, shipment, ...Object.values(children)].find(
    ({ firstETag }) => firstETag !== undefined && firstETag === named,
  );
  return record === undefined ? sent : { ...sent, headers: { ...sent.headers, 'If-Match': record.eTag } };
}

/** A record to work on. */
export async function created(client: Client, path: string, body: object): Promise<Json> {
  const answer = await client.send({ method: 'POST', path, ...json(body) });
  client.expect('valid data is accepted', answer, answer.status === 201, 'not created');
  return answer.body;
}

/** The path of an operation on the records of the fixture, and the version of the record that it is about. */
export function placeOf(template: string, fixture: Fixture): { readonly path: string; readonly eTag: string } {
  const { move, shipment, children, deletions } = fixture;
  const [, name = ''] = /\{(\w+)ID\}\/undelete$/.exec(template) ?? [];
  const deletion = deletions[name];
  if (deletion !== undefined) {
    return { path: template.replace(/\{\w+\}/, deletion.resourceID), eTag: deletion.deletionETag };
  }
  const names: Record<string, string> = {
    ...Object.fromEntries(Object.entries(children).map(([name, { id }]) => [`${name}ID`, id])),
    moveID: move.id,
    shipmentID: shipment.id,
    addressID: shipment.pickupAddress.id,
    code: 'NOT_FOUND',
  };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => names[parameter] ?? '');
  const record = [move, ...Object.values(children)].find(({ id }) => path.endsWith(`/${id}`)) ?? shipment;
  return { path, eTag: record.eTag };
}
