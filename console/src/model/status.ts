import type { Shipment, ShipmentStatus } from '@waybill/client';
import { settings } from '../settings.js';
import { today } from './format.js';

/** In the usual order of a shipment, final statuses last. */
export const COLUMNS: readonly ShipmentStatus[] = [
  'SUBMITTED',
  'APPROVED',
  'IN_TRANSIT',
  'DIVERSION_REQUESTED',
  'CANCELLATION_REQUESTED',
  'DELIVERED',
  'REJECTED',
  'CANCELED',
];

export function nextStatuses(status: ShipmentStatus): readonly ShipmentStatus[] {
  return settings.statusSteps[status];
}

export function isFinal(status: ShipmentStatus): boolean {
  return nextStatuses(status).length === 0;
}

/** Whether a change of status can be undone. */
export function hasWayBack(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return nextStatuses(to).includes(from);
}

export function isOverdue({ deliveryDate, status }: Pick<Shipment, 'deliveryDate' | 'status'>): boolean {
  return deliveryDate !== null && deliveryDate < today() && !isFinal(status);
}

/** The route of a shipment, abbreviated. */
export function routeOf({ pickupAddress, destinationAddress }: Shipment): string | undefined {
  const place = (address: Shipment['pickupAddress']) => (address ? `${address.city}, ${address.state}` : undefined);
  const [from, to] = [place(pickupAddress), place(destinationAddress)];
  if (from === undefined && to === undefined) return undefined;
  return `${from ?? '?'} → ${to ?? '?'}`;
}
