import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { modeOf } from './fields.pipe.js';
import { writtenValues } from './read-fields.js';
import { valueAt, type Values } from '../history/changes.js';
import { History, type AttributedChange, type ChangesSince } from '../history/history.js';
import { matchesStrongly, matchesWeakly, type TagList, whyNeverCurrent } from '../etag/entity-tags.js';
import { retryableError } from '../problem/database-problem.js';
import { Problem } from '../problem/problem.js';
import { Records } from '../records/records.js';
import { conflictingFields, partOf } from './conflicting-fields.js';
import { notFound, type Resource } from '../records/resource.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { isETag } from '../validation/json-schema.js';
import { PastVersions } from './past-versions.js';
import { eTagsToMatch, ifMatchOf } from '../etag/preconditions.js';
import { namedVersion, type Params, type SentWrite, type WriteRule } from './write-rule.js';

/** One field that differs between the version the client named and the current one. */
export interface FieldChange extends AttributedChange {
  readonly yours?: unknown;
  readonly conflicting: boolean;
}

/** A write whose If-Match does not name the current version of this row. */
interface StaleWrite {
  readonly row: VersionedRecord;
  readonly rule: WriteRule;
  readonly sent: SentWrite;
}

/**
 * Explains a 412: what changed since the client's version, who changed it, and whether it conflicts with the request. No lock is held
 * meanwhile: past versions never change, so history can be read at any later time. If their values were erased, the 412 says so.
 */
@Injectable()
export class Conflicts {
  constructor(
    private readonly history: History,
    private readonly records: Records,
    private readonly pastVersions: PastVersions,
  ) {}

  /** The 412 for a stale request; throws 404 if the record does not exist. */
  async explain(rule: WriteRule, request: Request<Params>): Promise<Problem> {
    if ('creates' in rule || 'restores' in rule) throw new Error('A record that does not exist has no version');
    const { params, headers, path } = request;
    const row = await this.records.current(rule.resource, params[rule.resource.parameter] ?? '');
    if (rule.body?.partNamed?.(row as never, params) === null) notFound(rule.resource, path);
    const version = namedVersion(rule, request);
    if (matchesStrongly(namedBy(request), row.eTag)) {
      // The version became current after the guard compared it: retry the request from the start.
      if (version !== undefined) this.pastVersions.forget(version);
      throw retryableError('If-Match names the current version after all');
    }
    const write = { row, rule, sent: request };
    const read = async () => {
      const [eTag = ''] = eTagsToMatch(headers) ?? [];
      const madeAt = version === undefined ? undefined : this.pastVersions.momentBefore(version, row.eTag);
      const last =
        madeAt === undefined
          ? undefined
          : await this.history.lastChange(rule.resource, row, { eTag, updatedAt: madeAt });
      return last ?? (await this.changesSince(rule.resource, [write]))[0];
    };
    const changes = await (version === undefined ? read() : this.pastVersions.changesBetween(version, row.eTag, read));
    return this.refusal(write, changes);
  }

  /** The 412s for many writes of one kind of record, explained by one statement. */
  async explainAll<Key>(resource: Resource, writes: ReadonlyMap<Key, StaleWrite>): Promise<Map<Key, Problem>> {
    if (writes.size === 0) return new Map();
    const changes = await this.changesSince(resource, [...writes.values()]);
    return new Map([...writes].map(([key, write], index) => [key, this.refusal(write, changes[index])]));
  }

  private changesSince(resource: Resource, writes: readonly StaleWrite[]) {
    const named = writes.map(({ row, sent }) => ({ record: row, eTags: eTagsIn(namedBy(sent)) }));
    return this.history.changesSince(resource, named);
  }

  /** `changed` is undefined if history has none of the named versions. */
  private refusal({ row, rule, sent }: StaleWrite, changed: ChangesSince | undefined): Problem {
    const version = namedVersion(rule, sent);
    if (version !== undefined && changed !== undefined) this.pastVersions.add(version);
    const written = valuesToWrite(row, rule, sent);
    const isErased = changed === 'erased';
    const known = isErased ? undefined : changed;
    const conflicting = conflictingFields(known?.map(({ field }) => field) ?? [], written, row);
    const changes = known?.map(({ field, base, current, ...attribution }): FieldChange => {
      const yours = written.has(field) ? { yours: written.get(field) } : {};
      return { field, base, ...yours, current, ...attribution, conflicting: conflicting.has(field) };
    });
    const why = isErased ? BASE_ERASED : reason(row, namedBy(sent), rule, written, changes);
    return new Problem('PRECONDITION_FAILED', `${why} Nothing was written.`, {
      members: { currentETag: row.eTag, ...(changes && { changes }), ...(isErased && { erased: true }) },
    });
  }
}

function namedBy({ headers }: SentWrite): TagList {
  return ifMatchOf(headers, 'required') ?? [];
}

function eTagsIn(named: TagList): string[] {
  return named === '*' ? [] : named.map(({ opaque }) => opaque).filter(isETag);
}

const BASE_ERASED =
  'The record was changed after the version that If-Match names. The values of that version were erased, so the changes are unknown. Read the record, and repeat the request with its eTag if it still applies.';

/** The values that the rejected request would have written, by field. */
function valuesToWrite(row: VersionedRecord, { body }: WriteRule, sent: SentWrite): Values {
  if (body === undefined) return new Map();
  const part = body.partNamed?.(row as never, sent.params);
  return writtenValues(body.type, sent.body, modeOf(body), part ?? undefined);
}

/** Why the request was rejected and how to recover. */
function reason(
  row: VersionedRecord,
  named: TagList,
  rule: WriteRule,
  written: Values,
  changes: readonly FieldChange[] | undefined,
): string {
  if (matchesWeakly(named, row.eTag)) {
    return 'If-Match names the current version with a weak tag, which never matches. Send the same eTag without W/.';
  }
  if (changes === undefined) {
    const why = whyNeverCurrent(named);
    if (why !== undefined) return why;
    return 'The history of this record has no version with the eTag in If-Match. Read the record and send its eTag.';
  }
  if ('deletes' in rule) {
    return 'The record was changed after the version that If-Match names. Check "changes"; to delete it anyway, repeat the request with currentETag.';
  }
  const conflicting = changes.filter((change) => change.conflicting);
  const conflicts = new Set(conflicting.map(({ field }) => partOf(field) ?? field)).size;
  if (conflicts > 0) {
    const fields = conflicts === 1 ? 'A field that you write was' : `${conflicts} fields that you write were`;
    return `${fields} changed to another value after the version that If-Match names. Check "changes", resolve each conflicting field, then repeat the request with currentETag.`;
  }
  if (written.size > 0 && [...written].every(([field, value]) => isDeepStrictEqual(value, valueAt(row, field)))) {
    return 'The record was changed after the version that If-Match names, but it already has every value that you send: nothing is left to do.';
  }
  return 'The record was changed after the version that If-Match names, but in none of the fields that you write. Repeat the request with currentETag.';
}
