import { randomUUID } from 'node:crypto';
import { untilNoTransaction } from '../database/activity.js';
import type { Fault } from '../database/postgres-proxy.js';
import type { Answer, Api, Json } from '../http/api.js';
import { ADDRESS, createAgent, createMove, createShipment } from '../records/records.js';
import type { useProxiedService } from '../service/proxied-service.js';
import { Stored } from './write-witness.js';

type Proxied = ReturnType<typeof useProxiedService>;

export interface Write {
  readonly name: string;
  /** The record that the write is about, made anew for each attempt. */
  prepare(api: Api): Promise<Json>;
  send(api: Api, record: Json, headers: Record<string, string>): Promise<Answer<Json>>;
}

export const WRITES: readonly Write[] = [
  {
    name: 'PATCH',
    prepare: createShipment,
    send: (api, { id, eTag }, headers) => api.patch(`/v1/shipments/${id}`, eTag, { actualWeight: 7 }, headers),
  },
  {
    name: 'PATCH without a field',
    prepare: createMove,
    send: (api, { id, eTag }, headers) => api.patch(`/v1/moves/${id}`, eTag, {}, headers),
  },
  {
    name: 'PATCH with expand',
    prepare: createShipment,
    send: (api, { id, eTag }, headers) => api.patch(`/v1/shipments/${id}?expand=move,agents`, eTag, {}, headers),
  },
  {
    name: 'PUT',
    prepare: createAgent,
    send: (api, { id, eTag }, headers) =>
      api.put(`/v1/agents/${id}`, eTag, { agentType: 'RECEIVING_AGENT', firstName: 'Bo', phone: '1' }, headers),
  },
  {
    name: 'PUT address',
    prepare: (api) => createShipment(api, { destinationAddress: ADDRESS }),
    send: (api, { id, eTag, destinationAddress }, headers) =>
      api.put(`/v1/mto-shipment/${id}/address/${destinationAddress.id}`, eTag, { ...ADDRESS, city: 'Rome' }, headers),
  },
  {
    name: 'updateStatus',
    prepare: createShipment,
    send: (api, { id, eTag }, headers) =>
      api.patch(`/prime/v1/shipments/${id}/updateStatus`, eTag, { status: 'APPROVED' }, headers),
  },
  {
    name: 'DELETE',
    prepare: createShipment,
    send: (api, { id, eTag }, headers) => api.delete(`/v1/shipments/${id}`, { 'If-Match': eTag, ...headers }),
  },
  {
    name: 'POST with a move of its own',
    prepare: () => Promise.resolve({}),
    send: (api, _, headers) => api.post('/v1/shipments', { shipmentType: 'HHG' }, headers),
  },
  {
    name: 'POST below a record',
    prepare: createShipment,
    send: (api, { id }, headers) => api.post(`/v1/shipments/${id}/services`, { code: 'PACK' }, headers),
  },
];

/** Lets the statement at a position go wrong, once; returns how many statements were sent. */
export async function during(
  { proxy }: Proxied,
  work: () => Promise<unknown>,
  position: number,
  fault?: Fault,
): Promise<number> {
  let sent = 0;
  proxy.plan = () => (++sent === position ? fault : undefined);
  await work();
  proxy.plan = () => undefined;
  return sent;
}

/** Describes what is wrong after a fault during a write; undefined if nothing is. */
export async function faultOf(
  proxied: Proxied,
  write: Write,
  keyed: boolean,
  position: number,
  fault: Fault,
): Promise<string | undefined> {
  const { service } = proxied;
  const record = await write.prepare(service.api);
  const before = await Stored.read(service.sql);
  const requestID = randomUUID();
  const headers = { 'X-Request-ID': requestID, ...(keyed && { 'Idempotency-Key': requestID }) };
  let answer = undefined as Answer<Json> | undefined;
  await during(proxied, async () => (answer = await write.send(service.api, record, headers)), position, fault);
  if (answer === undefined) return 'no answer';
  await untilNoTransaction(service.sql);
  const { status, body } = answer;
  const told = `${status} ${body?.code ?? ''}`.trim();
  const refusedByPostgres = 'refuse' in fault && fault.refuse === 'XX000';
  if (status >= 300 && status !== 503 && !(refusedByPostgres && status === 500)) return `answered ${told}`;
  if ('refuse' in fault && fault.refuse === '40001' && status >= 300) return `was not tried again: ${told}`;
  const wrong = await before.faultNow(service.sql, { accepted: status < 300, requestID, eTag: body?.eTag });
  if (wrong !== undefined) return `answered ${told}, but ${wrong}`;
  if (!keyed) return undefined;
  const again = await write.send(service.api, record, headers);
  if (again.status >= 300) return `answered ${told}, and the repetition with the same key ${again.status}`;
  const outcome = { accepted: true, requestID, eTag: again.body?.eTag };
  const repeated = await before.faultNow(service.sql, outcome);
  return repeated && `after the repetition with the same key ${repeated}`;
}
