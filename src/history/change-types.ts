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

/** Changes that a kind of record has only if its resource says so. The triggers use the same names. */
const SPECIAL: readonly string[] = ['statusChanged', 'disabled'];

function canHave({ undelete, specialChange }: Resource, change: string): boolean {
  if (change === 'restored') return undelete !== undefined;
  return change === specialChange || !SPECIAL.includes(change);
}

/** All event types: the name of the record and the change, joined by a dot. */
export function eventTypesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap((resource) =>
    CHANGE_TYPES.filter((change) => canHave(resource, change)).map((change) => `${resource.name}.${change}`),
  );
}
