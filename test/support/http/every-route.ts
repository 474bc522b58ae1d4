import type { Answer, Api, Json } from './api.js';
import { conflictingImport } from '../records/imports.js';
import { ADDRESS, CHILDREN, childrenOf, createMove, createShipment } from '../records/records.js';

export interface RouteCall {
  readonly about: string;
  readonly expected: number;
  run(): Promise<Answer<Json>>;
}

type Send = (path: string) => Promise<Answer<Json>>;

/** One successful call of every route, in an order in which each finds the records it needs. */
export async function routeCalls(api: Api): Promise<RouteCall[]> {
  const [move, other] = [await createMove(api), await createMove(api)];
  const shipment = await createShipment(api, { moveID: move.id, pickupAddress: ADDRESS });
  const children = await Promise.all(
    CHILDREN.map(async (kind) => ({ kind, id: (await kind.create(api, {}, shipment)).id as string })),
  );
  const of = (path: string, sends: [string, number, Send][]): RouteCall[] =>
    sends.map(([method, expected, send]) => ({ about: `${method} ${path}`, expected, run: () => send(path) }));
  const get = (path: string) => api.get(path);
  const read: [string, number, Send] = ['GET', 200, get];
  const remove: [string, number, Send] = ['DELETE', 204, (path) => api.delete(path)];
  const post = (body: object): [string, number, Send] => [
    'POST',
    201,
    (path) => api.post(path, body, { 'Idempotency-Key': crypto.randomUUID() }),
  ];
  const patch = (body: object): [string, number, Send] => ['PATCH', 200, (path) => api.patch(path, '*', body)];
  const put = (body: object): [string, number, Send] => ['PUT', 200, (path) => api.put(path, '*', body)];
  const undelete: [string, number, Send] = [
    'POST',
    200,
    (path) => api.send('POST', path, undefined, { 'If-Match': '*' }),
  ];
  const bulk: [string, number, Send] = [
    'POST',
    200,
    (path) => {
      const items = [
        { op: 'update', id: shipment.id, ifMatch: '*', patch: { customerRemarks: 'z' } },
        { op: 'create', values: { shipmentType: 'HHG', moveID: other.id } },
      ];
      return api.post(path, { items }, { 'Idempotency-Key': crypto.randomUUID() });
    },
  ];
  const file: [string, number, Send] = [
    'POST',
    201,
    (path) => api.post(path, 'shipmentType\r\nHHG\r\n', { 'Content-Type': 'text/csv' }),
  ];
  const rotate: [string, number, Send] = ['POST', 200, (path) => api.send('POST', path)];
  const newKey = { name: 'x', scopes: ['moves:read'] };
  const { id: keyID } = (await post(newKey)[2]('/v1/keys')).body;
  const { id: importID } = (await file[2]('/v1/imports')).body;
  const { id: refusedID } = await conflictingImport(api);
  return [
    ...of('/v1/moves', [read, post({})]),
    ...of(`/v1/moves/${move.id}`, [read, patch({ remarks: 'x' }), put({ remarks: 'y' })]),
    ...of(`/v1/moves/${move.moveCode}/history`, [read]),
    ...of(`/v1/shipments?expand=${CHILDREN.map(({ name }) => `${name}s`).join()},move`, [read]),
    ...of('/v1/shipments', [post({ shipmentType: 'HHG' })]),
    ...of('/prime/v1/shipments', [post({ shipmentType: 'HHG' })]),
    ...of(`/v1/shipments/${shipment.id}`, [read, patch({ customerRemarks: 'x' })]),
    ...of(`/v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`, [read, put(ADDRESS)]),
    ...of(`/v1/shipments/${shipment.id}`, [put({ shipmentType: 'NTS' })]),
    ...of(`/prime/v1/shipments/${shipment.id}/updateStatus`, [patch({ status: 'APPROVED' })]),
    ...children.flatMap(({ kind, id }) => [
      ...of(childrenOf(shipment, kind), [read, post(kind.full)]),
      ...of(`${kind.path}/${id}`, [read, patch({ [kind.optional]: 'x' }), put(kind.body), remove]),
    ]),
    ...of('/v1/shipments/bulk', [bulk]),
    ...of('/v1/imports', [file]),
    ...of(`/v1/imports/${importID}`, [read]),
    ...of(`/v1/imports/${importID}/rows`, [read]),
    ...of(`/v1/imports/${importID}/apply`, [['POST', 202, (path) => api.send('POST', path)]]),
    ...of(`/v1/imports/${importID}/result`, [read]),
    ...of(`/v1/imports/${refusedID}/settle?line=2`, [['POST', 200, (path) => api.send('POST', path)]]),
    ...of(`/v1/shipments/${shipment.id}/history`, [read]),
    ...of(`/v1/shipments/${shipment.id}`, [remove]),
    ...of(`/v1/moves/${move.id}`, [remove]),
    ...of('/v1/deletions', [read]),
    ...of(`/v1/moves/${move.id}/undelete`, [undelete]),
    ...of(`/v1/shipments/${shipment.id}/undelete`, [undelete]),
    ...children.flatMap(({ kind, id }) => of(`${kind.path}/${id}/undelete`, [undelete])),
    ...of('/v1/keys', [read, post(newKey)]),
    ...of(`/v1/keys/${keyID}`, [read, patch({ name: 'y' }), put(newKey)]),
    ...of(`/v1/keys/${keyID}/rotateKey`, [rotate]),
    ...of(`/v1/keys/${keyID}`, [remove]),
    ...of(`/v1/keys/${keyID}/history`, [read]),
    ...of('/v1/events', [read]),
    ...of('/health/live', [read]),
    ...of('/health/ready', [read]),
  ];
}
