import type { Agent, Move, NewShipment, Service, Shipment, WriteCallOptions, WriteOptions } from '@waybill/client';
import { client } from '../api.js';
import type { Kind } from '../model/fields.js';
import { rememberWrite } from '../own-writes.js';
import { placeNewShipment, placeShipment, withoutShipment } from '../placing.js';
import { moveQuery, queryClient, shipmentQuery, type HistoryOf } from '../queries.js';
import { session } from '../session/session.js';
import { writeDraft } from './kept-draft.js';

export type PartKind = 'agent' | 'service';
export type Part = Agent | Service;

/** A record that has not been created yet, so it has no version. Its id only names its draft. */
export interface NewRecord {
  readonly id: string;
  readonly eTag: '';
}

export interface NewPart extends NewRecord {
  readonly shipmentID: string;
}

export type RecordOf = Shipment | Move | Part | NewRecord | NewPart;

/** Reads and writes one kind of record. Writes are shown at once, without waiting for the event feed. */
interface Access {
  read(id: string): Promise<Shipment | Move | Part>;
  write(record: RecordOf, body: object, options: WriteOptions): Promise<Shipment | Move | Part>;
}

const shipments: Access = {
  read: (id) => client.shipments.get(id),
  write: async (record, body, options) => {
    const { idempotencyKey } = options;
    const written = isNew(record)
      ? await client.shipments.create(body as NewShipment, { idempotencyKey })
      : await client.shipments.patch(record.id, body, options);
    rememberWrite(written);
    if (isNew(record)) placeNewShipment(written);
    else placeShipment(written);
    return written;
  },
};

const moves: Access = {
  read: (id) => client.moves.get(id),
  write: async (record, body, options) => {
    const { idempotencyKey } = options;
    const written = isNew(record)
      ? await client.moves.create(body, { idempotencyKey })
      : await client.moves.patch(record.id, body, options);
    rememberWrite(written);
    queryClient.setQueryData(moveQuery(written.id).queryKey, (old) => old && { ...old, ...written });
    return written;
  },
};

/** The common parts of agents and services. */
interface PartCalls {
  get(id: string): Promise<Part>;
  create(shipmentID: string, body: object, options: WriteCallOptions): Promise<Part>;
  patch(id: string, body: object, options: WriteOptions): Promise<Part>;
  delete(id: string, options: WriteOptions): Promise<void>;
}

const PARTS = {
  agent: { name: 'agents', calls: client.agents as PartCalls },
  service: { name: 'services', calls: client.services as PartCalls },
} as const;

function partAccess(kind: PartKind): Access {
  const { calls } = PARTS[kind];
  return {
    read: (id) => calls.get(id),
    write: async (record, body, options) => {
      const { idempotencyKey } = options;
      const written = isNewPart(record)
        ? await calls.create(record.shipmentID, body, { idempotencyKey })
        : await calls.patch(record.id, body, options);
      rememberWrite(written);
      placeParts(kind, written.shipmentID, (parts) =>
        isNew(record) ? [...parts, written] : parts.map((part) => (part.id === written.id ? written : part)),
      );
      return written;
    },
  };
}

export const RECORDS: Readonly<Record<Kind, Access>> = {
  shipment: shipments,
  move: moves,
  agent: partAccess('agent'),
  service: partAccess('service'),
};

/** Removes only the version that the user has seen. */
export async function removePart(kind: PartKind, { id, shipmentID }: Part, options: WriteOptions): Promise<void> {
  await PARTS[kind].calls.delete(id, options);
  placeParts(kind, shipmentID, (parts) => parts.filter((part) => part.id !== id));
}

export async function deleteShipment({ id }: Shipment, options: WriteOptions): Promise<void> {
  await client.shipments.delete(id, options);
  writeDraft(session.subject, 'shipment', id, undefined);
  withoutShipment(id);
}

export async function deleteMove({ id }: Move, options: WriteOptions): Promise<void> {
  await client.moves.delete(id, options);
  writeDraft(session.subject, 'move', id, undefined);
  await queryClient.invalidateQueries({ queryKey: ['moves'] });
}

function placeParts(kind: PartKind, shipmentID: string, change: (parts: readonly Part[]) => readonly Part[]): void {
  const { name } = PARTS[kind];
  queryClient.setQueryData(shipmentQuery(shipmentID).queryKey, (old) => {
    const parts = old?.[name];
    return old && parts && { ...old, [name]: change(parts) };
  });
}

export function isNew(record: RecordOf): record is NewRecord {
  return record.eTag === '';
}

export function isNewPart(record: RecordOf): record is NewPart {
  return isNew(record) && 'shipmentID' in record;
}

/** The history that contains a record. That of a shipment includes its agents and services. */
export function historyOf(kind: Kind, record: RecordOf): HistoryOf {
  if (kind === 'move') return { kind, id: record.id };
  return { kind: 'shipment', id: 'shipmentID' in record ? record.shipmentID : record.id };
}
