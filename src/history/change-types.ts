import type { Resource } from '../records/resource.js';

/** Types of changes. `erased`: values or authors of earlier changes were erased. */
export const CHANGE_TYPES = ['created', 'updated', 'statusChanged', 'disabled', 'deleted', 'erased'] as const;

/** Changes that only one kind of record has; the history trigger uses the same names. */
const ONLY_OF: Partial<Record<(typeof CHANGE_TYPES)[number], string>> = {
  statusChanged: 'shipment',
  disabled: 'webhook',
};

/** All event types: `shipment.created`, `shipment.updated` and so on. */
export function eventTypesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ name }) =>
    CHANGE_TYPES.filter((change) => (ONLY_OF[change] ?? name) === name).map((change) => `${name}.${change}`),
  );
}
