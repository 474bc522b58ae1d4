import { eventTypesOf } from '../history/change-types.js';
import { IMPORTS } from '../imports/import.entity.js';
import { MOVES } from '../moves/move.entity.js';
import type { Resource } from '../records/resource.js';
import { CHILDREN_OF_SHIPMENTS } from '../shipments/shipment-relations.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import { WEBHOOKS } from './webhook.entity.js';

/** The records whose events a webhook can receive: all of them. */
export const SUBSCRIBABLE: readonly Resource[] = [MOVES, SHIPMENTS, ...CHILDREN_OF_SHIPMENTS, IMPORTS, WEBHOOKS];

export const EVENT_TYPES: readonly string[] = eventTypesOf(SUBSCRIBABLE);

export function isEventType(value: unknown): value is string {
  return typeof value === 'string' && EVENT_TYPES.includes(value);
}

/** The kind of record of an event type such as `shipment.created`. */
export function kindOf(type: string): Resource {
  const name = type.slice(0, type.indexOf('.'));
  const kind = SUBSCRIBABLE.find((resource) => resource.name === name);
  if (kind === undefined) throw new Error(`No record has events of the type ${type}`);
  return kind;
}
