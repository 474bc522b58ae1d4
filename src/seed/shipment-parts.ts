import { AGENT_TYPES, type Agent } from '../shipments/agents/agent.entity.js';
import type { Service } from '../shipments/services/service.entity.js';
import type { Shipment } from '../shipments/shipment.entity.js';
import { DAY } from './clock.js';
import { stamps, type Fiction, type Row } from './fiction.js';
import type { Random } from './random.js';
import { FIRST_NAMES, LAST_NAMES, MORE_FIRST_NAMES, MORE_LAST_NAMES, SERVICES } from './vocabulary.js';

const AGENT_CHANCES = { RELEASING_AGENT: 0.3, RECEIVING_AGENT: 0.2 };
const SERVICE_CHANCE = 0.1;

export function inventAgents(fiction: Fiction, shipment: Row<Shipment>): Row<Agent>[] {
  const { random } = fiction;
  return AGENT_TYPES.filter((type) => random.chance(AGENT_CHANCES[type])).map((agentType) => {
    const { id, createdAt, updatedAt } = partStamps(fiction, shipment);
    const { firstName, lastName, email, phone } = inventPerson(random);
    return { id, createdAt, updatedAt, shipmentID: shipment.id, agentType, firstName, lastName, email, phone };
  });
}

export function inventServices(fiction: Fiction, shipment: Row<Shipment>): Row<Service>[] {
  const { random } = fiction;
  if (shipment.status === 'SUBMITTED') return [];
  const chosen = SERVICES.filter(() => random.chance(SERVICE_CHANCE));
  return chosen.map(({ code, meaning }) => {
    const { id, createdAt, updatedAt } = partStamps(fiction, shipment);
    const description = random.chance(0.7) ? meaning : null;
    return { id, createdAt, updatedAt, shipmentID: shipment.id, code, description };
  });
}

/** A mailbox in a domain that is kept for examples, and a number from the block that is kept for fiction. */
function inventPerson(random: Random): Pick<Agent, 'firstName' | 'lastName' | 'email' | 'phone'> {
  const firstName = random.pick(random.chance(0.5) ? FIRST_NAMES : MORE_FIRST_NAMES);
  const lastName = random.pick(random.chance(0.5) ? LAST_NAMES : MORE_LAST_NAMES);
  const email = `${firstName}.${lastName.replace("'", '')}`.toLowerCase() + '@example.com';
  const phone = `+1 ${random.between(201, 989)} 555 01${String(random.between(0, 99)).padStart(2, '0')}`;
  const reachable = random.weighted({ both: 50, email: 30, phone: 20 });
  return {
    firstName,
    lastName: random.chance(0.95) ? lastName : null,
    email: reachable === 'phone' ? null : email,
    phone: reachable === 'email' ? null : phone,
  };
}

function partStamps(fiction: Fiction, shipment: Row<Shipment>): ReturnType<typeof stamps> {
  const created = Date.parse(shipment.createdAt) + fiction.random.between(1, 3 * DAY);
  const changed = fiction.random.chance(0.15) ? created + fiction.random.between(1, 5 * DAY) : created;
  return stamps(fiction, created, changed);
}
