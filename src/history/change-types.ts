import type { Resource } from '../records/resource.js';

/** Types of changes. `erased`: values or authors of earlier changes were erased. */
export const CHANGE_TYPES = [
  'created',
  'updated',
  'statusChanged',
  'disabled',
  'deleted',
  'restored',
  'erased',
] as const;

/** Changes that only some kinds of records have; the triggers use the same names. */
const ONLY_OF: Partial<Record<(typeof CHANGE_TYPES)[number], readonly string[]>> = {
  statusChanged: ['shipment'],
  disabled: ['webhook'],
  restored: ['move', 'shipment', 'agent', 'service'],
};

/** All event types: `shipment.created`, `shipment.updated` and so on. */
export function eventTypesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ name }) =>
    CHANGE_TYPES.filter((change) => ONLY_OF[change]?.includes(name) ?? true).map((change) => `${name}.${change}`),
  );
}
