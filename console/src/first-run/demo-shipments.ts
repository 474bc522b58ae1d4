import type { NewAddress, NewShipment, ShipmentStatus } from '@waybill/client';
import { addDays } from '../model/days.js';
import { today } from '../model/format.js';

const CITIES = [
  ['12 Elm Street', 'Springfield', 'IL', '62701'],
  ['9 Harbor Road', 'Norfolk', 'VA', '23503'],
  ['301 Aspen Way', 'Denver', 'CO', '80202'],
  ['77 River Walk', 'Austin', 'TX', '78701'],
  ['5 Rose Lane', 'Portland', 'OR', '97201'],
] as const;
const TYPES = ['Household goods', 'Storage', 'Car', 'Boat'];
const REMARKS = [
  'The piano stays upright. Please ring twice at the side door.',
  'Key at the neighbour on the left.',
  'Third floor without an elevator.',
];

/** The statuses that each shipment passes through, so that every open column has a card. */
export const WAYS: readonly (readonly ShipmentStatus[])[] = [
  [],
  [],
  ['APPROVED'],
  ['APPROVED'],
  ['APPROVED', 'IN_TRANSIT'],
  ['APPROVED', 'IN_TRANSIT'],
  ['APPROVED', 'DIVERSION_REQUESTED'],
  ['APPROVED', 'CANCELLATION_REQUESTED'],
  ['APPROVED', 'IN_TRANSIT', 'DELIVERED'],
  [],
  ['APPROVED'],
  ['APPROVED', 'IN_TRANSIT', 'DELIVERED'],
];

function place(index: number): NewAddress {
  const [streetAddress1, city, state, postalCode] = CITIES[index % CITIES.length] ?? CITIES[0];
  return { streetAddress1, city, state, postalCode };
}

export function demoShipments(types: readonly string[] = TYPES): NewShipment[] {
  return WAYS.map((_, index) => ({
    shipmentType: types[index % types.length] ?? '',
    pickupDate: addDays(today(), index - 6),
    deliveryDate: addDays(today(), index * 2 - 3 + (index === 0 ? 9 : 0)),
    estimatedWeight: 1500 + 450 * index,
    pickupAddress: place(index),
    destinationAddress: place(index + 1 + (index % 3)),
    customerRemarks: REMARKS[index % REMARKS.length] ?? null,
  }));
}
