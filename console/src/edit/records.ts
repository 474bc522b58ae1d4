import type { Agent, Move, NewShipment, Service, Shipment, WriteCallOptions, WriteOptions } from '@waybill/client';
import { client } from '../api.js';
import type { Kind } from '../model/fields.js';
import { rememberWrite } from '../own-writes.js';
import { placeNewShipment, withoutShipment } from '../placing.js';
import { cache, type HistoryOf } from '../queries.js';
import { safely } from '../safely.js';

export type ChildKind = 'agent' | 'service';
export type Child = Agent | Service;

/** A record that has not been created yet, so it has no version. Its id only names its draft. */
export interface NewRecord {
  readonly id: string;
  readonly eTag: '';
}

export interface NewChild extends NewRecord {
  readonly shipmentID: string;
}

export type RecordOf = Shipment | Move | Child | NewRecord | NewChild;

/** Reads and writes one kind of record. Writes are shown at once, without waiting for the event feed; nothing of that can fail them. */
interface Access {
  read(id: string): Promise<Shipment | Move | Child>;
  write(record: RecordOf, body: object, options: WriteOptions): Promise<Shipment | Move | Child>;
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

/** What the calls of agents and services have in common. */
interface ChildCalls {
  get(id: string): Promise<Child>;
  create(shipmentID: string, body: object, options: WriteCallOptions): Promise<Child>;
  patch(id: string, body: object, options: WriteOptions): Promise<Child>;
  delete(id: string, options: WriteOptions): Promise<void>;
}

const CHILDREN = {
  agent: { name: 'agents', calls: client.agents as ChildCalls },
  service: { name: 'services', calls: client.services as ChildCalls },
} as const;

function childAccess(kind: ChildKind): Access {
  const { calls } = CHILDREN[kind];
  return {
    read: (id) => calls.get(id),
    write: async (record, body, options) => {
      const { idempotencyKey } = options;
      const written = isNewChild(record)
        ? await cache.during(() => calls.create(record.shipmentID, body, { idempotencyKey }))
        : await cache.during(() => calls.patch(record.id, body, options));
      const placed = (children: readonly Child[]) =>
        children.some(({ id }) => id === written.id) ? children : [...children, written];
      safely(
        () => rememberWrite(written),
        () => cache.put([written]),
        () => placeChildren(kind, written.shipmentID, placed),
      );
      return written;
    },
  };
}

export const RECORDS: Readonly<Record<Kind, Access>> = {
  shipment: shipments,
  move: moves,
  agent: childAccess('agent'),
  service: childAccess('service'),
};

/** Removes only the version that the user has seen. */
export async function removeChild(kind: ChildKind, { id, shipmentID }: Child, options: WriteOptions): Promise<void> {
  await CHILDREN[kind].calls.delete(id, options);
  safely(() => placeChildren(kind, shipmentID, (children) => children.filter((child) => child.id !== id)));
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

function placeChildren(
  kind: ChildKind,
  shipmentID: string,
  change: (children: readonly Child[]) => readonly Child[],
): void {
  const { name } = CHILDREN[kind];
  cache.change<Shipment>(['shipment'], (shipment) => {
    const children = shipment[name];
    return shipment.id === shipmentID && children !== undefined ? { ...shipment, [name]: change(children) } : shipment;
  });
}

export function isNew(record: RecordOf): record is NewRecord {
  return record.eTag === '';
}

export function isNewChild(record: RecordOf): record is NewChild {
  return isNew(record) && 'shipmentID' in record;
}

/** The history that contains a record. That of a shipment includes its agents and services. */
export function historyOf(kind: Kind, record: RecordOf): HistoryOf {
  if (kind === 'move') return { kind, id: record.id };
  return { kind: 'shipment', id: 'shipmentID' in record ? record.shipmentID : record.id };
}
