import type { ProblemCode } from '../problem/catalogue.js';
import { fieldsOf } from '../validation/fields-of.js';
import { readsRecord, type DescribedRoute } from './described-route.js';

/** Problems that any route can return. */
export const EVERY_ROUTE: readonly ProblemCode[] = [
  'INVALID_PARAMETER',
  'CREDENTIAL_IN_URL',
  'MALFORMED_REQUEST',
  'NOT_ACCEPTABLE',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'MISDIRECTED_REQUEST',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'UNAVAILABLE',
];

/** Kinds of requests, with the problems that they can cause. */
const RULES: readonly (readonly [applies: (route: DescribedRoute) => boolean, ...problems: ProblemCode[]])[] = [
  [() => true, ...EVERY_ROUTE],
  [({ access }) => access !== 'public', 'UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  [({ pathParameters }) => pathParameters.length > 0, 'NOT_FOUND'],
  [(route) => readsRecord(route) || route.write !== undefined, 'INVALID_HEADER', 'PRECONDITION_FAILED'],
  [({ ifMatch }) => ifMatch === 'required', 'PRECONDITION_REQUIRED'],
  [({ write }) => write !== undefined, 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH', 'OUTCOME_UNKNOWN'],
  [({ write, query }) => write !== undefined || fieldsOf(query).some(({ name }) => name === 'version'), 'ERASED'],
  [({ text }) => text.upload !== undefined, 'MALFORMED_FILE', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  [hasBody, 'MALFORMED_JSON', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_FAILED'],
];

function hasBody({ body, text }: DescribedRoute): boolean {
  return body !== undefined || text.many !== undefined;
}

/** All problems that a route can return. */
export function problemsOf(route: DescribedRoute): ProblemCode[] {
  const codes = RULES.flatMap(([applies, ...problems]) => (applies(route) ? problems : []));
  return [...new Set([...codes, ...(route.text.problems ?? [])])];
}
