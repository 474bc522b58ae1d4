import { FIRST_STATUS, type ShipmentStatus } from '../../src/shipments/shipment-status.js';
import type { Shipment } from '../../src/shipments/shipment.entity.js';
import { generateAddress } from './addresses.js';
import { calendarDay } from './clock.js';
import { firstVersion, isTooNewToChange, type Scenario } from './scenario.js';
import type { People } from './people.js';
import { corrections, pathTo, statusChanges, weighing, type Plan } from './shipment-changes.js';
import { versionsOf, type Versions } from './versions.js';
import { CUSTOMER_REMARKS } from './vocabulary.js';

type Weights = Partial<Record<ShipmentStatus, number>>;

/** How far shipments have come, by where the present day stands in their plan. */
const AFTER_DELIVERY: Weights = { DELIVERED: 86, CANCELED: 6, REJECTED: 5, IN_TRANSIT: 3 };
const UNDERWAY: Weights = { IN_TRANSIT: 72, DIVERSION_REQUESTED: 20, CANCELED: 4, REJECTED: 4 };
const BEFORE_PICKUP: Weights = {
  SUBMITTED: 40,
  APPROVED: 36,
  CANCELLATION_REQUESTED: 7,
  DIVERSION_REQUESTED: 7,
  REJECTED: 6,
  CANCELED: 4,
};

/** Before that a customer may still owe dates and addresses. */
const MAY_BE_INCOMPLETE: readonly ShipmentStatus[] = ['SUBMITTED', 'REJECTED', 'CANCELED'];

export function generateShipment(
  scenario: Scenario,
  moveID: string,
  created: number,
  people: People,
): Versions<Shipment> {
  const { random, shipmentTypes, until, period } = scenario;
  const { day } = period;
  const pickup = created + random.between(7, 45) * day;
  const plan = { created, pickup, delivery: pickup + random.between(2, 21) * day };
  const status = statusAt(scenario, plan);
  const complete = !MAY_BE_INCOMPLETE.includes(status) || random.chance(0.7);
  const estimatedWeight = random.between(4, 180) * 100;
  // Some are asked for on other days than those they are carried on in the end.
  const postponed = random.chance(0.2) ? random.between(1, 6) * day : 0;
  // Written out, not spread: adding fields to a spread object one by one takes ten times as long.
  const { id, createdAt, updatedAt } = firstVersion(scenario, created);
  const first = {
    id,
    createdAt,
    updatedAt,
    moveID,
    shipmentType: random.pick(shipmentTypes),
    status: FIRST_STATUS,
    rejectionReason: null,
    pickupDate: complete || random.chance(0.5) ? calendarDay(plan.pickup - postponed) : null,
    deliveryDate: complete ? calendarDay(plan.delivery - postponed) : null,
    pickupAddress: complete || random.chance(0.6) ? generateAddress(random, created) : null,
    destinationAddress: complete ? generateAddress(random, created) : null,
    estimatedWeight: complete ? estimatedWeight : null,
    actualWeight: null,
    customerRemarks: random.chance(0.1) ? random.pick(CUSTOMER_REMARKS) : null,
  };
  if (isTooNewToChange(scenario, created)) return versionsOf(scenario, first, people.customer, []);
  const steps = statusChanges(scenario, plan, pathTo(random, status, until > pickup), people);
  const changes = [
    ...steps,
    ...corrections(scenario, first, plan, steps, people),
    ...weighing(scenario, steps, estimatedWeight, people),
  ];
  return versionsOf(scenario, first, people.customer, changes);
}

function statusAt({ random, until, period }: Scenario, { pickup, delivery }: Plan): ShipmentStatus {
  if (until > delivery + period.day) return random.weighted(AFTER_DELIVERY);
  return random.weighted(until > pickup ? UNDERWAY : BEFORE_PICKUP);
}
