import { isDeepStrictEqual } from 'node:util';
import { isPartID, valueAt, type Values } from '../history/changes.js';

/**
 * The `changed` fields that conflict with a write: it writes another value than the current one. A part such as an address is one value: a
 * write of one field means the part that the writer saw with that field replaced, so it conflicts if any field of the part has changed,
 * unless the part is the same now. Its id is no value.
 */
export function conflictingFields(changed: readonly string[], written: Values, current: object): ReadonlySet<string> {
  const differs = (field: string) => !isDeepStrictEqual(written.get(field), valueAt(current, field));
  const values = changed.filter((field) => !isPartID(field));
  return new Set(
    values.filter((field) => {
      const part = partOf(field);
      if (part === undefined) return written.has(field) && differs(field);
      const writtenInPart = [...written.keys()].filter((each) => partOf(each) === part);
      if (writtenInPart.length === 0) return false;
      return writtenInPart.some(differs) || values.some((each) => partOf(each) === part && !written.has(each));
    }),
  );
}

/** The part that a field such as `destinationAddress/city` belongs to. */
export function partOf(field: string): string | undefined {
  const [part, member] = field.split('/');
  return member === undefined ? undefined : part;
}
