import type { Property } from '../property.js';
import { faultyBodies, rawBodies } from './bodies.js';
import { callers, strangers } from './callers.js';
import { faultyHeaders } from './headers.js';
import { otherMethods, unknownPaths } from './methods.js';
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
];
