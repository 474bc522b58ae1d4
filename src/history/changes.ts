import { jsonOf } from '../records/renderer.js';

/** Field values by path, such as `destinationAddress/city`. Missing values are null. */
export type Values = ReadonlyMap<string, unknown>;

/** The value of a field; null if it, or the part that contains it, is missing. */
export function valueAt(record: object, field: string): unknown {
  let value: unknown = record;
  for (const name of field.split('/')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value ?? null;
}

/** The fields of a kind of record, by column. */
export type FieldsByColumn = ReadonlyMap<string, string>;

/** The parts of a history entry that its changes depend on. A row is the text of a jsonb object; null after a deletion. */
export interface StoredChange {
  readonly type: string;
  readonly row: string | null;
  /** The row of the entry before it; undefined if there is none in history. */
  readonly before: string | null | undefined;
}

/** Whether the values that an entry replaced are known: not if the entry before it was archived or has erased values. */
export function knowsBefore({ type, before }: Omit<StoredChange, 'row'>): boolean {
  const isFirst = type === 'created' || type === 'restored';
  return isFirst || (before !== undefined && !isErased(before));
}

/**
 * The changes of an entry as the members of a JSON array. An entry with erased values reports none. An entry after an erased or archived one
 * reports all its values, because it is unknown which of them it changed.
 */
export function changesOf(change: StoredChange, fields: FieldsByColumn): string {
  const { row, before } = change;
  if (isErased(row)) return '';
  const isKnown = knowsBefore(change);
  if (!isKnown && row === null) return '';
  const from = isKnown ? valuesIn(before) : {};
  const to = valuesIn(row);
  let changes = '';
  for (const { column, beginning } of reportedIn(fields)) {
    const replaced = from[column];
    const value = to[column];
    if (isKnown && isSame(replaced, value)) continue;
    if (changes !== '') changes += ',';
    changes += isKnown ? `${beginning}"from":${jsonOf(replaced)},"to":` : `${beginning}"to":`;
    changes += `${jsonOf(value)}}`;
  }
  return changes;
}

function valuesIn(row: string | null | undefined): Readonly<Record<string, unknown>> {
  return row ? (JSON.parse(row) as Record<string, unknown>) : {};
}

/** Some columns are arrays. */
function isSame(one: unknown, other: unknown): boolean {
  return (
    one === other ||
    (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other))
  );
}

interface ReportedField {
  readonly column: string;
  /** Of its change, as JSON. */
  readonly beginning: string;
}

const REPORTED = new WeakMap<FieldsByColumn, readonly ReportedField[]>();

function reportedIn(fields: FieldsByColumn): readonly ReportedField[] {
  let reported = REPORTED.get(fields);
  if (reported === undefined) {
    const shown = [...fields].filter(([, field]) => !isPartID(field));
    reported = shown.map(([column, field]) => ({ column, beginning: `{"field":"${field}",` }));
    REPORTED.set(fields, reported);
  }
  return reported;
}

/** No value of a row contains this text, because quotes are escaped in values. */
function isErased(row: string | null): boolean {
  return row?.includes('"erased": true') === true;
}

/** A part's id appears and disappears with the part, so it is not reported. */
export function isPartID(field: string): boolean {
  return field.endsWith('/id');
}
