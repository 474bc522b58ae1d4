import { MOVES } from '../model/move.entity.js';
import type { Resource } from '../records/resource.js';
import { CHILDREN_OF_SHIPMENTS } from '../model/relations.js';
import { SHIPMENTS } from '../model/shipment.entity.js';

/** The records whose deletions are listed and can be undone. */
export const RESTORABLE: readonly Resource[] = [MOVES, SHIPMENTS, ...CHILDREN_OF_SHIPMENTS];
