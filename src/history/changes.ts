import { changedColumns, NO_ROW } from './changed-columns.js';

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
  const columns = changedColumns((isKnown ? before : undefined) ?? NO_ROW, row ?? NO_ROW);
  const changes: string[] = [];
  for (const [column, field] of fields) {
    const changed = columns.get(column);
    if (isPartID(field)) continue;
    if (!isKnown) changes.push(`{"field":"${field}","to":${changed?.to ?? 'null'}}`);
    else if (changed) changes.push(`{"field":"${field}","from":${changed.from},"to":${changed.to}}`);
  }
  return changes.join();
}

/** No value of a row contains this text, because quotes are escaped in values. */
function isErased(row: string | null): boolean {
  return row?.includes('"erased": true') === true;
}

/** A part's id appears and disappears with the part, so it is not reported. */
export function isPartID(field: string): boolean {
  return field.endsWith('/id');
}
