import type { Address } from '../../src/shipments/address.js';
import type { Random } from './random.js';
import { CARE_OF, CITIES, STREETS, STREETS_TOO, STREET_KINDS, UNITS } from './vocabulary.js';

export function generateAddress(random: Random, moment: number): Address {
  const { city, state, zip } = random.pick(CITIES);
  const street = random.pick(random.chance(0.5) ? STREETS : STREETS_TOO);
  return {
    id: random.uuid(moment),
    streetAddress1: `${random.between(1, 9_899)} ${street} ${random.pick(STREET_KINDS)}`,
    streetAddress2: random.chance(0.3) ? `${random.pick(UNITS)} ${random.between(1, 420)}` : null,
    streetAddress3: random.chance(0.04) ? random.pick(CARE_OF) : null,
    city,
    state,
    postalCode: `${zip}${String(random.between(1, 99)).padStart(2, '0')}`,
    country: random.chance(0.6) ? 'US' : null,
  };
}
