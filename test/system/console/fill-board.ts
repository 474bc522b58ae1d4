import type { NewAddress, ShipmentStatus, WaybillClient } from '@waybill/client';
import { SHIPMENT } from './harness.js';

const TYPES = ['Household goods', 'Storage', 'Boat', 'Car'];
const CITIES = ['Springfield IL', 'Norfolk VA', 'Denver CO', 'Austin TX', 'Portland OR', 'Tampa FL', 'Boise ID'];
/** The statuses that a shipment passes through. */
const WAYS: readonly (readonly ShipmentStatus[])[] = [
  [],
  ['APPROVED'],
  ['APPROVED', 'IN_TRANSIT'],
  ['APPROVED', 'IN_TRANSIT', 'DELIVERED'],
  ['APPROVED', 'DIVERSION_REQUESTED'],
  ['REJECTED'],
  ['APPROVED', 'CANCELLATION_REQUESTED'],
];

function place(index: number): NewAddress {
  const [city = '', state = ''] = CITIES[index % CITIES.length]?.split(' ') ?? [];
  return { streetAddress1: `${10 + index} Main Street`, city, state, postalCode: String(23_503 + 101 * index) };
}

/** The day so many days from today. */
export function day(fromToday: number): string {
  return new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);
}

/** Shipments in every status, and one with a history, agents and services, whose id it returns. */
export async function fillBoard(ben: WaybillClient, carla: WaybillClient): Promise<string> {
  for (let index = 0; index < 16; index += 1) {
    const { id: shipmentID } = await ben.shipments.create({
      ...{ shipmentType: TYPES[Math.floor(index / 3) % 4] ?? '', estimatedWeight: 2000 + 150 * index },
      ...{ pickupDate: day(index - 36), deliveryDate: day((index % 14) - 2) },
      ...{ pickupAddress: place(index), destinationAddress: place(index + 1 + (index % 5)) },
    });
    const way = WAYS[index % 4 === 3 ? 3 + (Math.floor(index / 4) % 4) : index % 4] ?? [];
    for (const status of way) {
      const reason = status === 'REJECTED' && { rejectionReason: 'No room on the boat.' };
      await carla.shipments.updateStatus(shipmentID, { status, ...reason });
    }
  }
  const { id } = await ben.shipments.create({ ...SHIPMENT, shipmentType: 'Household goods' });
  await ben.agents.create(id, {
    agentType: 'RELEASING_AGENT',
    firstName: 'Mia',
    lastName: 'Lopez',
    email: 'mia@example.com',
  });
  await ben.services.create(id, { code: 'PACK', description: 'Packing of the whole house' });
  await carla.shipments.update(id, { estimatedWeight: 4700, actualWeight: 4650 });
  await ben.shipments.updateStatus(id, { status: 'APPROVED' });
  await carla.shipments.update(id, { deliveryDate: '2027-03-22' });
  return id;
}
