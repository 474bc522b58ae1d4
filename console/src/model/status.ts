import type { Shipment, ShipmentStatus } from '@waybill/client';
import { settings } from '../settings.js';
import { today } from './format.js';

/** In the order in which a shipment passes through them, those that end its way last. */
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

export function isOverdue({ deliveryDate, status }: Pick<Shipment, 'deliveryDate' | 'status'>): boolean {
  return deliveryDate !== null && deliveryDate < today() && !isFinal(status);
}

/** Where a shipment goes, in the fewest words. */
export function routeOf({ pickupAddress, destinationAddress }: Shipment): string | undefined {
  const place = (address: Shipment['pickupAddress']) => (address ? `${address.city}, ${address.state}` : undefined);
  const [from, to] = [place(pickupAddress), place(destinationAddress)];
  if (from === undefined && to === undefined) return undefined;
  return `${from ?? '?'} → ${to ?? '?'}`;
}
