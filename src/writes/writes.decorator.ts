import { applyDecorators, createParamDecorator, UseFilters, UseGuards, type ExecutionContext } from '@nestjs/common';
import { NeedsScope, type Scope } from '../auth/access.js';
import { requestOf } from '../http/request-context.js';
import { IfMatchGuard } from './if-match.guard.js';
import { openWriteOf } from './open-write.js';
import { setWriteRule, type WriteRule } from './write-rule.js';
import { WriteFilter } from './write.filter.js';

/** A route that writes by this rule in a transaction of the guard. Its handler returns a `PendingWrite`. */
export function Writes(rule: WriteRule & { readonly scope: Scope }): MethodDecorator {
  return applyDecorators(setWriteRule(rule), NeedsScope(rule.scope), UseGuards(IfMatchGuard), UseFilters(WriteFilter));
}

/** A route whose handler runs its own units of work: several, or one that must not be open while a file is read. */
export function RunsUnits(): MethodDecorator {
  return applyDecorators(setWriteRule({ creates: true }), UseFilters(WriteFilter));
}

/** The record that the guard has locked, as a `Locked`; undefined if a record is created. */
export const LockedRow = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return openWriteOf(requestOf(context)).locked;
});

/** The transaction of the guard, for reads that belong to the write. */
export const InTransaction = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return openWriteOf(requestOf(context)).unit.transaction;
});
