import type { Property } from '../property.js';
import { changesAreKept, creationsAreKept } from './accepted.js';
import { faultyBodies, rawBodies } from './bodies.js';
import { callers, strangers } from './callers.js';
import { faultyHeaders } from './headers.js';
import { lists } from './lists.js';
import { otherMethods, unknownPaths } from './methods.js';
import { sequences } from './sequences.js';
import { faultyURLs, unknownRecords, wrongParents } from './urls.js';

/** All properties, by what they leave behind, with the share of the requests that each group gets. */
export const PROPERTIES: readonly { readonly properties: readonly Property[]; readonly share: number }[] = [
  {
    share: 0.5,
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
  { share: 0.2, properties: [creationsAreKept, changesAreKept, lists] },
  { share: 0.3, properties: [sequences] },
];
