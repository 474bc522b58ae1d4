import { isDeepStrictEqual } from 'node:util';
import { bulkItem, type BulkItem } from '../bulk/bulk-item.js';
import { writtenValues } from '../writes/written-values.js';
import { valueAt } from '../history/changes.js';
import type { Problem } from '../problem/problem.js';
import { NewShipmentFields } from '../shipments/dto/shipment-fields.js';
import type { Shipment } from '../shipments/shipment.entity.js';
import type { COUNTS } from './import.entity.js';
import type { FileRow } from './reading/file-row.js';
import type { Json } from './row-values.js';

/** What a row is to do, or what became of it. */
export const OUTCOMES = ['create', 'change', 'created', 'changed', 'unchanged', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The count of an import that a row belongs to. */
export const COUNT_OF: Readonly<Record<Outcome, (typeof COUNTS)[number]>> = {
  create: 'toCreate',
  change: 'toChange',
  created: 'created',
  changed: 'changed',
  unchanged: 'unchanged',
  refused: 'refused',
};

/** What is stored of a problem, from which its answer is made. */
export type StoredProblem = Pick<Problem, 'code' | 'detail' | 'members'>;

/** A row of an import as it is stored. */
export interface ImportRow {
  readonly line: number;
  readonly outcome: Outcome;
  /** The shipment that it changes, or has created. */
  readonly recordID: string | null;
  /** The version that the row names. */
  readonly eTag: string | null;
  /** Not kept of a row that cannot be refused any more. */
  readonly sent: FileRow['sent'] | null;
  /** What a request for this row alone would send: a new shipment, or the fields that differ from the version. */
  readonly body: Json | null;
  /** The values of these fields in that version. */
  readonly base: Json | null;
  readonly problem: StoredProblem | null;
  /** The shipment as it was when the row was refused, or when its change was merged with those of others. */
  readonly current: Json | null;
  /** The values of the row were erased; absent of a row that is not stored yet. */
  readonly erased?: boolean;
}

/** What a row writes, by field. */
export function writtenBy(body: Json): ReadonlyMap<string, unknown> {
  return writtenValues(NewShipmentFields, body, 'merge');
}

/** The values of a record in the fields that a body writes. */
export function baseOf(body: Json, record: object): Json {
  return Object.fromEntries([...writtenBy(body).keys()].map((field) => [field, valueAt(record, field)]));
}

/** The single request that a row stands for. */
export function itemOf(
  { outcome, recordID, body }: Pick<ImportRow, 'outcome' | 'recordID' | 'body'>,
  ifMatch: string,
): BulkItem {
  return outcome === 'create'
    ? bulkItem({ op: 'create', values: body })
    : bulkItem({ op: 'update', id: recordID ?? '', ifMatch, patch: body });
}

/**
 * How a change that was made to an old version goes together with the record as it is now: `merged` when nobody else touched a field
 * that it writes, or gave it the same value; `done` when the record has all its values already.
 */
export function mergeWith(
  { body, base }: Pick<ImportRow, 'body' | 'base'>,
  current: Shipment,
): 'merged' | 'done' | 'conflicting' {
  const written = [...writtenBy(body ?? {})];
  const left = written.filter(([field, value]) => !isDeepStrictEqual(value, valueAt(current, field)));
  if (left.some(([field]) => !isDeepStrictEqual(base?.[field], valueAt(current, field)))) return 'conflicting';
  return left.length === 0 ? 'done' : 'merged';
}

/** The shipment that the change of a row is merged with: one that is no longer of the version that the row names. */
export function mergedWith({ eTag }: Pick<ImportRow, 'eTag'>, current: Shipment | undefined): Json | null {
  return (current === undefined || current.eTag === eTag ? null : current) as Json | null;
}

/** What is stored of a row that was refused; `current` is the shipment that it names, if there is one. */
export function refusal({ code, detail, members }: Problem, current: Shipment | undefined) {
  const shown = (current ?? null) as Json | null;
  return { outcome: 'refused', problem: { code, detail, members }, current: shown } as const;
}
