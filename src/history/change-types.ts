import type { Resource } from '../records/resource.js';

/** What can be done to a record. `erased`: values or authors of its former changes were erased. */
export const CHANGE_TYPES = ['created', 'updated', 'statusChanged', 'deleted', 'erased'] as const;

/** The kind of record that has a status; the trigger that writes history knows it by this name, too. */
const WITH_STATUS = 'shipment';

/** Every type that an event can have: `shipment.created`, `shipment.updated` and so on. */
export function eventTypesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ name }) =>
    CHANGE_TYPES.filter((change) => change !== 'statusChanged' || name === WITH_STATUS).map(
      (change) => `${name}.${change}`,
    ),
  );
}
