import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Records } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { Page } from '../records/rendered-record.js';
import type { ETag } from '../etag/version.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { changesBetween, changesOfEntry, isErased, valuesOfRecord, valuesOfRow, type Row } from './changes.js';
import type { CHANGE_TYPES } from './change-types.js';
import { CHANGES_SINCE, CHANGES_SINCE_EACH, ENTRIES, ENTRIES_BEFORE } from './history-sql.js';

interface Entry {
  readonly position: string;
  readonly kind: string;
  readonly recordID: string;
  readonly type: (typeof CHANGE_TYPES)[number];
  readonly eTag: ETag | null;
  readonly changedBy: string;
  readonly subject: string;
  readonly changedAt: string;
  readonly requestID: string | null;
  readonly record: Row | null;
  readonly before: Row | null;
  readonly erased: boolean;
}

/** A current record, and eTags of its possible past versions. */
export interface NamedVersions {
  readonly record: VersionedRecord;
  readonly eTags: readonly string[];
}

/** The author and time of a field's current value. */
interface Attribution {
  readonly changedBy: string;
  readonly changedAt: string;
}

/** One field that differs between a past version of a record and the current one. */
export interface AttributedChange extends Partial<Attribution> {
  readonly field: string;
  readonly base: unknown;
  readonly current: unknown;
}

/** The changes since a past version, or `erased` if its values were erased. */
export type ChangesSince = readonly AttributedChange[] | 'erased';

/** A past version, with attributions by column. */
interface Since {
  readonly number: number;
  readonly record: Row;
  readonly attributions: Readonly<Record<string, Attribution>> | null;
}

/** Reads history. Only triggers write it. */
@Injectable()
export class History {
  constructor(
    private readonly database: Database,
    private readonly records: Records,
  ) {}

  /** The changes of a record and its children (`kinds`, the record's own first), newest first, or 404. */
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
    const page = entries.slice(0, limit);
    const texts = page.map((entry) => JSON.stringify(this.show(kinds, entry)));
    return new Page(texts.join(','), entries.length > limit ? page.at(-1)?.position : undefined);
  }

  /** 404 unless the record exists or existed. An old record may have no history left, because its months were archived. */
  private async requireRecord(kinds: readonly [Resource, ...Resource[]], rootID: string): Promise<void> {
    const [any] = await this.database.query(ENTRIES, [rootID, kinds.map((kind) => kind.name), 1]);
    if (any === undefined) await this.records.read(kinds[0], rootID);
  }

  /**
   * For each record, the changes since the newest past version among its eTags, with the author of each field's current value. Undefined
   * if history has none of the versions, `erased` if its values were erased. Searches only the newest changes, which bounds the time for
   * a long history; older changes have no attribution.
   */
  async changesSince(resource: Resource, named: readonly NamedVersions[]): Promise<(ChangesSince | undefined)[]> {
    const fields = this.records.fieldsByColumn(resource);
    const pairs = named.flatMap(({ record, eTags }, number) => eTags.map((eTag) => ({ record, eTag, number })));
    if (pairs.length === 0) return named.map(() => undefined);
    const found = await this.database.query<Since>(named.length === 1 ? CHANGES_SINCE : CHANGES_SINCE_EACH, [
      resource.name,
      pairs.map(({ record }) => record.id),
      pairs.map(({ eTag }) => bytesOf(eTag)),
      pairs.map(({ record }) => bytesOf(record.eTag)),
      pairs.map(({ number }) => number),
      [...fields.keys()],
    ]);
    const byNumber = new Map(found.map((since) => [since.number, since]));
    return named.map(({ record }, number) => {
      const since = byNumber.get(number);
      return since && (isErased(since.record) ? 'erased' : attributedChanges(fields, since, record));
    });
  }

  private show(kinds: readonly Resource[], entry: Entry): object {
    const { type, kind, recordID, eTag, changedBy, subject, changedAt, requestID } = entry;
    const resource = kinds.find((candidate) => candidate.name === kind);
    const fields = resource === undefined ? new Map<string, string>() : this.records.fieldsByColumn(resource);
    const changes = changesOfEntry(fields, entry.before, entry.record);
    const rendered = {
      type,
      resource: kind,
      resourceID: recordID,
      eTag,
      changedBy,
      subject,
      changedAt,
      requestID,
      changes,
    };
    return entry.erased ? { ...rendered, erased: true } : rendered;
  }
}

function bytesOf(eTag: string): Buffer {
  return Buffer.from(eTag, 'hex');
}

function attributedChanges(
  fields: ReadonlyMap<string, string>,
  { record, attributions }: Since,
  current: VersionedRecord,
): AttributedChange[] {
  const columnOf = new Map([...fields].map(([column, field]) => [field, column]));
  return changesBetween(valuesOfRow(fields, record), valuesOfRecord(fields, current)).map(({ field, from, to }) => {
    return { field, base: from, current: to, ...attributions?.[columnOf.get(field) ?? ''] };
  });
}
