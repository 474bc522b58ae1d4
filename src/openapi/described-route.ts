import { accessOf } from '../auth/access.js';
import { writeRuleOf } from '../writes/write-rule.js';
import { declaredStatusOf } from '../http/internals/nest-metadata.js';
import { queryTypeOf } from '../http/query.guard.js';
import type { Route } from '../http/routes.js';
import { typeOf, type ProblemCode, type ProblemType } from '../problem/catalogue.js';
import { fieldsOf } from '../validation/fields-of.js';
import { HISTORY_TAG, isUndocumented, operationOf, pathTextsOf, stabilityOf, tagOf } from './operation.js';

/** The metadata of a route, read from its decorators. */
export type DescribedRoute = NonNullable<ReturnType<typeof describeRoute>>;

/** Undefined for an undocumented route; throws if a documented one has no description. */
export function describeRoute({ method, path, handler, controller, name }: Route) {
  if (isUndocumented(controller)) return undefined;
  const [text, tag, write] = [operationOf(handler), tagOf(controller), writeRuleOf(handler)];
  if (text === undefined) throw new Error(`Describe the route of ${name} with @Operation`);
  if (tag === undefined) throw new Error(`Add @Tag to the controller of ${name}`);
  const stability = stabilityOf(controller);
  if (stability === undefined) throw new Error(`Add @Stability to the controller of ${name}`);
  const isHistory = text.response?.kind === 'history';
  const isRestore = write !== undefined && 'restores' in write;
  return {
    method,
    /** In OpenAPI syntax: /v1/moves/{moveID} */
    path: path.replace(/:(\w+)/g, '{$1}'),
    pathParameters: [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter ?? ''),
    pathTexts: pathTextsOf(controller) ?? {},
    status: declaredStatusOf(handler) ?? (method === 'POST' ? 201 : 200),
    query: queryTypeOf(handler),
    write,
    ifMatch: write && 'ifMatch' in write ? write.ifMatch : undefined,
    body: write?.body,
    /** The required scope, unless the route is public. */
    access: accessOf(handler) ?? 'public',
    text,
    tag: isHistory ? HISTORY_TAG : tag,
    isRestore,
    stability: stability === 'core' && (isHistory || isRestore) ? 'supported' : stability,
  };
}

export function readsRecord({ method, text }: DescribedRoute): boolean {
  return method === 'GET' && text.response?.kind === 'record';
}

function isPage({ text }: DescribedRoute): boolean {
  return text.response?.kind === 'list' || text.response?.kind === 'history';
}

/** Sentences that apply to every route of a kind. */
const FORMS: readonly (readonly [applies: (route: DescribedRoute) => boolean, sentence: string])[] = [
  [({ stability }) => stability === 'experimental', 'Experimental: any release may change or remove it.'],
  [isPage, 'Newest first, in pages. A `Link` header points to the next page, if any.'],
  [
    ({ query }) => fieldsOf(query).some(({ name }) => name === 'sort'),
    '`sort` or a range over a field changes the order.',
  ],
  [
    (route) => isPage(route) && route.text.response?.files !== undefined,
    'With `Accept: text/csv` or `Accept: application/jsonl`, the response is a file with the whole list from one snapshot. It supports all filters and `sort`, but not `limit`, `cursor` or `expand`.',
  ],
  [({ text }) => text.response?.kind === 'history', 'Remains readable after the record is deleted.'],
  [readsRecord, 'Send the `eTag` of the response in `If-Match` to change the record.'],
  [({ body }) => body?.use === 'Patch', 'Only the fields that you send change.'],
  [({ method }) => method === 'PUT', 'The body is the complete record: omitted optional fields become null.'],
  [({ method }) => method === 'DELETE', 'Its history is kept.'],
  [
    ({ isRestore }) => isRestore,
    'Brings the record back as a new version, with its id and its last values. `If-Match` names the deletion by its `deletionETag`: `GET /v1/deletions` lists it.',
  ],
  [(route) => route.ifMatch === 'required' && !route.isRestore, '`If-Match` must name the version that you read.'],
];

export function descriptionOf(route: DescribedRoute): string {
  const sentences = FORMS.filter(([applies]) => applies(route)).map(([, sentence]) => sentence);
  const own = route.text.description;
  return [...(own === undefined ? [] : [own]), ...sentences].join(' ');
}

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
  [({ isRestore }) => isRestore, 'NOT_DELETED', 'NOT_KEPT', 'VALIDATION_FAILED'],
  [takesFile, 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  [hasBody, 'MALFORMED_JSON', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_FAILED'],
];

function takesFile({ text }: DescribedRoute): boolean {
  return text.body !== undefined && 'files' in text.body;
}

function hasBody({ body, text }: DescribedRoute): boolean {
  return body !== undefined || (text.body !== undefined && 'schema' in text.body);
}

export function problemsOf(route: DescribedRoute): ProblemType[] {
  const codes = RULES.flatMap(([applies, ...problems]) => (applies(route) ? problems : []));
  return [...new Set([...codes, ...(route.text.problems ?? [])])].map(typeOf);
}
