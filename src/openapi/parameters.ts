import { TAGS_OR_BARE_ETAG_PATTERN, TAGS_PATTERN } from '../http/entity-tags.js';
import type { Parameter } from '../http/query.js';
import { KEY_PATTERN } from '../idempotency/request-identity.js';
import { UUID, type Schema } from '../schema/json-schema.js';
import type { Components } from './components.js';
import { needsIfMatch, readsRecord, type DescribedRoute } from './described-route.js';
import { pathText, queryText } from './texts/parameters.js';
import { EXAMPLE_IF_MATCH } from './texts/schemas.js';

/**
 * Examples stand in the words and not in fields of their own: tools fill those into forms, and then every list is filtered,
 * every write has the same Idempotency-Key, and no record is found.
 */
function withExample({ description, example }: { description: string; example?: string | number | undefined }): string {
  return example === undefined ? description : `${description} For example \`${example}\`.`;
}

/** Everything a request carries besides its body. */
export function parametersOf(components: Components, route: DescribedRoute): object[] {
  return [
    ...route.pathParameters.map((name) => components.parameter(name, () => pathParameter(name))),
    ...Object.entries(route.query).map(([name, parameter]) => queryParameter(name, parameter)),
    ...headerParameters(route).map(([component, { name, required, pattern, ...text }]) => {
      const about = { name, in: 'header', required, description: withExample(text) };
      const schema: Schema = { type: 'string', ...(pattern !== undefined && { pattern }) };
      return components.parameter(component, () => ({ ...about, schema }));
    }),
  ];
}

function pathParameter(name: string): object {
  // What is no id at all is an unknown record, so that the schema of a move can leave its two forms open.
  const schema: Schema = name === 'moveID' || name === 'code' ? { type: 'string' } : UUID;
  return { name, in: 'path', required: true, description: withExample(pathText(name)), schema };
}

function queryParameter(name: string, { schema, list }: Parameter<unknown>): object {
  const about = { name, in: 'query', description: withExample(queryText(name)) };
  if (list === undefined) return { ...about, schema };
  const explode = list === 'by repetition';
  // An empty list, repeated, is no parameter at all; with commas it is an empty one, which is refused.
  const values: Schema = { type: 'array', items: schema, ...(!explode && { minItems: 1 }), uniqueItems: true };
  return { ...about, style: 'form', explode, schema: values };
}

type HeaderParameter = [
  component: string,
  text: { name: string; description: string; required: boolean; example: string; pattern?: string },
];

const IF_MATCH: HeaderParameter = [
  'IfMatch',
  {
    name: 'If-Match',
    required: true,
    description:
      'The eTag of the record as you last read it, bare or in double quotes. Also a list of quoted eTags, or `*` for any version.',
    example: EXAMPLE_IF_MATCH,
    pattern: TAGS_OR_BARE_ETAG_PATTERN,
  },
];

const IF_MATCH_OPTIONAL: HeaderParameter = [
  'IfMatchOptional',
  {
    name: 'If-Match',
    required: false,
    description: 'Go on only if the record has this version; 412 otherwise.',
    example: EXAMPLE_IF_MATCH,
    pattern: TAGS_OR_BARE_ETAG_PATTERN,
  },
];

const IF_NONE_MATCH: HeaderParameter = [
  'IfNoneMatch',
  {
    name: 'If-None-Match',
    required: false,
    description: 'The quoted eTag that you have: 304 without a body when it is still the current one.',
    example: EXAMPLE_IF_MATCH,
    pattern: TAGS_PATTERN,
  },
];

const IDEMPOTENCY_KEY: HeaderParameter = [
  'IdempotencyKey',
  {
    name: 'Idempotency-Key',
    required: false,
    description:
      'A key of your own for this request. Repeat the request with the same key and you get the same answer, for 24 hours.',
    example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
    pattern: KEY_PATTERN,
  },
];

const REQUEST_ID: HeaderParameter = [
  'RequestID',
  {
    name: 'X-Request-ID',
    required: false,
    description: 'A name of your own for this request; it comes back in the answer and stands in the history.',
    example: 'my-request-1',
  },
];

function headerParameters(route: DescribedRoute): HeaderParameter[] {
  const headers: HeaderParameter[] = [];
  if (needsIfMatch(route)) headers.push(IF_MATCH);
  else if (readsRecord(route) || route.method === 'DELETE') headers.push(IF_MATCH_OPTIONAL);
  if (readsRecord(route)) headers.push(IF_NONE_MATCH);
  if (route.write !== undefined) headers.push(IDEMPOTENCY_KEY);
  return [...headers, REQUEST_ID];
}
