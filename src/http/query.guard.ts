import { createParamDecorator, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { readQuery, refuseCredentials, type QueryType } from './query.js';
import { contextOf } from './request-context.js';

const QUERY_TYPE = 'waybill:query-type';
const ANY_QUERY = 'waybill:any-query';

/** The query parameters of a request, which are the fields of the class. A route without this takes none. */
export function QueryOf(type: QueryType): ParameterDecorator {
  const read = createParamDecorator((_: unknown, context: ExecutionContext): object => {
    return contextOf(context.switchToHttp().getRequest<Request>()).query;
  })();
  return (target, method, index) => {
    const handler = (target as Record<string | symbol, object>)[method ?? ''];
    if (handler !== undefined) Reflect.defineMetadata(QUERY_TYPE, type, handler);
    read(target, method, index);
  };
}

/** Takes every query: it is for the page that the route answers with. */
export function AnyQuery(): MethodDecorator {
  return SetMetadata(ANY_QUERY, true);
}

/** The class of the query parameters that a route takes; `Object`, which has no decorated properties, when it takes none. */
export function queryTypeOf(handler: object): QueryType {
  return (Reflect.getMetadata(QUERY_TYPE, handler) as QueryType | undefined) ?? Object;
}

/** Reads every query strictly, before anything is done for the request: 400 for an unknown, repeated or bad parameter. */
@Injectable()
export class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (Reflect.hasMetadata(ANY_QUERY, context.getHandler())) {
      refuseCredentials(request.url);
      return true;
    }
    contextOf(request).query = readQuery(queryTypeOf(context.getHandler()), request.url);
    return true;
  }
}
