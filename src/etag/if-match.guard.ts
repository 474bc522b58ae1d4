import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { subjectOf } from '../http/caller.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { requestIDOf } from '../problem/request-id.js';
import type { Locked } from '../records/locked.js';
import { Records } from '../records/records.js';
import { notFound, type Resource } from '../records/resource.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { rememberWrite, writeOf } from '../records/write-slot.js';
import { Conflicts, StaleVersion } from './conflicts.js';
import { judgeCreation, judgeWrite } from './preconditions.js';
import { WRITE_RULE, writeRuleOf, type HasPart, type Params, type WriteRule } from './write-rule.js';
import { WriteFilter } from './write.filter.js';

function writes(rule: WriteRule): MethodDecorator {
  return applyDecorators(SetMetadata(WRITE_RULE, rule), UseGuards(IfMatchGuard), UseFilters(WriteFilter));
}

/** PATCH and PUT: If-Match must name the current version of the record, which the handler gets locked. */
export function IfMatch<T extends VersionedRecord>(resource: Resource<T>, hasPart?: HasPart<T>): MethodDecorator {
  return writes({ resource, ifMatch: 'required', ...(hasPart && { hasPart: hasPart as HasPart<VersionedRecord> }) });
}

/** DELETE: If-Match is honoured when it is sent. */
export function IfMatchOptional(resource: Resource): MethodDecorator {
  return writes({ resource, ifMatch: 'optional' });
}

/** POST: there is no version to compare. The parent that the path names is kept from being deleted meanwhile. */
export function Creates(parent?: Resource): MethodDecorator {
  return writes({ creates: true, parent });
}

/** The record that @IfMatch or @IfMatchOptional found, locked and compared. */
export const LockedRow = createParamDecorator((_: unknown, context: ExecutionContext): Locked<VersionedRecord> => {
  const { locked } = writeOf(context.switchToHttp().getRequest());
  if (locked === undefined) throw new Error('A route that creates a record has no locked row');
  return locked;
});

/** The transaction that @Creates opened, for what has to be looked up in it. */
export const InTransaction = createParamDecorator((_: unknown, context: ExecutionContext): Transaction => {
  return writeOf(context.switchToHttp().getRequest()).transaction;
});

/**
 * Opens the transaction of a write, locks the row and compares its version with If-Match. The handler returns a `Change`;
 * `WriteCommit` writes it and commits in this same transaction. After any throw `WriteFilter` rolls it back.
 */
@Injectable()
export class IfMatchGuard implements CanActivate {
  constructor(
    private readonly database: Database,
    private readonly records: Records,
    private readonly idempotency: Idempotency,
    private readonly conflicts: Conflicts,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request<Params>>();
    const rule = writeRuleOf(context.getHandler());
    const transaction = await this.database.begin({ requestID: requestIDOf(request), subject: subjectOf(request) });
    try {
      await this.idempotency.refuseRepetition(transaction, request);
      rememberWrite(request, { transaction, locked: await this.judge(transaction, rule, request) });
      return true;
    } catch (error) {
      // The row lock goes before the refusal is explained, so that no other writer waits while history is read.
      await transaction.rollback();
      throw error instanceof StaleVersion ? await this.conflicts.explain(error, context.getHandler(), request) : error;
    }
  }

  private async judge(
    transaction: Transaction,
    rule: WriteRule,
    request: Request<Params>,
  ): Promise<Locked<VersionedRecord> | undefined> {
    const { params, headers, path } = request;
    if ('creates' in rule) {
      if (rule.parent) await this.records.hold(transaction, rule.parent, params[rule.parent.parameter] ?? '');
      judgeCreation(headers);
      return undefined;
    }
    const { resource, ifMatch, hasPart } = rule;
    const locked = await this.records.lock(transaction, resource, params[resource.parameter] ?? '');
    if (hasPart?.(locked.row, params) === false) notFound(resource, path);
    const named = judgeWrite(headers, locked.row.eTag, ifMatch);
    if (named !== undefined) throw new StaleVersion(resource, locked.row, named);
    return locked;
  }
}
