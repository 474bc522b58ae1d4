import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { contextOf, requestOf } from '../http/request-context.js';
import { Problem } from '../problem/problem.js';
import { accessOf, type Scope } from './access.js';
import { REALM } from './unauthenticated.js';

/** Checks scopes; without authentication, every check passes. */
@Injectable()
export class ScopeCheck {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  allows(request: Request, scope: Scope): boolean {
    return this.config.isOpen || contextOf(request).caller.scopes.has(scope);
  }

  allowsAny(request: Request, scopes: readonly Scope[]): boolean {
    return scopes.some((scope) => this.allows(request, scope));
  }

  /** 403 unless the caller has one of the scopes. */
  require(request: Request, ...scopes: readonly Scope[]): void {
    if (this.allowsAny(request, scopes)) return;
    const [scope = ''] = scopes;
    throw new Problem('FORBIDDEN', `The caller lacks the scope ${scopes.join(' or ')}, which this request requires.`, {
      headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
      members: { missingScope: scope },
    });
  }
}

/** 403 unless the caller has a scope that the route requires. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly scopes: ScopeCheck) {}

  canActivate(context: ExecutionContext): boolean {
    const access = accessOf(context.getHandler());
    if (access === undefined) throw new Error('The route does not declare its access');
    if (access !== 'public') this.scopes.require(requestOf(context), ...[access].flat());
    return true;
  }
}
