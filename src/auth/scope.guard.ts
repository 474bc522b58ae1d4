import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { contextOf } from '../http/request-context.js';
import { accessOf, type Scope } from './access.js';
import { scopeMissing } from './challenges.js';

/** Whether callers may do what they ask for; without authentication everybody may. */
@Injectable()
export class ScopeCheck {
  private readonly off: boolean;

  constructor(@Inject(CONFIG) config: Config) {
    this.off = config.AUTH_MODE !== 'jwt';
  }

  /** 403 unless the caller's token has the scope. */
  require(request: Request, scope: Scope): void {
    if (!this.off && !contextOf(request).caller.scopes.has(scope)) throw scopeMissing(scope);
  }
}

/** 403 unless the caller's token has the scope that the route asks for. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly scopes: ScopeCheck) {}

  canActivate(context: ExecutionContext): boolean {
    const access = accessOf(context.getHandler());
    if (access === undefined) throw new Error('A route without a declared access is served');
    if (access !== 'public') this.scopes.require(context.switchToHttp().getRequest<Request>(), access);
    return true;
  }
}
