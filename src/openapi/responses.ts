import { STATUS_CODES } from 'node:http';
import type { ProblemType } from '../problem/catalogue.js';
import { fieldsOf } from '../validation/fields-of.js';
import { objectSchema, type Properties, type Schema } from '../validation/json-schema.js';
import type { Components, Ref } from './components.js';
import { EVERY_ROUTE, problemsOf, readsRecord, type DescribedRoute } from './described-route.js';
import { headersOf } from './headers.js';
import { FILE_HEADERS, type Files, type SchemaOf } from './response.js';

export function responsesOf(components: Components, route: DescribedRoute, schema: SchemaOf): Record<string, object> {
  const responses: Record<string, object> = { [route.status]: success(components, route, schema) };
  if (route.text.response?.kind === 'batch') responses[207] = responses[200] ?? {};
  if (readsRecord(route)) responses[304] = notModified(components);
  const problems = problemsOf(route);
  for (const status of new Set(problems.map((problem) => problem.status))) {
    const ofStatus = problems.filter((problem) => problem.status === status);
    responses[status] = problemResponse(components, status, ofStatus);
  }
  return responses;
}

function success(components: Components, route: DescribedRoute, schemaOf: SchemaOf): object {
  const { response, summary } = route.text;
  if (response === undefined) {
    return { description: 'Success, without a body.', headers: headersOf(components, ...headersFor(route)) };
  }
  const { schema, mediaType = 'application/json', html, files } = response;
  return {
    description: response.sentence ?? (response.kind === 'record' ? sentenceOf(route) : summary),
    headers: headersOf(components, ...headersFor(route)),
    content: {
      ...(schema && { [mediaType]: { schema: schema(schemaOf, components) } }),
      ...(html && { 'text/html': { schema: { type: 'string' } } }),
      ...fileContents(files),
    },
  };
}

function headersFor({ method, query, write, text }: DescribedRoute): [always: string[], sometimes: string[]] {
  const { kind, always = [], sometimes = [], files } = text.response ?? {};
  const canHave = (parameter: string) => fieldsOf(query).some(({ name }) => name === parameter);
  // RFC 9110, 9.3.4: the response to a PUT must not have an ETag unless the body was stored unchanged.
  const eTag = kind === 'record' && method !== 'PUT' ? ['ETag'] : [];
  const isCreated = method === 'POST' && (kind === 'record' || kind === 'other');
  return [
    ['X-Request-ID', ...(canHave('expand') ? [] : eTag), ...(isCreated ? ['Location'] : []), ...always],
    [
      ...(write === undefined ? [] : ['Idempotency-Replayed']),
      ...(canHave('expand') ? eTag : []),
      ...sometimes,
      ...(canHave('q') ? ['Waybill-Search-Behind'] : []),
      ...(canHave('count') ? ['Waybill-Count'] : []),
      ...(files === undefined || always.includes('Content-Disposition') ? [] : FILE_HEADERS),
    ],
  ];
}

function sentenceOf({ method }: DescribedRoute): string {
  if (method === 'GET') return 'The record.';
  return method === 'POST' ? 'The new record.' : 'The record after the change, with its new eTag.';
}

export function fileContents(files: Files = {}): Record<string, object> {
  const contents = Object.entries(files).map(([type, example]) => [type, { schema: { type: 'string' }, example }]);
  return Object.fromEntries(contents) as Record<string, object>;
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
export function problemResponse(components: Components, status: number, problems: readonly ProblemType[]): Ref {
  const codes = problems.map(({ code }) => code);
  const name = codes.length === 1 ? pascal(codes.join()) : sharedName(status, codes);
  return components.add('responses', name, () => {
    const always = problems.every(({ headers }) => headers) ? (problems[0]?.headers ?? []) : [];
    const others = problems.flatMap(({ headers = [], someHeaders = [] }) => [...headers, ...someHeaders]);
    const sometimes = [...new Set(others)].filter((header) => !always.includes(header));
    const schemas = problems.map((problem) => problemSchema(components, problem));
    return {
      description: `${problems.map(({ title }) => title).join('; or: ')}.`,
      headers: headersOf(components, ['X-Request-ID', ...always], sometimes),
      content: { 'application/problem+json': { schema: schemas.length === 1 ? schemas[0] : byCode(codes, schemas) } },
    };
  });
}

/** The reason phrase, plus the codes that are specific to some routes. */
function sharedName(status: number, codes: readonly string[]): string {
  const special = codes.filter((code) => !(EVERY_ROUTE as readonly string[]).includes(code));
  return pascal((STATUS_CODES[status] ?? '').replaceAll(' ', '_')) + special.map(pascal).join('');
}

function byCode(codes: readonly string[], schemas: readonly Ref[]): Schema {
  const mapping = Object.fromEntries(codes.map((code, index) => [code, schemas[index]?.$ref ?? '']));
  return { oneOf: schemas, discriminator: { propertyName: 'code', mapping } };
}

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
function problemSchema(
  components: Components,
  { code, status, title, meaning, members, someMembers }: ProblemType,
): Ref {
  return components.schema(`${pascal(code)}Problem`, () => {
    const always: Properties = {
      ...PROBLEM_MEMBERS,
      title: { ...PROBLEM_MEMBERS.title, const: title },
      status: { ...PROBLEM_MEMBERS.status, const: status },
      code: { ...PROBLEM_MEMBERS.code, const: code },
      ...members,
    };
    return { ...objectSchema(meaning, always, someMembers), examples: [components.texts.problemExample(code)] };
  });
}

function pascal(code: string): string {
  return code.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
