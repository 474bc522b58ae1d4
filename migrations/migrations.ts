import { VersionClock1763400000001 } from './1763400000001-version-clock.js';
import { History1763400000002 } from './1763400000002-history.js';
import { Moves1763400000003 } from './1763400000003-moves.js';
import { Shipments1763400000004 } from './1763400000004-shipments.js';
import { AgentsAndServices1763400000005 } from './1763400000005-agents-and-services.js';
import { IdempotencyKeys1763400000006 } from './1763400000006-idempotency-keys.js';
import { Events1763400000007 } from './1763400000007-events.js';
import { Imports1763400000008 } from './1763400000008-imports.js';
import { Erasures1763400000009 } from './1763400000009-erasures.js';
import { Search1763400000010 } from './1763400000010-search.js';
import { Webhooks1763400000011 } from './1763400000011-webhooks.js';

/** In the order in which they run. */
export const MIGRATIONS = [
  VersionClock1763400000001,
  History1763400000002,
  Moves1763400000003,
  Shipments1763400000004,
  AgentsAndServices1763400000005,
  IdempotencyKeys1763400000006,
  Events1763400000007,
  Imports1763400000008,
  Erasures1763400000009,
  Search1763400000010,
  Webhooks1763400000011,
];
