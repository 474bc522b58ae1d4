import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Records } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { Page } from '../records/stored.js';
import type { ETag } from '../records/version.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { changesBetween, valuesOfRow, type Values } from './changes.js';
import { ENTRIES, ENTRIES_BEFORE, LAST_CHANGES, VERSION_AMONG } from './history-sql.js';

type Row = Record<string, unknown>;

interface Entry {
  readonly position: string;
  readonly kind: string;
  readonly recordID: string;
  readonly type: 'created' | 'updated' | 'statusChanged' | 'deleted';
  readonly eTag: ETag | null;
  readonly changedBy: string;
  readonly subject: string;
  readonly changedAt: string;
  readonly requestID: string | null;
  readonly record: Row | null;
  readonly before: Row | null;
}

/** A version that a record once had, and where history keeps it. */
export interface PastVersion {
  readonly rootID: string;
  readonly recordID: string;
  readonly position: string;
  /** Where history keeps the version that it is compared with. */
  readonly newestPosition: string;
  readonly values: Values;
}

type PastVersionRow = Pick<PastVersion, 'rootID' | 'position' | 'newestPosition'> & { readonly record: Row };

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
  async page(
    kinds: readonly [Resource, ...Resource[]],
    name: string,
    { limit, after }: { limit: number; after: string | undefined },
  ): Promise<Page> {
    const rootID = await this.records.idOf(kinds[0], name);
    const values = [rootID, kinds.map((kind) => kind.name), limit + 1];
    const entries = await (after === undefined
      ? this.database.query<Entry>(ENTRIES, values)
      : this.database.query<Entry>(ENTRIES_BEFORE, [...values, after]));
    if (entries.length === 0) await this.requireRecord(kinds, rootID);
    const shown = entries.slice(0, limit);
    const texts = shown.map((entry) => JSON.stringify(this.show(kinds, entry)));
    return new Page(texts.join(','), entries.length > limit ? shown.at(-1)?.position : undefined);
  }

  /** 404 unless there is such a record, or was one. All months of a record that was not changed for long may be moved out. */
  private async requireRecord(kinds: readonly [Resource, ...Resource[]], rootID: string): Promise<void> {
    const [any] = await this.database.query(ENTRIES, [rootID, kinds.map((kind) => kind.name), 1]);
    if (any === undefined) await this.records.read(kinds[0], rootID);
  }

  /** The newest version of a record among these eTags, older than the record as given; undefined when there is none. */
  async versionAmong(
    resource: Resource,
    { id, eTag }: VersionedRecord,
    eTags: readonly string[],
  ): Promise<PastVersion | undefined> {
    if (eTags.length === 0) return undefined;
    const [found] = await this.database.query<PastVersionRow>(VERSION_AMONG, [
      resource.name,
      id,
      eTags.map(bytesOf),
      bytesOf(eTag),
    ]);
    if (found === undefined) return undefined;
    const { record, ...place } = found;
    return { ...place, recordID: id, values: valuesOfRow(this.records.fieldsByColumn(resource), record) };
  }

  /**
   * Who gave each of the fields its present value, after a past version. Only the newest changes are looked through, so that
   * a long history costs a bounded time; a field that was changed before them is left out.
   */
  async attribute(
    resource: Resource,
    { rootID, recordID, position, newestPosition }: PastVersion,
    fields: readonly string[],
  ): Promise<ReadonlyMap<string, Attribution>> {
    if (fields.length === 0) return new Map();
    const columns = [...this.records.fieldsByColumn(resource)].filter(([, field]) => fields.includes(field));
    const rows = await this.database.query<Attribution & { column: string }>(LAST_CHANGES, [
      rootID,
      recordID,
      position,
      newestPosition,
      columns.map(([column]) => column),
    ]);
    const fieldOf = new Map(columns);
    return new Map(rows.map(({ column, ...attribution }) => [fieldOf.get(column) ?? column, attribution]));
  }

  private show(kinds: readonly Resource[], entry: Entry): object {
    const { type, kind, recordID, eTag, changedBy, subject, changedAt, requestID } = entry;
    const resource = kinds.find((candidate) => candidate.name === kind);
    const fields = resource === undefined ? new Map<string, string>() : this.records.fieldsByColumn(resource);
    const changes = changesBetween(valuesOfRow(fields, entry.before), valuesOfRow(fields, entry.record));
    return { type, resource: kind, resourceID: recordID, eTag, changedBy, subject, changedAt, requestID, changes };
  }
}

function bytesOf(eTag: string): Buffer {
  return Buffer.from(eTag, 'hex');
}
