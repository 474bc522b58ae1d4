import type { Resource } from '../records/resource.js';

/** Types of changes. `erased`: values or authors of earlier changes were erased. */
export const CHANGE_TYPES = ['created', 'updated', 'statusChanged', 'deleted', 'erased'] as const;

/** The kind of record with a status; the history trigger uses the same name. */
const WITH_STATUS = 'shipment';

/** All event types: `shipment.created`, `shipment.updated` and so on. */
export function eventTypesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ name }) =>
    CHANGE_TYPES.filter((change) => change !== 'statusChanged' || name === WITH_STATUS).map(
      (change) => `${name}.${change}`,
    ),
  );
}
