import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { accessOf } from './access.js';
import { callerOf } from './authentication.js';
import { scopeMissing } from './challenges.js';

/** 403 unless the caller's token has the scope that the route asks for. */
@Injectable()
export class ScopeGuard implements CanActivate {
  private readonly off: boolean;

  constructor(@Inject(CONFIG) config: Config) {
    this.off = config.AUTH_MODE !== 'jwt';
  }

  canActivate(context: ExecutionContext): boolean {
    const access = accessOf(context.getHandler());
    if (this.off || access === 'public') return true;
    if (access === undefined) throw new Error('A route without a declared access is served');
    const caller = callerOf(context.switchToHttp().getRequest());
    if (caller?.scopes.has(access)) return true;
    throw scopeMissing(access);
  }
}
