import { IMPORTS } from './imports/import.entity.js';
import { MOVES } from './moves/move.entity.js';
import type { Resource } from './records/resource.js';
import { CHILDREN_OF_SHIPMENTS } from './shipments/shipment-relations.js';
import { SHIPMENTS } from './shipments/shipment.entity.js';

/** All resources, parents before their children. */
export const ALL_RESOURCES: readonly Resource[] = [MOVES, SHIPMENTS, ...CHILDREN_OF_SHIPMENTS, IMPORTS];

export const ENTITIES = ALL_RESOURCES.map(({ entity }) => entity);
