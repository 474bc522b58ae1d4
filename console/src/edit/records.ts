import type { Agent, Move, NewShipment, Service, Shipment, WriteCallOptions, WriteOptions } from '@waybill/client';
import { client } from '../api.js';
import type { Kind } from '../model/fields.js';
import { rememberWrite } from '../own-writes.js';
import { placeNewShipment, withoutShipment } from '../placing.js';
import { cache, type HistoryOf } from '../queries.js';
import { safely } from '../safely.js';

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

/** Reads and writes one kind of record. Writes are shown at once, without waiting for the event feed; nothing of that can fail them. */
interface Access {
  read(id: string): Promise<Shipment | Move | Part>;
  write(record: RecordOf, body: object, options: WriteOptions): Promise<Shipment | Move | Part>;
}

const shipments: Access = {
  read: (id) => client.shipments.get(id),
  write: async (record, body, options) => {
    const { idempotencyKey } = options;
    const written = isNew(record)
      ? await cache.during(() => client.shipments.create(body as NewShipment, { idempotencyKey }))
      : await cache.during(() => client.shipments.patch(record.id, body, options));
    safely(
      () => rememberWrite(written),
      () => (isNew(record) ? placeNewShipment(written) : cache.put([written])),
    );
    return written;
  },
};

const moves: Access = {
  read: (id) => client.moves.get(id),
  write: async (record, body, options) => {
    const { idempotencyKey } = options;
    const written = isNew(record)
      ? await cache.during(() => client.moves.create(body, { idempotencyKey }))
      : await cache.during(() => client.moves.patch(record.id, body, options));
    safely(
      () => rememberWrite(written),
      () => cache.put([written]),
    );
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
        ? await cache.during(() => calls.create(record.shipmentID, body, { idempotencyKey }))
        : await cache.during(() => calls.patch(record.id, body, options));
      const placed = (parts: readonly Part[]) =>
        parts.some(({ id }) => id === written.id) ? parts : [...parts, written];
      safely(
        () => rememberWrite(written),
        () => cache.put([written]),
        () => placeParts(kind, written.shipmentID, placed),
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
  safely(() => placeParts(kind, shipmentID, (parts) => parts.filter((part) => part.id !== id)));
}

/** A draft stays: the deletion can be undone. */
export async function deleteShipment({ id }: Shipment, options: WriteOptions): Promise<void> {
  await client.shipments.delete(id, options);
  safely(() => withoutShipment(id));
}

export async function deleteMove({ id }: Move, options: WriteOptions): Promise<void> {
  await client.moves.delete(id, options);
  safely(() => cache.outdateKey(['moves']));
}

function placeParts(kind: PartKind, shipmentID: string, change: (parts: readonly Part[]) => readonly Part[]): void {
  const { name } = PARTS[kind];
  cache.change<Shipment>(['shipment'], (shipment) => {
    const parts = shipment[name];
    return shipment.id === shipmentID && parts !== undefined ? { ...shipment, [name]: change(parts) } : shipment;
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
