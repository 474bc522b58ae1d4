import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../problem/problem.js';
import { requestOf } from './request-context.js';

const PRODUCES = 'waybill:produces';

/** The media types that a route returns, if not the default: JSON, and HTML for reads. */
export function Produces(...types: string[]): MethodDecorator {
  return SetMetadata(PRODUCES, types);
}

const EITHER = new Intl.ListFormat('en', { type: 'disjunction' });

export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** 406 if the client accepts none of the route's media types. */
@Injectable()
export class AcceptGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const accept = request.headers.accept;
    if (accept === undefined || accept === '*/*') return true;
    const own = Reflect.getMetadata(PRODUCES, context.getHandler()) as string[] | undefined;
    if (accept === 'application/json' && own?.includes(accept) !== false) return true;
    const types = own ?? (isRead(request) ? ['application/json', 'text/html'] : ['application/json']);
    requireAccepted(request, types);
    return true;
  }
}

/** 406 if the client accepts none of the media types. */
export function requireAccepted(request: Request, types: string[]): void {
  if (request.accepts(types) !== false) return;
  throw new Problem(
    'NOT_ACCEPTABLE',
    `This path returns only ${EITHER.format(types)}. Allow it in the Accept header, or omit the header.`,
  );
}
