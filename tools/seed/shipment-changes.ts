import type { ShipmentStatus } from '../../src/shipments/shipment-status.js';
import type { Shipment } from '../../src/shipments/shipment.entity.js';
import { generateAddress } from './addresses.js';
import { calendarDay } from './clock.js';
import type { Row, Scenario } from './scenario.js';
import type { People } from './people.js';
import type { Random } from './random.js';
import type { Change } from './versions.js';
import { CUSTOMER_REMARKS, REJECTION_REASONS } from './vocabulary.js';

export interface Plan {
  readonly created: number;
  readonly pickup: number;
  readonly delivery: number;
}

/** The statuses a shipment passed through on its way to the last one, after SUBMITTED. */
export function pathTo(random: Random, status: ShipmentStatus, isUnderway: boolean): readonly ShipmentStatus[] {
  switch (status) {
    case 'SUBMITTED':
      return [];
    case 'APPROVED':
      return random.chance(0.1) ? ['APPROVED', 'DIVERSION_REQUESTED', 'APPROVED'] : ['APPROVED'];
    case 'CANCELED':
      return random.chance(0.5) ? ['APPROVED', 'CANCELLATION_REQUESTED', 'CANCELED'] : ['CANCELED'];
    case 'DIVERSION_REQUESTED':
      return isUnderway ? ['APPROVED', 'IN_TRANSIT', status] : ['APPROVED', status];
    case 'CANCELLATION_REQUESTED':
    case 'IN_TRANSIT':
      return ['APPROVED', status];
    case 'DELIVERED':
      return ['APPROVED', 'IN_TRANSIT', status];
    case 'REJECTED':
      return [status];
  }
}

export function statusChanges(
  scenario: Scenario,
  plan: Plan,
  path: readonly ShipmentStatus[],
  people: People,
): Change<Shipment>[] {
  let at = plan.created;
  return path.map((status) => {
    at = momentOf(scenario, status, plan, at);
    const rejectionReason = status === 'REJECTED' ? scenario.random.pick(REJECTION_REASONS) : null;
    return { at, by: authorOf(status, people), values: { status, rejectionReason } };
  });
}

function momentOf(
  { random, period: { day, hour } }: Scenario,
  status: ShipmentStatus,
  { pickup, delivery }: Plan,
  before: number,
): number {
  switch (status) {
    case 'IN_TRANSIT':
      return Math.max(before, pickup) + random.between(8 * hour, 16 * hour);
    case 'DELIVERED':
      return Math.max(before, delivery) + random.between(8 * hour, day);
    default:
      return before + random.between(hour, 2 * day);
  }
}

function authorOf(status: ShipmentStatus, { customer, counselor, dispatcher }: People): string {
  if (status === 'DIVERSION_REQUESTED' || status === 'CANCELLATION_REQUESTED') return customer;
  return status === 'IN_TRANSIT' || status === 'DELIVERED' ? dispatcher : counselor;
}

/** What customer and counselor still correct in the first days, unless the shipment ends before. */
export function corrections(
  { random, period }: Scenario,
  first: Row<Shipment>,
  plan: Plan,
  steps: readonly Change<Shipment>[],
  people: People,
): Change<Shipment>[] {
  const end = steps.find(({ values }) => values.status === 'REJECTED' || values.status === 'CANCELED')?.at;
  const latestMoment = Math.min(plan.created + 6 * period.day, end ?? Infinity) - 1;
  const changes: Change<Shipment>[] = [];
  const add = (by: string, values: Change<Shipment>['values']) => {
    changes.push({ at: random.between(plan.created + 1, latestMoment), by, values });
  };
  const pickupDate = calendarDay(plan.pickup);
  if (first.deliveryDate !== null && first.pickupDate !== pickupDate) {
    add(people.customer, { pickupDate, deliveryDate: calendarDay(plan.delivery) });
  }
  if (first.estimatedWeight !== null && random.chance(0.15)) {
    add(people.counselor, { estimatedWeight: first.estimatedWeight + random.between(1, 40) * 100 });
  }
  if (first.destinationAddress !== null && random.chance(0.08)) {
    add(people.customer, { destinationAddress: generateAddress(random, plan.created) });
  }
  if (first.customerRemarks === null && random.chance(0.12)) {
    add(people.customer, { customerRemarks: random.pick(CUSTOMER_REMARKS) });
  }
  return changes;
}

/** A few hours after it left, the truck is weighed. */
export function weighing(
  { random, period: { hour } }: Scenario,
  steps: readonly Change<Shipment>[],
  estimatedWeight: number,
  { dispatcher }: People,
): Change<Shipment>[] {
  const departure = steps.find(({ values }) => values.status === 'IN_TRANSIT');
  if (departure === undefined) return [];
  const actualWeight = Math.round(estimatedWeight * (0.8 + 0.4 * random.fraction()));
  return [{ at: departure.at + random.between(hour, 6 * hour), by: dispatcher, values: { actualWeight } }];
}
