import { AGENT_TYPES, type Agent } from '../../src/shipments/agents/agent.entity.js';
import type { Service } from '../../src/shipments/services/service.entity.js';
import type { Shipment } from '../../src/shipments/shipment.entity.js';
import { firstVersion, isTooNewToChange, type Scenario, type Row } from './scenario.js';
import { generatePerson, type People } from './people.js';
import type { Random } from './random.js';
import { versionsOf, type Change, type Versions } from './versions.js';
import { SERVICES } from './vocabulary.js';

const AGENT_CHANCES = { RELEASING_AGENT: 0.3, RECEIVING_AGENT: 0.2 };
const SERVICE_CHANCE = 0.1;
const CHANGE_CHANCE = 0.4;

export function generateAgents(scenario: Scenario, shipment: Row<Shipment>, { customer }: People): Versions<Agent>[] {
  const { random } = scenario;
  return AGENT_TYPES.filter((type) => random.chance(AGENT_CHANCES[type])).map((agentType) => {
    const created = creationOfPart(scenario, shipment);
    const { id, createdAt, updatedAt } = firstVersion(scenario, created);
    const { firstName, lastName, email, phone } = generateContact(random);
    const first = { id, createdAt, updatedAt, shipmentID: shipment.id, agentType, firstName, lastName, email, phone };
    const changes =
      phone === null ? laterChange<Agent>(scenario, created, customer, () => ({ phone: generatePhone(random) })) : [];
    return versionsOf(scenario, first, customer, changes);
  });
}

export function generateServices(
  scenario: Scenario,
  shipment: Row<Shipment>,
  { counselor, dispatcher }: People,
): Versions<Service>[] {
  const { random } = scenario;
  if (shipment.status === 'SUBMITTED') return [];
  const chosen = SERVICES.filter(() => random.chance(SERVICE_CHANCE));
  return chosen.map(({ code, meaning }) => {
    const created = creationOfPart(scenario, shipment);
    const { id, createdAt, updatedAt } = firstVersion(scenario, created);
    const description = random.chance(0.7) ? meaning : null;
    const first = { id, createdAt, updatedAt, shipmentID: shipment.id, code, description };
    const changes =
      description === null ? laterChange<Service>(scenario, created, dispatcher, () => ({ description: meaning })) : [];
    return versionsOf(scenario, first, counselor, changes);
  });
}

function creationOfPart({ random, until, period }: Scenario, { createdAt }: Row<Shipment>): number {
  const earliest = Date.parse(createdAt);
  return random.between(earliest, Math.min(earliest + 3 * period.day, until));
}

function laterChange<T extends Agent | Service>(
  scenario: Scenario,
  created: number,
  by: string,
  values: () => Change<T>['values'],
): Change<T>[] {
  const { random, period } = scenario;
  if (isTooNewToChange(scenario, created) || !random.chance(CHANGE_CHANCE)) return [];
  return [{ at: created + random.between(period.hour, 5 * period.day), by, values: values() }];
}

function generateContact(random: Random): Pick<Agent, 'firstName' | 'lastName' | 'email' | 'phone'> {
  const { firstName, lastName, email } = generatePerson(random);
  const reachable = random.weighted({ both: 50, email: 30, phone: 20 });
  return {
    firstName,
    lastName: random.chance(0.95) ? lastName : null,
    email: reachable === 'phone' ? null : email,
    phone: reachable === 'email' ? null : generatePhone(random),
  };
}

/** From the block of numbers that is reserved for fiction. */
function generatePhone(random: Random): string {
  return `+1 ${random.between(201, 989)} 555 01${String(random.between(0, 99)).padStart(2, '0')}`;
}
