import { createParamDecorator, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { readQuery, refuseCredentials, type QueryType } from './query.js';
import { contextOf, requestOf } from './request-context.js';

const QUERY_TYPE = 'waybill:query-type';
const ANY_QUERY = 'waybill:any-query';

/** Injects the query parameters, which are the fields of the class. Routes without it accept none. */
export function QueryOf(type: QueryType): ParameterDecorator {
  const read = createParamDecorator((_: unknown, context: ExecutionContext): object => {
    return contextOf(requestOf(context)).query;
  })();
  return (target, method, index) => {
    const handler = (target as Record<string | symbol, object>)[method ?? ''];
    if (handler !== undefined) Reflect.defineMetadata(QUERY_TYPE, type, handler);
    read(target, method, index);
  };
}

/** Accepts any query, because the page behind the route reads it. */
export function AnyQuery(): MethodDecorator {
  return SetMetadata(ANY_QUERY, true);
}

/** The class of a route's query parameters; `Object`, which has no decorated properties, if it accepts none. */
export function queryTypeOf(handler: object): QueryType {
  return (Reflect.getMetadata(QUERY_TYPE, handler) as QueryType | undefined) ?? Object;
}

/** Parses queries strictly, before anything else: 400 for an unknown, repeated or invalid parameter. */
@Injectable()
export class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    if (Reflect.hasMetadata(ANY_QUERY, context.getHandler())) {
      refuseCredentials(request.url);
      return true;
    }
    contextOf(request).query = readQuery(queryTypeOf(context.getHandler()), request.url);
    return true;
  }
}
