import { HTTP_CODE_METADATA } from '@nestjs/common/internal';
import { accessOf, type Access } from '../auth/access.js';
import { WRITE_RULE, type WriteRule } from '../etag/write-rule.js';
import { bodyRuleOf, type BodyRule } from '../fields/fields.decorator.js';
import { QUERY_PARAMETERS } from '../http/query.guard.js';
import type { Parameters } from '../http/query.js';
import type { Route } from '../http/routes.js';
import { operationText } from './texts/operations.js';
import type { OperationText } from './texts/operation-text.js';

/** All that is known of a route: what its decorators leave behind, and what people should read about it. */
export interface DescribedRoute {
  readonly method: string;
  /** As OpenAPI writes it: /v1/moves/{moveID} */
  readonly path: string;
  readonly pathParameters: readonly string[];
  /** The status of success. */
  readonly status: number;
  readonly query: Parameters;
  readonly write: WriteRule | undefined;
  readonly body: BodyRule | undefined;
  /** The scope that a caller needs, unless everybody may call. */
  readonly access: Access;
  readonly text: OperationText;
}

/** Undefined for a route that the document leaves out. */
export function describeRoute({ method, path, handler, name }: Route): DescribedRoute | undefined {
  const text = operationText(name);
  if (text === undefined) return undefined;
  const written = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  return {
    method,
    path: path.replace(/:(\w+)/g, '{$1}'),
    pathParameters: [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter ?? ''),
    status: written ?? (method === 'POST' ? 201 : 200),
    query: (Reflect.getMetadata(QUERY_PARAMETERS, handler) as Parameters | undefined) ?? {},
    write: Reflect.getMetadata(WRITE_RULE, handler) as WriteRule | undefined,
    body: bodyRuleOf(handler),
    access: accessOf(handler) ?? 'public',
    text,
  };
}

/** Whether the answer is one record that has a version, read and not written. */
export function readsRecord({ method, text }: DescribedRoute): boolean {
  return method === 'GET' && 'record' in text.answers;
}

export function needsIfMatch({ write }: DescribedRoute): boolean {
  return write !== undefined && 'ifMatch' in write && write.ifMatch === 'required';
}
