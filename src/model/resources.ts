import { eventTypesOf } from '../history/change-types.js';
import { ownTables, type Resource } from '../records/resource.js';
import { IMPORTS } from './import.entity.js';
import { KEYS } from './key.entity.js';
import { MOVES } from './move.entity.js';
import { CHILDREN_OF_SHIPMENTS } from './relations.js';
import { SHIPMENTS } from './shipment.entity.js';
import { WEBHOOKS } from './webhook.entity.js';

/** All resources, parents before their children. Each has events, and webhooks can subscribe to all of them. */
export const ALL_RESOURCES: readonly Resource[] = [MOVES, SHIPMENTS, ...CHILDREN_OF_SHIPMENTS, IMPORTS, WEBHOOKS, KEYS];

/** The records whose deletions are listed and can be undone. */
export const RESTORABLE = ALL_RESOURCES.filter(({ undelete }) => undelete !== undefined);

export const ENTITIES = ALL_RESOURCES.map(({ entity }) => entity);

export const OWN_TABLES = ownTables(ALL_RESOURCES);

export const EVENT_TYPES: readonly string[] = eventTypesOf(ALL_RESOURCES);

export function isEventType(value: unknown): value is string {
  return typeof value === 'string' && EVENT_TYPES.includes(value);
}

/** The kind of record of an event type such as `shipment.created`. */
export function kindOf(type: string): Resource {
  const name = type.slice(0, type.indexOf('.'));
  const kind = ALL_RESOURCES.find((resource) => resource.name === name);
  if (kind === undefined) throw new Error(`No record has events of the type ${type}`);
  return kind;
}
