import type { Random } from './random.js';
import { COUNSELORS, DISPATCHERS, FIRST_NAMES, LAST_NAMES, MORE_FIRST_NAMES, MORE_LAST_NAMES } from './vocabulary.js';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  /** In a domain that is reserved for examples. */
  readonly email: string;
}

/** Who has to do with one move. Each is named as a token would name its subject. */
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

export function generatePeople(random: Random): People {
  return {
    customer: generatePerson(random).email,
    counselor: random.pick(COUNSELORS),
    dispatcher: random.pick(DISPATCHERS),
  };
}
