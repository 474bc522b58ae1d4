import type { Event, ShipmentQuery, ShipmentStatus } from '@waybill/client';
import { Store } from '../store.js';

/** A shipment that entered a status. */
interface Arrival {
  readonly status: ShipmentStatus;
  /** The previous status; null if it was created. */
  readonly from: ShipmentStatus | null;
  /** Counts arrivals since the page was opened. */
  readonly number: number;
}

export type Arrivals = ReadonlyMap<string, Arrival>;

/** Older arrivals are dropped. */
const MOST = 1000;

/** Collects shipments that entered a status, so that lists do not change while the user reads them. */
class ArrivalStore extends Store<Arrivals> {
  /** The number of arrivals. A list that is read now contains all of them. */
  count = 0;

  collect(events: readonly Event[]): void {
    const next = new Map(this.get());
    for (const { type, data } of events) {
      if (data.resource !== 'shipment') continue;
      const { resourceID, changes } = data;
      const before = next.get(resourceID);
      // An event without the values before it lists all fields.
      const change = changes.find(
        ({ field, from }) => field === 'status' && (from !== undefined || type === 'shipment.statusChanged'),
      );
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

/** The arrivals that a list did not contain when it was read, judging by status only. */
export function newIn(arrived: Arrivals, status: ShipmentQuery['status'], readAfter: number): string[] {
  const isAskedFor = (each: ShipmentStatus) => status === undefined || status.includes(each);
  return [...arrived]
    .filter(([, { number }]) => number > readAfter)
    .filter(([, { status: now, from }]) => isAskedFor(now) && (from === null || !isAskedFor(from)))
    .map(([id]) => id);
}
