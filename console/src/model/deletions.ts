import type { Agent, Deletion, Move, Service, Shipment } from '@waybill/client';
import { t } from '../texts/texts.js';
import type { Resource } from './held-records.js';

export interface RecordOfKind {
  readonly shipment: Shipment;
  readonly move: Move;
  readonly agent: Agent;
  readonly service: Service;
}

/** The fields that name a record. */
const NAMES: Readonly<Record<Resource, readonly string[]>> = {
  shipment: ['shipmentCode'],
  move: ['moveCode'],
  agent: ['firstName', 'lastName'],
  service: ['code'],
};

/** What people call a record. */
export function nameOf(kind: Resource, record: object): string {
  const values = new Map<string, unknown>(Object.entries(record));
  return NAMES[kind]
    .map((field) => values.get(field))
    .filter(Boolean)
    .join(' ');
}

/** What people call a deleted record. If its values were erased, only its kind is known. */
export function nameOfDeleted({ resource, values }: Deletion): string {
  return values === null ? t.kinds[resource] : nameOf(resource, values);
}

/** The last version of a deleted record. Undefined if its values were erased. */
export function lastVersion<K extends Resource>(
  kind: K,
  deletion: Deletion | null | undefined,
): RecordOfKind[K] | undefined {
  return deletion?.resource === kind ? ((deletion.values ?? undefined) as RecordOfKind[K] | undefined) : undefined;
}

/** Whether this version was deleted. If the record was restored and deleted again, that is another deletion, perhaps by somebody else. */
export function isDeletionOf(kind: Resource, eTag: string, deletion: Deletion | null | undefined): boolean {
  return lastVersion(kind, deletion)?.eTag === eTag;
}

/** Shipments that were deleted before their move within this time, by the same person, were probably part of the same clean-up. */
const CLEAN_UP_MS = 3_600_000;

/** The shipments that were probably deleted only because a move with shipments cannot be deleted. */
export function deletedFor(move: Deletion, shipments: readonly Deletion[]): Deletion[] {
  const from = Date.parse(move.deletedAt) - CLEAN_UP_MS;
  return shipments.filter(({ deletedBy, deletedAt, values }) => {
    const isRecent = Date.parse(deletedAt) >= from && deletedAt <= move.deletedAt;
    return isRecent && deletedBy === move.deletedBy && values !== null;
  });
}
