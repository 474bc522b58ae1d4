import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import type { Locked } from '../records/locked.js';
import { Records } from '../records/records.js';
import { notFound, type Resource } from '../records/resource.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { CommitInterceptor } from './commit.interceptor.js';
import { judgeCreation, judgeWrite } from './preconditions.js';
import { rememberWrite, writeOf } from './write-slot.js';

/** Whether the part of a record that a path names is there; the record itself is, and is locked. */
type HasPart<T> = (row: T, params: Record<string, string>) => boolean;

export type WriteRule =
  | { readonly creates: true; readonly parent: Resource | undefined }
  | {
      readonly resource: Resource;
      readonly ifMatch: 'required' | 'optional';
      readonly hasPart?: HasPart<VersionedRecord>;
    };

export const WRITE_RULE = 'waybill:write-rule';

function writes(rule: WriteRule): MethodDecorator {
  return applyDecorators(SetMetadata(WRITE_RULE, rule), UseGuards(IfMatchGuard), UseInterceptors(CommitInterceptor));
}

/** PATCH and PUT: the request must name the current version of the record, and works on it under a lock. */
export function IfMatch<T extends VersionedRecord>(resource: Resource<T>, hasPart?: HasPart<T>): MethodDecorator {
  return writes({ resource, ifMatch: 'required', ...(hasPart && { hasPart: hasPart as HasPart<VersionedRecord> }) });
}

/** DELETE: If-Match is honoured when it is sent. */
export function IfMatchOptional(resource: Resource): MethodDecorator {
  return writes({ resource, ifMatch: 'optional' });
}

/** POST: there is no version to compare; the handler gets a transaction, in which the parent that the path names stays where it is. */
export function Creates(parent?: Resource): MethodDecorator {
  return writes({ creates: true, parent });
}

/** The record that @IfMatch or @IfMatchOptional found, locked and compared. */
export const LockedRow = createParamDecorator((_: unknown, context: ExecutionContext): Locked<VersionedRecord> => {
  const { locked } = writeOf(context.switchToHttp().getRequest());
  if (locked === undefined) throw new Error('A route that creates has no locked row');
  return locked;
});

/** The transaction that @Creates opened. */
export const InTransaction = createParamDecorator((_: unknown, context: ExecutionContext): Transaction => {
  return writeOf(context.switchToHttp().getRequest()).transaction;
});

/**
 * The one place that opens a conditional transaction: BEGIN, lock the row, compare If-Match with the hash of its updatedAt.
 * CommitInterceptor ends the transaction after the handler; when anything refuses before that, it is rolled back here.
 */
@Injectable()
export class IfMatchGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: Database,
    private readonly records: Records,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<WriteRule>(WRITE_RULE, context.getHandler());
    const request = context.switchToHttp().getRequest<Request<Record<string, string>>>();
    const transaction = await this.database.begin();
    try {
      const locked = await this.prepare(transaction, rule, request);
      rememberWrite(request, { transaction, locked });
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
    // A guard has no "after": when a later one refuses, only the end of the response tells.
    const response = context.switchToHttp().getResponse<Response>();
    response.once('close', () => void transaction.abandon());
    return true;
  }

  private async prepare(
    transaction: Transaction,
    rule: WriteRule,
    { params, headers, path }: Request<Record<string, string>>,
  ): Promise<Locked<VersionedRecord> | undefined> {
    if ('creates' in rule) {
      if (rule.parent) await this.records.hold(transaction, rule.parent, params[rule.parent.parameter] ?? '');
      judgeCreation(headers);
      return undefined;
    }
    const { resource, ifMatch, hasPart } = rule;
    const name = params[resource.parameter] ?? '';
    return this.records.lock(transaction, resource, name, (row) => {
      if (hasPart?.(row, params) === false) notFound(resource, path);
      judgeWrite(headers, row.eTag, ifMatch);
    });
  }
}
