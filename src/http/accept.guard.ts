import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../problem/problem.js';

/** 406 for a client that does not take JSON. */
@Injectable()
export class AcceptGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const accept = request.headers.accept;
    if (accept === undefined || accept === '*/*' || accept === 'application/json') return true;
    if (request.accepts('application/json') !== false) return true;
    throw new Problem('NOT_ACCEPTABLE', 'The service answers in application/json; let the Accept header allow it.');
  }
}
