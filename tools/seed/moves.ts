import type { Move } from '../../src/moves/move.entity.js';
import { firstVersion, isTooNewToChange, type Scenario } from './scenario.js';
import type { People } from './people.js';
import { versionsOf, type Change, type Versions } from './versions.js';
import { MOVE_REMARKS } from './vocabulary.js';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODES = ALPHABET.length ** 6;

/**
 * Move codes that never repeat: a walk through all of them whose steps look random. It is a walk and not a draw because
 * among a million drawn codes hundreds would be twins.
 */
export function* moveCodes(start: number, taken: ReadonlySet<string>): Generator<string, never> {
  for (let step = start; ; step++) {
    const code = spell(scatter(step % CODES));
    if (!taken.has(code)) yield code;
  }
}

/** Sends each number below 2^30 to another one, no two to the same: multiplying by an odd number and folding both can be undone. */
function scatter(number: number): number {
  const mask = CODES - 1;
  let scattered = Math.imul(number, 0x2c1b3c6d) & mask;
  scattered ^= scattered >>> 15;
  scattered = Math.imul(scattered, 0x297a2d39) & mask;
  return scattered ^ (scattered >>> 15);
}

function spell(number: number): string {
  let code = '';
  for (let place = 0; place < 6; place++) code += ALPHABET[(number >>> (5 * place)) & 31] ?? '';
  return code;
}

export function generateMove(scenario: Scenario, moveCode: string, created: number, people: People): Versions<Move> {
  const { random, period } = scenario;
  const { id, createdAt, updatedAt } = firstVersion(scenario, created);
  const orderID = `ORD-${createdAt.slice(0, 4)}-${random.between(100_000, 999_999)}`;
  const first = {
    id,
    createdAt,
    updatedAt,
    moveCode,
    orderID: random.chance(0.8) ? orderID : null,
    remarks: random.chance(0.1) ? random.pick(MOVE_REMARKS) : null,
  };
  const changes: Change<Move>[] = [];
  const later = () => created + random.between(period.hour, 20 * period.day);
  if (first.orderID === null && random.chance(0.4)) {
    changes.push({ at: later(), by: people.counselor, values: { orderID } });
  }
  if (first.remarks === null && random.chance(0.2)) {
    changes.push({ at: later(), by: people.customer, values: { remarks: random.pick(MOVE_REMARKS) } });
  }
  return versionsOf(scenario, first, people.customer, isTooNewToChange(scenario, created) ? [] : changes);
}
