import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ScopeCheck } from '../auth/scope.guard.js';
import { contextOf } from '../http/request-context.js';
import { RELATIONS, type ReadQuery } from './records.js';
import type { Relation } from './resource.js';

/** 403 unless the caller may read the records that `expand` includes. Runs after QueryGuard. */
@Injectable()
export class ExpansionGuard implements CanActivate {
  constructor(
    private readonly scopes: ScopeCheck,
    @Inject(RELATIONS) private readonly relations: readonly Relation[],
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { expand = [] }: ReadQuery = contextOf(request).query;
    for (const relation of this.relations) {
      if (!expand.includes(relation.name)) continue;
      const { readScope } = 'many' in relation ? relation.many : relation.one;
      this.scopes.require(request, readScope);
    }
    return true;
  }
}
