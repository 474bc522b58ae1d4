import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Transaction } from '../database/transaction.js';
import { modeOf, type BodyRule } from '../fields/fields.decorator.js';
import { writtenValues } from '../fields/written-values.js';
import { changesBetween, valuesOfRecord } from '../history/changes.js';
import { History } from '../history/history.js';
import { Problem } from '../problem/problem.js';
import { Records } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { isETag } from '../schema/json-schema.js';
import type { TagList } from '../http/entity-tags.js';

/** A refused write: the record as it was found under the lock, the versions that were named, and what would have been written. */
export interface Refused {
  readonly resource: Resource;
  readonly row: VersionedRecord;
  readonly named: TagList;
  readonly request: Request<Record<string, string>>;
  readonly bodyRule: BodyRule | undefined;
}

/** Explains a 412: what changed since the version the client has, who did it, and whether it gets in the client's way. */
@Injectable()
export class Conflicts {
  constructor(
    private readonly history: History,
    private readonly records: Records,
  ) {}

  async explain(transaction: Transaction, refused: Refused): Promise<Problem> {
    const changes = await this.changes(transaction, refused);
    const conflicting = changes?.filter((change) => change.conflicting).length;
    return new Problem(
      'PRECONDITION_FAILED',
      `The record was changed after the version you named. Nothing was written. ${advice(conflicting)}`,
      {
        members: { currentETag: refused.row.eTag, ...(changes && { changes }) },
      },
    );
  }

  /** Undefined when none of the named versions was ever one of this record. */
  private async changes(transaction: Transaction, { resource, row, named, request, bodyRule }: Refused) {
    const eTags = named === '*' ? [] : named.map(({ opaque }) => opaque).filter(isETag);
    if (eTags.length === 0) return undefined;
    const base = await this.history.versionAmong(transaction, resource, row.id, eTags);
    if (base === undefined) return undefined;
    const now = valuesOfRecord(this.records.fieldsByColumn(resource), row);
    const changed = changesBetween(base.values, now);
    const fields = changed.map(({ field }) => field);
    const attributions = await this.history.attribute(transaction, resource, row.id, base, fields);
    const part = bodyRule?.partNamed?.(row as never, request.params);
    const written = bodyRule && writtenValues(bodyRule.type, request.body, modeOf(bodyRule, request.method), part);
    return changed.map(({ field, from, to }) => ({
      field,
      yours: from,
      current: to,
      ...attributions.get(field),
      conflicting: written !== undefined && written.has(field) && !isDeepStrictEqual(written.get(field), to),
    }));
  }
}

function advice(conflicting: number | undefined): string {
  switch (conflicting) {
    case undefined:
      return 'Read it again, then repeat your change with its new eTag.';
    case 0:
      return 'None of the changes is to a field that you write: repeat the request with currentETag.';
    default:
      return 'Look at "changes" before you repeat your change with currentETag.';
  }
}
