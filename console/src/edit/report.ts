import type { FieldChange, ProblemOf } from '@waybill/client';
import { valuesOf, type Value, type Values } from '../model/fields.js';
import { differences, type Report } from '../model/merge.js';

/**
 * What changed since a version that the user has seen. If its values were archived or erased, the 412 does not say so: then the record is
 * read, because its current eTag must not be sent before the user has seen its values.
 */
export async function reportOf(
  { currentETag, changes }: ProblemOf<'PRECONDITION_FAILED'>,
  seen: Values,
  read: () => Promise<{ readonly eTag: string }>,
): Promise<Report> {
  if (currentETag !== undefined && changes !== undefined) {
    return { currentETag, changes: changes.filter(isOfValue).map(changeOf) };
  }
  const current = await read();
  return { currentETag: current.eTag, changes: differences(seen, valuesOf(current)) };
}

/** An address that was added again has another id, which nobody sees. */
function isOfValue({ field }: FieldChange): boolean {
  return !field.endsWith('/id');
}

/** Of a shipment, whose fields are texts and numbers. */
function changeOf({ field, base, current, changedBy, changedAt }: FieldChange) {
  return { field, base: base as Value, current: current as Value, changedBy, changedAt };
}
