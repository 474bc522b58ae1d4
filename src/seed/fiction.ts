import type { VersionedRecord } from '../records/versioned-record.js';
import { iso } from './clock.js';
import type { Random } from './random.js';

/** A record as it is stored: with everything but the eTag, which is derived when it is read. */
export type Row<T extends VersionedRecord> = Omit<T, 'eTag'>;

/** Where invented records come from: chance, and the moment at which the story ends. */
export interface Fiction {
  readonly random: Random;
  readonly until: number;
  readonly shipmentTypes: readonly string[];
}

/** The columns that every record has; it was created at one moment and changed last at another, neither after the end. */
export function stamps({ random, until }: Fiction, created: number, updated: number): Row<VersionedRecord> {
  const createdAt = Math.min(created, until);
  const updatedAt = Math.min(Math.max(updated, createdAt), until);
  return { id: random.uuid(createdAt), createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}
