import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { bodyRuleOf } from '../fields/fields.decorator.js';
import { subjectOf } from '../http/caller.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { requestIDOf } from '../problem/request-id.js';
import type { Locked } from '../records/locked.js';
import { Records } from '../records/records.js';
import { notFound } from '../records/resource.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import type { Write } from '../records/write-slot.js';
import { Conflicts } from './conflicts.js';
import { judgeCreation, judgeWrite } from './preconditions.js';
import { writeRuleOf, type Params } from './write-rule.js';

/** The one place that opens a conditional transaction. */
@Injectable()
export class ConditionalWrites {
  constructor(
    private readonly database: Database,
    private readonly records: Records,
    private readonly idempotency: Idempotency,
    private readonly conflicts: Conflicts,
  ) {}

  /** BEGIN, lock the row, compare If-Match with the hash of its updatedAt. Whoever gets the write ends its transaction. */
  async open(handler: object, request: Request<Params>): Promise<Write> {
    const author = { requestID: requestIDOf(request), subject: subjectOf(request) };
    const ending = this.idempotency.isKeyed(request) ? 'when asked' : 'with the last statement';
    const transaction = await this.database.begin(author, ending);
    try {
      await this.idempotency.refuseRepetition(transaction, request);
      return { transaction, locked: await this.lock(transaction, handler, request) };
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }

  private async lock(
    transaction: Transaction,
    handler: object,
    request: Request<Params>,
  ): Promise<Locked<VersionedRecord> | undefined> {
    const rule = writeRuleOf(handler);
    const { params, headers, path } = request;
    if ('creates' in rule) {
      if (rule.parent) await this.records.hold(transaction, rule.parent, params[rule.parent.parameter] ?? '');
      judgeCreation(headers);
      return undefined;
    }
    const { resource, ifMatch, hasPart } = rule;
    return this.records.lock(transaction, resource, params[resource.parameter] ?? '', async (row) => {
      if (hasPart?.(row, params) === false) notFound(resource, path);
      const named = judgeWrite(headers, row.eTag, ifMatch);
      if (named === undefined) return;
      throw await this.conflicts.explain(transaction, { resource, row, named, request, bodyRule: bodyRuleOf(handler) });
    });
  }
}
