import type { Json } from '../../../../test/support/http/api.js';
import type { Answer } from '../wire.js';
import type { Target } from '../target.js';
import { ADDRESSES } from './kinds.js';
import { differences } from './versions.js';
import { same, type Tracked, type World } from './world.js';

/** How a client fills If-Match. */
export const CONDITIONS = ['known', 'known', 'known', 'quoted', 'list', 'any', 'none', 'weak', 'foreign'] as const;
export type Condition = (typeof CONDITIONS)[number];

export interface Precondition {
  readonly headers: Record<string, string>;
  readonly holds: boolean;
  /** The version it names. */
  readonly named: string;
}

const NOBODYS = '0'.repeat(64);

/** A condition for a record, and whether it holds. */
export function preconditionOf(world: World, client: number, record: Tracked, condition: Condition): Precondition {
  const current: string = record.current?.eTag ?? NOBODYS;
  const known = world.knownTo(client, record);
  switch (condition) {
    case 'known':
      return { headers: { 'If-Match': known }, holds: known === current, named: known };
    case 'quoted':
      return { headers: { 'If-Match': `"${known}"` }, holds: known === current, named: known };
    case 'list':
      return { headers: { 'If-Match': `"${NOBODYS}", "${known}"` }, holds: known === current, named: known };
    case 'any':
      return { headers: { 'If-Match': '*' }, holds: true, named: current };
    case 'weak':
      return { headers: { 'If-Match': `W/"${current}"` }, holds: false, named: current };
    case 'foreign':
      return { headers: { 'If-Match': 'a-tag-of-another-system' }, holds: false, named: 'a-tag-of-another-system' };
    case 'none':
      return { headers: {}, holds: true, named: current };
  }
}

/** Checks a refusal for its version: what the record is now, and exactly what changed since. */
export function expectConflict({ client }: Target, answer: Answer, record: Tracked, named: string): void {
  const { current, kind, versions } = record;
  client.expect('stale versions are refused', answer, answer.status === 412, 'no 412');
  client.expect(
    'a conflict names the version',
    answer,
    answer.body.currentETag === current.eTag,
    'another currentETag',
  );
  const base = versions.find(({ eTag }) => eTag === named);
  const changes: Json[] | undefined = answer.body.changes;
  if (base === undefined) {
    client.expect('a conflict lists the changes', answer, changes === undefined, 'changes of no version');
    return;
  }
  const fields = (changes ?? []).map(({ field }) => field).sort();
  const expected = [...differences(kind, base, current), ...newIDs(base, current)].sort();
  client.expect('a conflict lists the changes', answer, same(fields, expected), `not ${expected.join()}`);
}

/** The ids of addresses that were removed and added again, which a client needs to write them. */
function newIDs(base: Json, current: Json): string[] {
  const replaced = ADDRESSES.filter((name) => base[name] && current[name] && base[name].id !== current[name].id);
  return replaced.map((name) => `${name}/id`);
}
