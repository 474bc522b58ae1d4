import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { contextOf, requestOf } from '../http/request-context.js';
import { accessOf, type Scope } from './access.js';
import { scopeMissing } from './challenges.js';

/** Checks scopes; without authentication, every check passes. */
@Injectable()
export class ScopeCheck {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  allows(request: Request, scope: Scope): boolean {
    return this.config.AUTH_MODE !== 'jwt' || contextOf(request).caller.scopes.has(scope);
  }

  /** 403 unless the caller has a scope that the handler requires. */
  requireFor(handler: object, request: Request): void {
    const access = accessOf(handler);
    if (access === undefined) throw new Error('The route does not declare its access');
    if (access !== 'public') this.require(request, ...[access].flat());
  }

  /** 403 unless the caller has one of the scopes. */
  require(request: Request, ...scopes: readonly Scope[]): void {
    if (!scopes.some((scope) => this.allows(request, scope))) throw scopeMissing(...scopes);
  }
}

/** 403 unless the caller has a scope that the route requires. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly scopes: ScopeCheck) {}

  canActivate(context: ExecutionContext): boolean {
    this.scopes.requireFor(context.getHandler(), requestOf(context));
    return true;
  }
}
