import { VersionClock1763400000001 } from './1763400000001-version-clock.js';
import { History1763400000002 } from './1763400000002-history.js';
import { MovesAndShipments1763400000003 } from './1763400000003-moves-and-shipments.js';
import { AgentsAndServices1763400000004 } from './1763400000004-agents-and-services.js';
import { IdempotencyKeys1763400000005 } from './1763400000005-idempotency-keys.js';
import { Events1763400000006 } from './1763400000006-events.js';
import { Imports1763400000007 } from './1763400000007-imports.js';
import { Search1763400000008 } from './1763400000008-search.js';
import { Webhooks1763400000009 } from './1763400000009-webhooks.js';

/** In the order in which they run. */
export const MIGRATIONS = [
  VersionClock1763400000001,
  History1763400000002,
  MovesAndShipments1763400000003,
  AgentsAndServices1763400000004,
  IdempotencyKeys1763400000005,
  Events1763400000006,
  Imports1763400000007,
  Search1763400000008,
  Webhooks1763400000009,
];
