import { createParamDecorator, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { didYouMean } from '../problem/nearest.js';
import { fieldProblem, MAX_FIELD_ERRORS, Problem, type FieldError } from '../problem/problem.js';
import { fieldsOf, readTexts, type Field } from '../validation/fields-of.js';
import { contextOf, requestOf } from './request-context.js';

export type QueryType = new () => object;

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
    const pairs = pairsOf(request.url);
    if (pairs.some(([name]) => CREDENTIAL.test(name))) {
      throw new Problem(
        'CREDENTIAL_IN_URL',
        'The query contains a credential, and URLs end up in logs and browser histories. Send it in the Authorization header, and revoke this one: consider it exposed.',
      );
    }
    const handler = context.getHandler();
    if (pairs.length > 0 && !Reflect.hasMetadata(ANY_QUERY, handler)) {
      contextOf(request).query = readQuery(queryTypeOf(handler), pairs);
    }
    return true;
  }
}

type Pair = [name: string, value: string];

/** Names of parameters that look like a credential. */
const CREDENTIAL =
  /^(access[-_]?token|id[-_]?token|refresh[-_]?token|token|auth|authorization|api[-_]?key|apikey|bearer|jwt|password|secret|client[-_]?secret)$/i;

/** Parses a query. Parameters must be known, valid, and unique unless they take a list. */
function readQuery(type: QueryType, pairs: readonly Pair[]): object {
  const { texts, errors } = collect(fieldsOf(type), pairs);
  const { values, broken } = readTexts(type, texts);
  errors.push(
    ...broken.map(({ field, message }) => ({ pointer: `?${field.name}`, code: 'INVALID_VALUE', message })),
    ...repeatedValues(values).filter(({ pointer }) => !broken.some(({ field }) => pointer === `?${field.name}`)),
  );
  if (errors.length > 0) throw fieldProblem('INVALID_PARAMETER', errors);
  return values;
}

/** The values of each known parameter. */
function collect(fields: readonly Field[], pairs: readonly Pair[]) {
  const texts: Record<string, string | string[]> = {};
  const errors: FieldError[] = [];
  for (const [name, written] of pairs) {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) {
      errors.push(unknownParameter(name, fields, errors.length < MAX_FIELD_ERRORS));
    } else if (field.isList) {
      ((texts[name] ??= []) as string[]).push(written);
    } else if (texts[name] !== undefined) {
      errors.push({ pointer: `?${name}`, code: 'REPEATED', message: 'must not occur more than once' });
    } else {
      texts[name] = written;
    }
  }
  return { texts, errors };
}

function repeatedValues(values: object): FieldError[] {
  const lists = Object.entries(values).filter(([, value]) => Array.isArray(value)) as [string, unknown[]][];
  return lists
    .filter(([, list]) => new Set(list).size < list.length)
    .map(([name]) => ({ pointer: `?${name}`, code: 'REPEATED', message: 'must not have the same value twice' }));
}

/** Searches for similar names only if the error will be listed, because the search is expensive. */
function unknownParameter(name: string, fields: readonly Field[], isListed: boolean): FieldError {
  const known = fields.map((field) => field.name);
  const accepted = known.length === 0 ? 'has none' : `has ${known.join(', ')}`;
  const meant = isListed ? didYouMean(name, known) : '';
  const message = `is not a parameter of this path${meant}, which ${accepted}`;
  return { pointer: `?${name}`, code: 'UNKNOWN_PARAMETER', message };
}

/** The pairs of the query of a URL; a plus sign means a space, as in HTML forms. */
function pairsOf(url: string): Pair[] {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals === -1) return [decoded(pair), ''];
    return [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))];
  });
}

/** Rejects percent-encoding that is malformed or not UTF-8. */
function decoded(written: string): string {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    throw new Problem(
      'INVALID_PARAMETER',
      'The query has malformed or non-UTF-8 percent-encoding. Write each % as %25.',
    );
  }
}
