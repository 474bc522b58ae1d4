import type { VersionedRecord } from '../../src/records/versioned-record.js';
import { iso } from './clock.js';
import type { Period } from './period.js';
import type { Random } from './random.js';

/** A record as it is stored: with everything but the eTag, which is derived when it is read. */
export type Row<T extends VersionedRecord> = Omit<T, 'eTag'>;

/** What generated records depend on: random numbers, and the moment at which the generated period ends. */
export interface Scenario {
  readonly random: Random;
  readonly until: number;
  readonly period: Period;
  readonly shipmentTypes: readonly string[];
}

/** The columns that every record has, as they are when it is created. */
export function firstVersion({ random }: Scenario, created: number): Row<VersionedRecord> {
  const createdAt = iso(created);
  return { id: random.uuid(created), createdAt, updatedAt: createdAt };
}

/** Whether a record was created so shortly before the end of the period that nobody has changed it yet. */
export function isTooNewToChange({ until, period }: Scenario, created: number): boolean {
  return until - created < period.hour;
}
