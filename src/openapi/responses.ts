import { STATUS_CODES } from 'node:http';
import { descriptionOf, type ProblemCode } from '../problem/catalogue.js';
import { fieldsOf } from '../validation/fields-of.js';
import { objectSchema, type Properties, type Schema } from '../validation/json-schema.js';
import type { Components, Ref } from './components.js';
import { EVERY_ROUTE, problemsOf, readsRecord, type DescribedRoute } from './described-route.js';
import { headersOf } from './headers.js';
import { isList, type NamedSchema, type OperationText, type RecordType } from './operation.js';
import { HISTORY_ENTRY } from './schemas/history-entry.js';
import { problemExample } from './texts/problem-examples.js';

type SchemaOf = (of: RecordType | NamedSchema) => Schema;

/** All responses of a route, by status. */
export function responsesOf(components: Components, route: DescribedRoute, schema: SchemaOf): Record<string, object> {
  const responses: Record<string, object> = { [route.status]: success(components, route, schema) };
  if (route.text.many !== undefined) responses[207] = responses[200] ?? {};
  if (readsRecord(route)) responses[304] = notModified(components);
  const codes = problemsOf(route);
  for (const status of new Set(codes.map((code) => descriptionOf(code).status))) {
    const ofStatus = codes.filter((code) => descriptionOf(code).status === status);
    responses[status] = problemResponse(components, status, ofStatus);
  }
  return responses;
}

function success(components: Components, { method, query, write, text }: DescribedRoute, schema: SchemaOf): object {
  const always = ['X-Request-ID'];
  const sometimes = write === undefined ? [] : ['Idempotency-Replayed'];
  const body = bodySchema(components, text, schema);
  if (text.download !== undefined) always.push('Content-Disposition', 'X-Accel-Buffering');
  else if (body === undefined) {
    return { description: 'Success, without a body.', headers: headersOf(components, always, sometimes) };
  }
  if (text.record !== undefined) {
    // RFC 9110, 9.3.4: the response to a PUT must not have an ETag unless the body was stored unchanged.
    const canExpand = fieldsOf(query).some(({ name }) => name === 'expand');
    if (method !== 'PUT') (canExpand ? sometimes : always).push('ETag');
  }
  if (method === 'POST' && (text.record ?? text.other) !== undefined) always.push('Location');
  if (isList(text)) sometimes.push('Link');
  const canHave = (parameter: string) => fieldsOf(query).some(({ name }) => name === parameter);
  if (canHave('q')) sometimes.push('Waybill-Search-Behind');
  if (canHave('count')) sometimes.push('Waybill-Count');
  if (text.events === 'page') always.push('Link');
  if (text.events === 'stream') always.push('X-Accel-Buffering');
  if (text.html) always.push('Vary');
  if (text.files !== undefined) sometimes.push('Content-Disposition', 'X-Accel-Buffering');
  return {
    description: describeSuccess(method, text),
    headers: headersOf(components, always, sometimes),
    content: {
      ...(body && { [text.events === 'stream' ? 'text/event-stream' : 'application/json']: { schema: body } }),
      ...(text.html && { 'text/html': { schema: { type: 'string' } } }),
      ...fileContents(text.files ?? text.download),
    },
  };
}

/** File contents by media type, each with an example. */
export function fileContents(files: Readonly<Record<string, string>> = {}): Record<string, object> {
  const contents = Object.entries(files).map(([type, example]) => [type, { schema: { type: 'string' }, example }]);
  return Object.fromEntries(contents) as Record<string, object>;
}

function bodySchema(components: Components, text: OperationText, schema: SchemaOf): Schema | undefined {
  const { many, extended } = text;
  if (many !== undefined) return components.schema('BulkAnswer', () => many.answer);
  const own = contentSchema(text, schema);
  if (extended === undefined || own?.$ref === undefined) return own;
  const { name, description, properties } = extended;
  const record = components.get({ $ref: own.$ref });
  return components.schema(name, () => ({
    ...record,
    description,
    required: [...(record.required ?? []), ...Object.keys(properties)],
    properties: { ...record.properties, ...properties },
  }));
}

function contentSchema({ record, list, history, events, other }: OperationText, schema: SchemaOf): Schema | undefined {
  if (record !== undefined) return schema(record);
  if (list !== undefined) return { type: 'array', items: schema(list) };
  if (history) return { type: 'array', items: schema(HISTORY_ENTRY) };
  if (other === undefined) return undefined;
  return events === 'page' ? { type: 'array', items: schema(other) } : schema(other);
}

function describeSuccess(method: string, text: OperationText): string {
  if (isList(text)) return 'One page of the list.';
  if (text.events === 'page') return 'One page of events. It always has a `Link` header for the next request.';
  if (text.record === undefined) return text.summary;
  if (method === 'GET') return 'The record.';
  return method === 'POST' ? 'The new record.' : 'The record after the change, with its new eTag.';
}

function notModified(components: Components): Ref {
  return components.add('responses', 'NotModified', () => ({
    description: 'You have the current version.',
    headers: headersOf(components, ['X-Request-ID', 'ETag']),
  }));
}

/** The response to OPTIONS, which every path supports. */
export function allowedMethods(components: Components): Ref {
  return components.add('responses', 'AllowedMethods', () => ({
    description: 'The supported methods, without a body.',
    headers: headersOf(components, ['X-Request-ID', 'Allow'], ['Accept-Patch']),
  }));
}

/** Problems with the same status are distinguished by their code. */
export function problemResponse(components: Components, status: number, codes: readonly ProblemCode[]): Ref {
  const name = codes.length === 1 ? pascal(codes.join()) : sharedName(status, codes);
  return components.add('responses', name, () => {
    const problems = codes.map(descriptionOf);
    const always = problems.every(({ headers }) => headers) ? (problems[0]?.headers ?? []) : [];
    const others = problems.flatMap(({ headers = [], someHeaders = [] }) => [...headers, ...someHeaders]);
    const sometimes = [...new Set(others)].filter((header) => !always.includes(header));
    const schemas = codes.map((code) => problemSchema(components, code));
    return {
      description: `${problems.map(({ title }) => title).join('; or: ')}.`,
      headers: headersOf(components, ['X-Request-ID', ...always], sometimes),
      content: { 'application/problem+json': { schema: schemas.length === 1 ? schemas[0] : byCode(codes, schemas) } },
    };
  });
}

/** The reason phrase, plus the codes that are specific to some routes. */
function sharedName(status: number, codes: readonly ProblemCode[]): string {
  const special = codes.filter((code) => !EVERY_ROUTE.includes(code));
  return pascal((STATUS_CODES[status] ?? '').replaceAll(' ', '_')) + special.map(pascal).join('');
}

function byCode(codes: readonly ProblemCode[], schemas: readonly Ref[]): Schema {
  const mapping = Object.fromEntries(codes.map((code, index) => [code, schemas[index]?.$ref ?? '']));
  return { oneOf: schemas, discriminator: { propertyName: 'code', mapping } };
}

/** The members of every problem (RFC 9457). */
export const PROBLEM_MEMBERS = {
  type: { type: 'string', format: 'uri-reference', description: 'Link to the explanation of this problem.' },
  title: { type: 'string', description: 'Short summary of the problem.' },
  status: { type: 'integer', description: 'HTTP status of the response.' },
  detail: { type: 'string', description: 'Human-readable explanation of this occurrence.' },
  instance: { type: 'string', description: 'Path of the request.' },
  code: { type: 'string', description: 'Machine-readable problem code.' },
  requestID: { type: 'string', description: 'Same as `X-Request-ID`; include it when you ask for support.' },
} as const satisfies Properties;

/** The payload of one problem, identified by `code`. */
function problemSchema(components: Components, code: ProblemCode): Ref {
  const { status, title, meaning, members, someMembers } = descriptionOf(code);
  return components.schema(`${pascal(code)}Problem`, () => {
    const always: Properties = {
      ...PROBLEM_MEMBERS,
      title: { ...PROBLEM_MEMBERS.title, const: title },
      status: { ...PROBLEM_MEMBERS.status, const: status },
      code: { ...PROBLEM_MEMBERS.code, const: code },
      ...members,
    };
    return { ...objectSchema(meaning, always, someMembers), examples: [problemExample(code)] };
  });
}

function pascal(code: string): string {
  return code.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
