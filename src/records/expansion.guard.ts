import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ScopeCheck } from '../auth/scope.guard.js';
import { contextOf, requestOf } from '../http/request-context.js';
import { RELATIONS, RESOURCES, type ReadQuery } from './records.js';
import type { Relation, Resource } from './resource.js';

/** 403 unless the caller may read the records that `expand` includes and that `q` searches. Runs after QueryGuard. */
@Injectable()
export class ExpansionGuard implements CanActivate {
  constructor(
    private readonly scopes: ScopeCheck,
    @Inject(RELATIONS) private readonly relations: readonly Relation[],
    @Inject(RESOURCES) private readonly resources: readonly Resource[],
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const { expand = [], q }: ReadQuery = contextOf(request).query;
    for (const { search, readScope } of this.resources) {
      if (q !== undefined && search !== undefined) this.scopes.require(request, readScope);
    }
    for (const { name, to } of this.relations) {
      if (expand.includes(name)) this.scopes.require(request, to.readScope);
    }
    return true;
  }
}
