import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bodyRuleOf, modeOf } from '../fields/fields.pipe.js';
import { writtenValues } from '../fields/written-values.js';
import { changesBetween, valueAt, valuesOfRecord, type Values } from '../history/changes.js';
import { History, type Attribution } from '../history/history.js';
import { Problem } from '../problem/problem.js';
import { Records } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { isETag } from '../schema/json-schema.js';
import { matchesWeakly, type TagList } from '../http/entity-tags.js';
import type { Params } from './write-rule.js';

/** The record that was found does not have a version that If-Match names. */
export class StaleVersion extends Error {
  constructor(
    readonly resource: Resource,
    /** As it was under its lock. */
    readonly row: VersionedRecord,
    /** What If-Match names. */
    readonly named: TagList,
  ) {
    super('The record has another version than the one If-Match names');
  }
}

/** One field that differs between the version the client named and the current one. */
interface FieldChange extends Partial<Attribution> {
  readonly field: string;
  readonly base: unknown;
  readonly yours?: unknown;
  readonly current: unknown;
  readonly conflicting: boolean;
}

/**
 * Explains a 412: what changed since the version the client named, who changed it, and whether it is in the client's way.
 * It runs after the row lock is released. It tells of the row that was locked, and past versions never change, so what it
 * reads from history is right however much later it is read.
 */
@Injectable()
export class Conflicts {
  constructor(
    private readonly history: History,
    private readonly records: Records,
  ) {}

  async explain(stale: StaleVersion, handler: object, request: Request<Params>): Promise<Problem> {
    const written = valuesToWrite(stale.row, handler, request);
    const changes = await this.changesSince(stale, written);
    const detail = `${reason(stale, written, changes, request.method)} Nothing was written.`;
    return new Problem('PRECONDITION_FAILED', detail, {
      members: { currentETag: stale.row.eTag, ...(changes && { changes }) },
    });
  }

  /** Undefined when history knows none of the named versions. */
  private async changesSince({ resource, row, named }: StaleVersion, written: Values) {
    const eTags = named === '*' ? [] : named.map(({ opaque }) => opaque).filter(isETag);
    const base = await this.history.versionAmong(resource, row, eTags);
    if (base === undefined) return undefined;
    const changed = changesBetween(base.values, valuesOfRecord(this.records.fieldsByColumn(resource), row));
    const attributions = await this.history.attribute(
      resource,
      base,
      changed.map(({ field }) => field),
    );
    return changed.map(({ field, from, to }): FieldChange => {
      const writes = written.has(field);
      return {
        field,
        base: from,
        ...(writes && { yours: written.get(field) }),
        current: to,
        ...attributions.get(field),
        conflicting: writes && !isDeepStrictEqual(written.get(field), to),
      };
    });
  }
}

/** What the refused request would have written, by field. */
function valuesToWrite(row: VersionedRecord, handler: object, request: Request<Params>): Values {
  const rule = bodyRuleOf(handler);
  if (rule === undefined) return new Map();
  const part = rule.partNamed?.(row as never, request.params);
  return writtenValues(rule.type, request.body, modeOf(rule, request.method), part);
}

/** Why the request was refused and what to do about it. Each sentence is said only where it is so. */
function reason(
  { row, named }: StaleVersion,
  written: Values,
  changes: readonly FieldChange[] | undefined,
  method: string,
): string {
  if (named !== '*' && named.length === 0) {
    return 'If-Match names no version. Send the eTag of the record as you last read it.';
  }
  if (matchesWeakly(named, row.eTag)) {
    return 'If-Match names the current version with a weak tag, and a weak tag never matches. Send the same eTag without W/.';
  }
  if (changes === undefined) {
    return 'The history of this record knows no version with the eTag in If-Match. Read the record and send the eTag you get.';
  }
  if (method === 'DELETE') {
    return 'The record was changed after the version that If-Match names. Look at "changes"; to delete it all the same, repeat the request with currentETag.';
  }
  const conflicts = changes.filter(({ conflicting }) => conflicting).length;
  if (conflicts > 0) {
    const fields = conflicts === 1 ? 'A field that you write was' : `${conflicts} fields that you write were`;
    return `${fields} changed to another value after the version that If-Match names. Look at "changes", decide on each conflicting field, then repeat the request with currentETag.`;
  }
  if (written.size > 0 && [...written].every(([field, value]) => isDeepStrictEqual(value, valueAt(row, field)))) {
    return 'The record was changed after the version that If-Match names, and it already has every value that you send: there is nothing left to do.';
  }
  return 'The record was changed after the version that If-Match names, but in none of the fields that you write. Repeat the request with currentETag.';
}
