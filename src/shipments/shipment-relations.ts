import { MOVES } from '../moves/move.entity.js';
import type { Relation } from '../records/resource.js';
import { AGENTS } from './agents/agent.entity.js';
import { SERVICES } from './services/service.entity.js';
import { SHIPMENTS } from './shipment.entity.js';

/** What `expand` can put inside what. Moves do not know shipments, so their expansion stands here too. */
export const RELATIONS_OF_SHIPMENTS: readonly Relation[] = [
  { of: SHIPMENTS, name: 'services', many: SERVICES, by: 'shipmentID' },
  { of: SHIPMENTS, name: 'agents', many: AGENTS, by: 'shipmentID' },
  { of: SHIPMENTS, name: 'move', one: MOVES, by: 'moveID' },
  { of: MOVES, name: 'shipments', many: SHIPMENTS, by: 'moveID' },
];
