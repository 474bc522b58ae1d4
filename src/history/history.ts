import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Records } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { Page } from '../records/rendered-record.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { changesOf, isPartID, valueAt } from './changes.js';
import { AT_THE_END, CHANGES_SINCE, CHANGES_SINCE_EACH, ENTRIES_BEFORE, LAST_CHANGE } from './history-sql.js';

/** A row of ENTRIES_BEFORE; the other columns are members of the entry in the API. */
interface EntryRow {
  readonly position: string;
  readonly type: string;
  readonly resource: string;
  readonly row: string | null;
  readonly before: string | null;
  readonly hasBefore: boolean;
  readonly erased: boolean;
}

/** The kinds of a record and its children, the record's own first. */
type Kinds = readonly [Resource, ...Resource[]];

/** A current record, and eTags of its possible past versions. */
interface NamedVersions {
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

/** A past version by column, with attributions. Its record has `erased`, which is no column of a table, if its values were erased. */
interface Since {
  readonly number: number;
  readonly record: PastRecord;
  readonly attributions: Readonly<Record<string, Attribution>> | null;
}

type PastRecord = Readonly<Record<string, unknown>>;

/** Reads history. Only triggers write it. */
@Injectable()
export class History {
  constructor(
    private readonly database: Database,
    private readonly records: Records,
  ) {}

  /** The changes of a record and its children, newest first, or 404. */
  async page(kinds: Kinds, name: string, paging: { limit: number; after: string | undefined }): Promise<Page> {
    const { limit, after = AT_THE_END } = paging;
    const rootID = await this.records.idOf(kinds[0], name);
    const entries = await this.entries(kinds, rootID, limit + 1, after);
    // An old record may have no history left, because its months were archived.
    if (entries.length === 0 && (await this.entries(kinds, rootID, 1, AT_THE_END)).length === 0) {
      await this.records.read(kinds[0], rootID);
    }
    const fields = new Map(kinds.map((kind) => [kind.name, this.records.fieldsByColumn(kind)]));
    const shown = entries.map(({ position, row, before, hasBefore, erased, ...entry }) => {
      const change = { type: entry.type, row, before: hasBefore ? before : undefined };
      const changes = JSON.parse(`[${changesOf(change, fields.get(entry.resource) ?? new Map())}]`) as unknown;
      return { position, json: JSON.stringify({ ...entry, changes, ...(erased && { erased }) }) };
    });
    return Page.of(shown, limit);
  }

  private entries(kinds: Kinds, rootID: string, limit: number, before: string): Promise<readonly EntryRow[]> {
    return this.database.query<EntryRow>(ENTRIES_BEFORE, [rootID, kinds.map((kind) => kind.name), limit, before]);
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
      pairs.map(({ record }) => record.updatedAt),
    ]);
    const byNumber = new Map(found.map((since) => [since.number, since]));
    return named.map(({ record }, number) => {
      const since = byNumber.get(number);
      const base = since && this.records.withMoments(resource, since.record);
      return base && changesBetween(fields, base, record, (column) => since.attributions?.[column]);
    });
  }

  /** The changes of a record since the version that its current one has replaced; undefined if history does not have both. */
  async lastChange(
    resource: Resource,
    record: VersionedRecord,
    replaced: { readonly eTag: string; readonly updatedAt: string },
  ): Promise<ChangesSince | undefined> {
    const versions = [replaced, record].flatMap(({ eTag, updatedAt }) => [bytesOf(eTag), updatedAt]);
    const values = [resource.name, record.id, ...versions];
    const last = await this.database.queryOne<{ record: PastRecord } & Attribution>(LAST_CHANGE, values);
    if (last === undefined) return undefined;
    const { record: stored, ...attribution } = last;
    const base = this.records.withMoments(resource, stored);
    return changesBetween(this.records.fieldsByColumn(resource), base, record, () => attribution);
  }
}

function bytesOf(eTag: string): Buffer {
  return Buffer.from(eTag, 'hex');
}

function changesBetween(
  fields: ReadonlyMap<string, string>,
  base: PastRecord,
  current: VersionedRecord,
  attributionOf: (column: string) => Attribution | undefined,
): ChangesSince {
  if (base['erased'] === true) return 'erased';
  return [...fields]
    .map(([column, field]) => ({
      field,
      base: base[column] ?? null,
      current: valueAt(current, field),
      ...attributionOf(column),
    }))
    .filter(({ field, base: before, current: now }) => {
      // The id of a part that was added or removed changes with its values. A new id means that the part was removed and added again.
      const isReported = !isPartID(field) || (before !== null && now !== null);
      return isReported && !isDeepStrictEqual(before, now);
    });
}
