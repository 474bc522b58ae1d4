import type { Event, ShipmentStatus } from '@waybill/client';
import { Store } from '../store.js';

export type Arrivals = ReadonlyMap<string, ShipmentStatus>;

/** Beyond this many nobody counts. */
const MOST = 1000;

/** Shipments that came to a status since it was last read: collected, so that nothing moves under somebody's eyes. */
class ArrivalStore extends Store<Arrivals> {
  collect(events: readonly Event[]): void {
    const next = new Map(this.get());
    for (const { type, data } of events) {
      if (data.resource !== 'shipment') continue;
      if (type === 'shipment.deleted') next.delete(data.resourceID);
      const status = data.changes.find(({ field }) => field === 'status')?.to as ShipmentStatus | undefined;
      if (status === undefined) continue;
      next.delete(data.resourceID);
      if (next.size < MOST) next.set(data.resourceID, status);
    }
    this.set(next);
  }

  forget(isSeen: (status: ShipmentStatus) => boolean): void {
    this.set(new Map([...this.get()].filter(([, status]) => !isSeen(status))));
  }
}

export const arrivals = new ArrivalStore(new Map());
