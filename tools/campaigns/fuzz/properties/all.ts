import type { Property } from '../property.js';
import { changesAreKept, creationsAreKept } from './accepted.js';
import { faultyBodies, rawBodies } from './bodies.js';
import { callers, strangers } from './callers.js';
import { faultyHeaders } from './headers.js';
import { lists } from './lists.js';
import { otherMethods, unknownPaths } from './methods.js';
import { creationRaces, races } from './races.js';
import { reads } from './reads.js';
import { sequences } from './sequences.js';
import { faultyURLs, unknownRecords, wrongParents } from './urls.js';

export interface Group {
  readonly properties: readonly Property[];
  /** The share of all requests that it gets. */
  readonly share: number;
  /** How many runs of it go on at once. */
  readonly lanes: number;
}

/** All properties, by what they leave behind. Refusals go in one lane: what is stored must stay as it is while they run. */
export const PROPERTIES: readonly Group[] = [
  {
    share: 0.5,
    lanes: 1,
    properties: [
      faultyBodies,
      rawBodies,
      faultyURLs,
      unknownRecords,
      wrongParents,
      faultyHeaders,
      otherMethods,
      unknownPaths,
      strangers,
      callers,
    ],
  },
  { share: 0.2, lanes: 2, properties: [creationsAreKept, changesAreKept, reads, lists] },
  { share: 0.25, lanes: 4, properties: [sequences] },
  { share: 0.05, lanes: 2, properties: [races, creationRaces] },
];
