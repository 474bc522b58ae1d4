import type { ShipmentStatus } from '../shipments/shipment-status.js';
import type { Shipment } from '../shipments/shipment.entity.js';
import { inventAddress } from './addresses.js';
import { calendarDay, DAY, HOUR } from './clock.js';
import { stamps, type Fiction, type Row } from './fiction.js';
import type { Random } from './random.js';
import { CUSTOMER_REMARKS, REJECTION_REASONS } from './vocabulary.js';

type Weights = Partial<Record<ShipmentStatus, number>>;

/** How far shipments have come, by where the present day stands in their plan. */
const AFTER_DELIVERY: Weights = { DELIVERED: 86, CANCELED: 6, REJECTED: 5, IN_TRANSIT: 3 };
const UNDERWAY: Weights = { IN_TRANSIT: 80, DIVERSION_REQUESTED: 12, CANCELED: 4, REJECTED: 4 };
const BEFORE_PICKUP: Weights = {
  SUBMITTED: 40,
  APPROVED: 38,
  CANCELLATION_REQUESTED: 7,
  DIVERSION_REQUESTED: 5,
  REJECTED: 6,
  CANCELED: 4,
};

const HAS_BEEN_WEIGHED: readonly ShipmentStatus[] = ['IN_TRANSIT', 'DELIVERED'];
/** Before that a customer may still owe dates and addresses. */
const MAY_BE_INCOMPLETE: readonly ShipmentStatus[] = ['SUBMITTED', 'REJECTED', 'CANCELED'];

interface Plan {
  readonly created: number;
  readonly pickup: number;
  readonly delivery: number;
}

export function inventShipment(fiction: Fiction, moveID: string, created: number): Row<Shipment> {
  const { random, shipmentTypes } = fiction;
  const pickup = created + random.between(7, 45) * DAY;
  const plan = { created, pickup, delivery: pickup + random.between(2, 21) * DAY };
  const status = statusAt(fiction, plan);
  const complete = !MAY_BE_INCOMPLETE.includes(status) || random.chance(0.7);
  const estimatedWeight = random.between(4, 180) * 100;
  const weighed = HAS_BEEN_WEIGHED.includes(status);
  // Written out, not spread: adding fields to a spread object one by one takes ten times as long.
  const { id, createdAt, updatedAt } = stamps(fiction, created, lastChange(random, status, plan));
  return {
    id,
    createdAt,
    updatedAt,
    moveID,
    shipmentType: random.pick(shipmentTypes),
    status,
    rejectionReason: status === 'REJECTED' ? random.pick(REJECTION_REASONS) : null,
    pickupDate: complete || random.chance(0.5) ? calendarDay(plan.pickup) : null,
    deliveryDate: complete ? calendarDay(plan.delivery) : null,
    pickupAddress: complete || random.chance(0.6) ? inventAddress(random, created) : null,
    destinationAddress: complete ? inventAddress(random, created) : null,
    estimatedWeight: complete ? estimatedWeight : null,
    actualWeight: weighed ? Math.round(estimatedWeight * (0.8 + 0.4 * random.fraction())) : null,
    customerRemarks: random.chance(0.2) ? random.pick(CUSTOMER_REMARKS) : null,
  };
}

function statusAt({ random, until }: Fiction, { pickup, delivery }: Plan): ShipmentStatus {
  if (until > delivery + DAY) return random.weighted(AFTER_DELIVERY);
  return random.weighted(until > pickup ? UNDERWAY : BEFORE_PICKUP);
}

function lastChange(random: Random, status: ShipmentStatus, { created, pickup, delivery }: Plan): number {
  switch (status) {
    case 'SUBMITTED':
      return random.chance(0.7) ? created : created + random.between(1, 2 * DAY);
    case 'DELIVERED':
      return delivery + random.between(8 * HOUR, DAY);
    case 'IN_TRANSIT':
      return pickup + random.between(8 * HOUR, DAY);
    default:
      return created + random.between(HOUR, 6 * DAY);
  }
}
