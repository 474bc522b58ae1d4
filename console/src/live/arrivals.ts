import type { Event, ShipmentQuery, ShipmentStatus } from '@waybill/client';
import { Store } from '../store.js';

/** A shipment that came to a status. */
interface Arrival {
  readonly status: ShipmentStatus;
  /** Where it was before; null when it was created. */
  readonly from: ShipmentStatus | null;
  /** Which one it was since the page was opened. */
  readonly number: number;
}

export type Arrivals = ReadonlyMap<string, Arrival>;

/** Beyond this many nobody counts. */
const MOST = 1000;

/** Shipments that came to a status: collected, so that nothing moves under somebody's eyes. */
class ArrivalStore extends Store<Arrivals> {
  /** How many there were. A list that is read now has all of them. */
  count = 0;

  collect(events: readonly Event[]): void {
    const next = new Map(this.get());
    for (const { type, data } of events) {
      if (data.resource !== 'shipment') continue;
      const { resourceID, changes } = data;
      const before = next.get(resourceID);
      const change = changes.find(({ field }) => field === 'status');
      if (type !== 'shipment.deleted' && change === undefined) continue;
      next.delete(resourceID);
      if (type === 'shipment.deleted' || change === undefined) continue;
      const from = before === undefined ? (change.from as ShipmentStatus | null) : before.from;
      next.set(resourceID, { status: change.to as ShipmentStatus, from, number: (this.count += 1) });
    }
    this.set(new Map([...next].slice(-MOST)));
  }
}

export const arrivals = new ArrivalStore(new Map());

/** The shipments among them that a list did not have when it was read, as far as their status tells. */
export function newIn(arrived: Arrivals, status: ShipmentQuery['status'], readAfter: number): string[] {
  const isAskedFor = (each: ShipmentStatus) => status === undefined || status.includes(each);
  return [...arrived]
    .filter(([, { number }]) => number > readAfter)
    .filter(([, { status: now, from }]) => isAskedFor(now) && (from === null || !isAskedFor(from)))
    .map(([id]) => id);
}
