import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import type { PageRequest } from '../http/paging.js';
import { Records } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { Page } from '../records/stored.js';
import type { ETag } from '../records/version.js';
import { changesBetween, valuesOfRow, type Values } from './changes.js';
import { ENTRIES, ENTRIES_BEFORE, ENTRIES_SINCE, VERSION_AMONG } from './history-sql.js';

type Row = Record<string, unknown>;

interface Entry {
  readonly position: string;
  readonly kind: string;
  readonly recordID: string;
  readonly type: 'created' | 'updated' | 'statusChanged' | 'deleted';
  readonly eTag: ETag | null;
  readonly changedBy: string;
  readonly changedAt: string;
  readonly requestID: string | null;
  readonly record: Row | null;
  readonly before: Row | null;
}

/** A version that a record once had. */
export interface PastVersion {
  readonly rootID: string;
  readonly position: string;
  readonly values: Values;
}

/** Who gave a field its present value, and when. */
export interface Attribution {
  readonly changedBy: string;
  readonly changedAt: string;
}

/** Reads what the database wrote down about every change. Writing it is the triggers' work alone. */
@Injectable()
export class History {
  constructor(
    private readonly database: Database,
    private readonly records: Records,
  ) {}

  /** The changes of a record and of what belongs to it (`kinds`, the record's own first), newest first, or 404. */
  async page(kinds: readonly [Resource, ...Resource[]], name: string, { limit, after }: PageRequest): Promise<Page> {
    const rootID = await this.records.idOf(kinds[0], name);
    const values = [rootID, kinds.map((kind) => kind.name), limit + 1];
    const entries = await (after === undefined
      ? this.database.query<Entry>(ENTRIES, values)
      : this.database.query<Entry>(ENTRIES_BEFORE, [...values, after]));
    // A record that was not changed for long may have all its months moved out; one that never was is not found.
    if (entries.length === 0 && after === undefined) await this.records.read(kinds[0], rootID);
    const shown = entries.slice(0, limit);
    const texts = shown.map((entry) => JSON.stringify(this.show(kinds, entry)));
    return new Page(texts.join(','), entries.length > limit ? shown.at(-1)?.position : undefined);
  }

  /** The newest of these eTags that the record once had, if any. */
  async versionAmong(
    transaction: Transaction,
    resource: Resource,
    recordID: string,
    eTags: readonly string[],
  ): Promise<PastVersion | undefined> {
    const [found] = await transaction.query<{ rootID: string; position: string; record: Row }>(VERSION_AMONG, [
      recordID,
      eTags.map((eTag) => Buffer.from(eTag, 'hex')),
    ]);
    if (found === undefined) return undefined;
    const { rootID, position, record } = found;
    return { rootID, position, values: valuesOfRow(this.records.fieldsByColumn(resource), record) };
  }

  /** For each of the fields, the newest change of it since a past version. */
  async attribute(
    transaction: Transaction,
    resource: Resource,
    recordID: string,
    base: PastVersion,
    fields: readonly string[],
  ): Promise<ReadonlyMap<string, Attribution>> {
    const attributions = new Map<string, Attribution>();
    const columns = this.records.fieldsByColumn(resource);
    let upTo: string | null = null;
    let newer: { entry: Entry; values: Values } | undefined;
    const compareWith = (older: Values) => {
      if (newer === undefined) return;
      const { changedBy, changedAt } = newer.entry;
      for (const { field } of changesBetween(older, newer.values)) {
        if (fields.includes(field) && !attributions.has(field)) attributions.set(field, { changedBy, changedAt });
      }
    };
    while (attributions.size < fields.length) {
      const entries: readonly Entry[] = await transaction.query<Entry>(ENTRIES_SINCE, [
        base.rootID,
        recordID,
        base.position,
        upTo,
      ]);
      for (const entry of entries) {
        const values = valuesOfRow(columns, entry.record);
        compareWith(values);
        newer = { entry, values };
      }
      upTo = entries.at(-1)?.position ?? null;
      if (upTo === null) {
        compareWith(base.values);
        break;
      }
    }
    return attributions;
  }

  private show(kinds: readonly Resource[], entry: Entry): object {
    const { type, kind, recordID, eTag, changedBy, changedAt, requestID } = entry;
    const resource = kinds.find((candidate) => candidate.name === kind);
    const fields = resource === undefined ? new Map<string, string>() : this.records.fieldsByColumn(resource);
    const changes = changesBetween(valuesOfRow(fields, entry.before), valuesOfRow(fields, entry.record));
    return { type, resource: kind, resourceID: recordID, eTag, changedBy, changedAt, requestID, changes };
  }
}
