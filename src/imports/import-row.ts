import { isDeepStrictEqual } from 'node:util';
import { bulkItem, type BulkItem } from '../bulk/bulk-item.js';
import { conflictingFields } from '../writes/conflicting-fields.js';
import { writtenValues } from '../writes/read-fields.js';
import { valueAt } from '../history/changes.js';
import type { Problem } from '../problem/problem.js';
import { NewShipmentFields } from '../shipments/dto/shipment-fields.js';
import type { Shipment } from '../model/shipment.entity.js';
import { fieldsOf } from '../validation/fields-of.js';
import type { Import } from '../model/import.entity.js';
import type { FileRow } from './reading/file-format.js';
import type { Json } from './row-values.js';

/** The planned and actual outcomes of rows, each with the name of its count in the import. */
const COUNT_OF = {
  create: 'toCreate',
  change: 'toChange',
  created: 'created',
  changed: 'changed',
  unchanged: 'unchanged',
  refused: 'refused',
} as const satisfies Readonly<Record<string, keyof Import>>;

export type Outcome = keyof typeof COUNT_OF;
export const OUTCOMES = Object.keys(COUNT_OF) as readonly Outcome[];

type Counted = Pick<ImportRow, 'outcome'>;

/** The counts of an import by outcome; their sum is `rows`. */
export type Counts = Readonly<Record<(typeof COUNT_OF)[Outcome], number>>;

export const NO_ROWS = Object.fromEntries(Object.values(COUNT_OF).map((name) => [name, 0])) as Counts;

export function recount(counts: Counts, before: readonly Counted[], after: readonly Counted[]): Counts {
  const names = Object.values(COUNT_OF);
  const result = Object.fromEntries(names.map((name) => [name, counts[name]])) as Record<keyof Counts, number>;
  for (const { outcome } of before) result[COUNT_OF[outcome]] -= 1;
  for (const { outcome } of after) result[COUNT_OF[outcome]] += 1;
  return result;
}

/** The stored part of a problem, from which its response is built. */
export type StoredProblem = Pick<Problem, 'code' | 'detail' | 'members'>;

export interface ImportRow {
  readonly line: number;
  readonly outcome: Outcome;
  /** The shipment that the row changes or has created. */
  readonly recordID: string | null;
  /** Its code, if the shipment exists. Not stored. */
  readonly shipmentCode?: string | null;
  readonly eTag: string | null;
  /** Discarded once the row can no longer be refused. */
  readonly sent: FileRow['sent'] | null;
  /** The body of the equivalent single request: a new shipment, or the fields that differ from the version. */
  readonly body: Json | null;
  /** The values of these fields in the row's version, and of the other fields of an address that it changes. */
  readonly base: Json | null;
  readonly problem: StoredProblem | null;
  /** The shipment when the row was refused, or when its change was merged with others. */
  readonly current: object | null;
  /** Whether the values of the row were erased; absent before the row is stored. */
  readonly erased?: boolean;
}

export type FinishedRow = Pick<ImportRow, 'line' | 'outcome' | 'recordID' | 'problem' | 'current'>;

export function writtenBy(body: Json): ReadonlyMap<string, unknown> {
  return writtenValues(NewShipmentFields, body, 'merge');
}

/** The record's values of the fields that a body writes, and of all fields of the parts that it writes. */
export function baseOf(body: Json, record: object): Json {
  const parts = fieldsOf(NewShipmentFields).filter(({ name, part }) => part !== undefined && Object.hasOwn(body, name));
  const whole = Object.fromEntries(parts.map(({ name }) => [name, null]));
  const fields = writtenBy({ ...body, ...whole }).keys();
  return Object.fromEntries([...fields].map((field) => [field, valueAt(record, field)]));
}

/** The equivalent single request. */
export function itemOf(
  { outcome, recordID, body }: Pick<ImportRow, 'outcome' | 'recordID' | 'body'>,
  ifMatch: string,
): BulkItem {
  return outcome === 'create'
    ? bulkItem({ op: 'create', values: body })
    : bulkItem({ op: 'update', id: recordID ?? '', ifMatch, patch: body });
}

/**
 * Merges a change to an old version with the current record: `merged` if no one else has changed a value that it writes, or only to the
 * same value; `done` if the record already has all its values.
 */
export function mergeWith(
  { body, base }: Pick<ImportRow, 'body' | 'base'>,
  current: Shipment,
): 'merged' | 'done' | 'conflicting' {
  const written = writtenBy(body ?? {});
  const isNow = ([field, value]: readonly [string, unknown]) => isDeepStrictEqual(value, valueAt(current, field));
  const changed = Object.entries(base ?? {}).filter((entry) => !isNow(entry));
  const fields = changed.map(([field]) => field);
  if (conflictingFields(fields, written, current).size > 0) return 'conflicting';
  return [...written].every(isNow) ? 'done' : 'merged';
}

/** The shipment that a row's change is merged with, if its version is not the one that the row names. */
export function mergedWith({ eTag }: Pick<ImportRow, 'eTag'>, current: Shipment | undefined): Shipment | null {
  return current === undefined || current.eTag === eTag ? null : current;
}

/** The stored form of a refused row; `current` is its shipment, if any. */
export function refusal({ code, detail, members }: Problem, current: Shipment | undefined) {
  return { outcome: 'refused', problem: { code, detail, members }, current: current ?? null } as const;
}
