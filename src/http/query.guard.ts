import { createParamDecorator, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { readQuery, type Parameters } from './query.js';

export const QUERY_PARAMETERS = 'waybill:query-parameters';

const queries = new WeakMap<Request, object>();

/** The query parameters a route takes. A route without this takes none. */
export function TakesQuery(parameters: Parameters): MethodDecorator {
  return SetMetadata(QUERY_PARAMETERS, parameters);
}

/** The query of a request as QueryGuard has read it. */
export function queryOf(request: Request): object {
  return queries.get(request) ?? {};
}

/** The values of the parameters that @TakesQuery names. */
export const QueryValues = createParamDecorator((_: unknown, context: ExecutionContext): object => {
  return queryOf(context.switchToHttp().getRequest<Request>());
});

/** Reads every query strictly, before anything is done for the request: 400 for an unknown, repeated or bad parameter. */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const parameters = this.reflector.get<Parameters | undefined>(QUERY_PARAMETERS, context.getHandler());
    queries.set(request, readQuery(request, parameters ?? {}));
    return true;
  }
}
