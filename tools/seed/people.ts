import type { Random } from './random.js';
import type { Scenario } from './scenario.js';
import { COUNSELORS, DISPATCHERS, FIRST_NAMES, LAST_NAMES, MORE_FIRST_NAMES, MORE_LAST_NAMES } from './vocabulary.js';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  /** In a domain that is reserved for examples. */
  readonly email: string;
}

/** Who has to do with one move. Each is named as a token would name them. */
export interface People {
  readonly customer: string;
  readonly counselor: string;
  readonly dispatcher: string;
}

export function generatePerson(random: Random): Person {
  const firstName = random.pick(random.chance(0.5) ? FIRST_NAMES : MORE_FIRST_NAMES);
  const lastName = random.pick(random.chance(0.5) ? LAST_NAMES : MORE_LAST_NAMES);
  const email = `${firstName}.${lastName.replace("'", '')}`.toLowerCase() + '@example.com';
  return { firstName, lastName, email };
}

export function generatePeople({ random, period }: Scenario): People {
  const { firstName, lastName, email } = generatePerson(random);
  const counselor = random.pick(COUNSELORS);
  const dispatcher = random.pick(DISPATCHERS);
  return period.hasNames
    ? { customer: `${firstName} ${lastName}`, counselor, dispatcher }
    : { customer: email, counselor: mailbox(counselor), dispatcher: mailbox(dispatcher) };
}

function mailbox(name: string): string {
  return `${name.replace(' ', '.').toLowerCase()}@waybill.example`;
}
