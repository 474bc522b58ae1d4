import { AGENT_TYPES, type Agent } from '../../shipments/agents/agent.entity.js';
import type { Service } from '../../shipments/services/service.entity.js';
import type { Shipment } from '../../shipments/shipment.entity.js';
import { DAY, HOUR } from './clock.js';
import { firstVersion, isBrandNew, type Fiction, type Row } from './fiction.js';
import { inventPerson, type Cast } from './people.js';
import type { Random } from './random.js';
import { storyOf, type Change, type Story } from './story.js';
import { SERVICES } from './vocabulary.js';

const AGENT_CHANCES = { RELEASING_AGENT: 0.3, RECEIVING_AGENT: 0.2 };
const SERVICE_CHANCE = 0.1;
const CHANGE_CHANCE = 0.4;

export function inventAgents(fiction: Fiction, shipment: Row<Shipment>, { customer }: Cast): Story<Agent>[] {
  const { random } = fiction;
  return AGENT_TYPES.filter((type) => random.chance(AGENT_CHANCES[type])).map((agentType) => {
    const created = creationOfPart(fiction, shipment);
    const { id, createdAt, updatedAt } = firstVersion(fiction, created);
    const { firstName, lastName, email, phone } = inventContact(random);
    const first = { id, createdAt, updatedAt, shipmentID: shipment.id, agentType, firstName, lastName, email, phone };
    const changes =
      phone === null ? laterChange<Agent>(fiction, created, customer, () => ({ phone: inventPhone(random) })) : [];
    return storyOf(fiction, first, customer, changes);
  });
}

export function inventServices(
  fiction: Fiction,
  shipment: Row<Shipment>,
  { counselor, dispatcher }: Cast,
): Story<Service>[] {
  const { random } = fiction;
  if (shipment.status === 'SUBMITTED') return [];
  const chosen = SERVICES.filter(() => random.chance(SERVICE_CHANCE));
  return chosen.map(({ code, meaning }) => {
    const created = creationOfPart(fiction, shipment);
    const { id, createdAt, updatedAt } = firstVersion(fiction, created);
    const description = random.chance(0.7) ? meaning : null;
    const first = { id, createdAt, updatedAt, shipmentID: shipment.id, code, description };
    const changes =
      description === null ? laterChange<Service>(fiction, created, dispatcher, () => ({ description: meaning })) : [];
    return storyOf(fiction, first, counselor, changes);
  });
}

function creationOfPart({ random, until }: Fiction, { createdAt }: Row<Shipment>): number {
  const earliest = Date.parse(createdAt);
  return random.between(earliest, Math.min(earliest + 3 * DAY, until));
}

function laterChange<T extends Agent | Service>(
  fiction: Fiction,
  created: number,
  by: string,
  values: () => Change<T>['values'],
): Change<T>[] {
  const { random } = fiction;
  if (isBrandNew(fiction, created) || !random.chance(CHANGE_CHANCE)) return [];
  return [{ at: created + random.between(HOUR, 5 * DAY), by, values: values() }];
}

function inventContact(random: Random): Pick<Agent, 'firstName' | 'lastName' | 'email' | 'phone'> {
  const { firstName, lastName, email } = inventPerson(random);
  const reachable = random.weighted({ both: 50, email: 30, phone: 20 });
  return {
    firstName,
    lastName: random.chance(0.95) ? lastName : null,
    email: reachable === 'phone' ? null : email,
    phone: reachable === 'email' ? null : inventPhone(random),
  };
}

/** From the block of numbers that is reserved for fiction. */
function inventPhone(random: Random): string {
  return `+1 ${random.between(201, 989)} 555 01${String(random.between(0, 99)).padStart(2, '0')}`;
}
