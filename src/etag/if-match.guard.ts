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
import type { Transaction } from '../database/transaction.js';
import type { Locked } from '../records/locked.js';
import type { Resource } from '../records/resource.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { rememberWrite, writeOf } from '../records/write-slot.js';
import { ConditionalWrites } from './conditional-writes.js';
import { WRITE_RULE, type HasPart, type Params, type WriteRule } from './write-rule.js';
import { WriteFilter } from './write.filter.js';

function writes(rule: WriteRule): MethodDecorator {
  return applyDecorators(SetMetadata(WRITE_RULE, rule), UseGuards(IfMatchGuard), UseFilters(WriteFilter));
}

/** PATCH and PUT: the request must name the current version of the record, and works on it under a lock. */
export function IfMatch<T extends VersionedRecord>(resource: Resource<T>, hasPart?: HasPart<T>): MethodDecorator {
  return writes({ resource, ifMatch: 'required', ...(hasPart && { hasPart: hasPart as HasPart<VersionedRecord> }) });
}

/** DELETE: If-Match is honoured when it is sent. */
export function IfMatchOptional(resource: Resource): MethodDecorator {
  return writes({ resource, ifMatch: 'optional' });
}

/** POST: nothing to compare; the handler gets a transaction, in which the parent that the path names stays where it is. */
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
 * Lets a write pass when the record is there and has the version that If-Match names, inside a transaction that holds the
 * row's lock. `Answers` commits that transaction with what the handler returns; `WriteFilter` takes it back.
 */
@Injectable()
export class IfMatchGuard implements CanActivate {
  constructor(private readonly conditionalWrites: ConditionalWrites) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request<Params>>();
    rememberWrite(request, await this.conditionalWrites.open(context.getHandler(), request));
    return true;
  }
}
