import type { VersionedRecord } from '../../src/records/versioned-record.js';
import { iso } from './clock.js';
import type { Scenario, Row } from './scenario.js';

export interface Change<T extends VersionedRecord> {
  readonly at: number;
  readonly by: string;
  readonly values: Partial<Omit<Row<T>, keyof VersionedRecord>>;
}

/** A record as one change left it. */
export interface Version<T extends VersionedRecord> {
  readonly row: Row<T>;
  readonly type: 'created' | 'updated' | 'statusChanged';
  readonly changedBy: string;
  readonly requestID: string;
}

/** All versions of a record, oldest first; the last one is the record as it is now. */
export type Versions<T extends VersionedRecord> = readonly [Version<T>, ...Version<T>[]];

export function versionsOf<T extends VersionedRecord>(
  { random, until }: Scenario,
  first: Row<T>,
  author: string,
  changes: readonly Change<T>[],
): Versions<T> {
  const created = Date.parse(first.createdAt);
  const ordered = changes.toSorted((one, other) => one.at - other.at);
  const last = ordered.at(-1)?.at ?? created;
  // Changes that would come after the end of the period move closer together, so that all of them happen before it.
  const pace = last > until ? (until - created) / (last - created) : 1;
  const versions: [Version<T>, ...Version<T>[]] = [
    { row: first, type: 'created', changedBy: author, requestID: random.uuid(created) },
  ];
  let before = first;
  let moment = created;
  for (const { at, by, values } of ordered) {
    moment = Math.max(moment + 1, Math.floor(created + (at - created) * pace));
    const row = { ...before, ...values, updatedAt: iso(moment) };
    const type = 'status' in values ? 'statusChanged' : 'updated';
    versions.push({ row, type, changedBy: by, requestID: random.uuid(moment) });
    before = row;
  }
  return versions;
}

export function latest<T extends VersionedRecord>(versions: Versions<T>): Row<T> {
  return (versions.at(-1) ?? versions[0]).row;
}
