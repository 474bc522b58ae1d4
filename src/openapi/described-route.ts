import { accessOf, type Access } from '../auth/access.js';
import type { IfMatch } from '../etag/preconditions.js';
import { writeRuleOf, type BodyRule, type WriteRule } from '../writes/write-rule.js';
import { declaredStatusOf } from '../http/internals/nest-metadata.js';
import { queryTypeOf } from '../http/query.guard.js';
import type { QueryType } from '../http/query.js';
import type { Route } from '../http/routes.js';
import { HISTORY_TAG, isUndocumented, operationOf, tagOf, type OperationText, type TagText } from './operation.js';

/** The metadata of a route, read from its decorators. */
export interface DescribedRoute {
  readonly method: string;
  /** In OpenAPI syntax: /v1/moves/{moveID} */
  readonly path: string;
  readonly pathParameters: readonly string[];
  /** The success status. */
  readonly status: number;
  readonly query: QueryType;
  readonly write: WriteRule | undefined;
  readonly ifMatch: IfMatch | undefined;
  readonly body: BodyRule | undefined;
  /** The required scope, unless the route is public. */
  readonly access: Access;
  readonly text: OperationText;
  readonly tag: TagText;
}

/** Undefined for an undocumented route; throws if a documented one has no description. */
export function describeRoute({ method, path, handler, controller, name }: Route): DescribedRoute | undefined {
  if (isUndocumented(controller)) return undefined;
  const [text, tag, write] = [operationOf(handler), tagOf(controller), writeRuleOf(handler)];
  if (text === undefined) throw new Error(`Describe the route of ${name} with @Operation`);
  if (tag === undefined) throw new Error(`Add @Tag to the controller of ${name}`);
  return {
    method,
    path: path.replace(/:(\w+)/g, '{$1}'),
    pathParameters: [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter ?? ''),
    status: declaredStatusOf(handler) ?? (method === 'POST' ? 201 : 200),
    query: queryTypeOf(handler),
    write,
    ifMatch: write && 'ifMatch' in write ? write.ifMatch : undefined,
    body: write?.body,
    access: accessOf(handler) ?? 'public',
    text,
    tag: text.history ? HISTORY_TAG : tag,
  };
}

/** Whether the route reads a single versioned record. */
export function readsRecord({ method, text }: DescribedRoute): boolean {
  return method === 'GET' && text.record !== undefined;
}
