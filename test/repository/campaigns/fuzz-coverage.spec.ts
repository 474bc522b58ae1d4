import { readFileSync } from 'node:fs';
import { PROBLEM_TYPES } from '../../../src/api-texts/problem-types.js';
import { coverageGaps, isInReach, OUT_OF_REACH } from '../../../tools/campaigns/fuzz/coverage.js';
import { Description } from '../../../tools/campaigns/fuzz/description.js';
import { goalsOf } from '../../../tools/campaigns/fuzz/goals.js';
import { PROPERTIES } from '../../../tools/campaigns/fuzz/properties/all.js';
import type { Property } from '../../../tools/campaigns/fuzz/property.js';
import { Tally } from '../../../tools/campaigns/fuzz/tally.js';

const description = new Description(JSON.parse(readFileSync('openapi.json', 'utf8')));
const goals = goalsOf(description);
const ALL = goals.map(({ key }) => key);

/** A tally in which these generators reached everything but one goal. */
function tallyWithout(missing: string, ...generators: readonly string[]): Tally {
  const tally = new Tally();
  for (const generator of generators) {
    tally.enter(generator);
    tally.answered(
      200,
      ALL.filter((key) => key !== missing),
    );
  }
  return tally;
}

const lists: Property = {
  name: 'lists',
  runs: 1,
  covers: ({ name, outcome }) => name === '?limit' && outcome === 'accepted',
  of: () => {
    throw new Error('is not run');
  },
};

test('the document has goals of every kind', () => {
  expect(new Set(goals.map(({ kind }) => kind)).size).toBe(6);
  expect(ALL).toEqual(
    expect.arrayContaining([
      'listShipments',
      'listShipments ?updatedSince accepted',
      'listShipments ?updatedSince at fault',
      'updateShipment If-Match accepted',
      'updateShipment /pickupAddress/city accepted',
      'updateShipment application/merge-patch+json accepted',
      'updateShipment 412 PRECONDITION_FAILED',
      'readShipment 304',
      'readWelcome 200 text/html',
      'deleteShipment 204',
    ]),
  );
});

test('no gap when everything was reached', () => {
  expect(coverageGaps(goals, [lists], tallyWithout('nothing', 'lists'))).toEqual([]);
});

test('a gap for each kind of thing that nothing reached', () => {
  const inReach = goals.filter(isInReach);
  const kinds = [...new Set(goals.map(({ kind }) => kind))];
  for (const { key } of kinds.flatMap((kind) => inReach.find((goal) => goal.kind === kind) ?? [])) {
    expect(coverageGaps(goals, [], tallyWithout(key, 'others'))).toEqual([`no generator: ${key}`]);
  }
});

test('a gap when a generator did not reach what it stands for, though another one did', () => {
  const missing = 'listMoves ?limit accepted';
  const tally = tallyWithout(missing, 'lists');
  tally.enter('others');
  tally.answered(200, [missing]);
  expect(coverageGaps(goals, [lists], tally)).toEqual([`lists: ${missing}`]);
});

test('only problems that the service knows are out of reach', () => {
  expect(Object.keys(OUT_OF_REACH).filter((code) => PROBLEM_TYPES.every((type) => type.code !== code))).toEqual([]);
});

test('every generator stands for something, but those of requests that the document does not have and races', () => {
  const properties = PROPERTIES.flatMap((group) => group.properties);
  const idle = properties.filter(({ covers }) => !goals.some((goal) => covers?.(goal) === true));
  expect(idle.map(({ name }) => name)).toEqual(['other-methods', 'unknown-paths', 'races', 'creation-races']);
});
