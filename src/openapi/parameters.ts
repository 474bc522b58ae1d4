import { TAGS_PATTERN } from '../etag/entity-tags.js';
import type { QueryType } from '../http/query.guard.js';
import { KEY_PATTERN } from '../writes/idempotency/request-identity.js';
import type { Resource } from '../records/resource.js';
import { fieldsOf, type Field } from '../validation/fields-of.js';
import { schemaOfProperty } from '../validation/json-schema.decorator.js';
import { SENT_UUID, type Schema } from '../validation/json-schema.js';
import type { Components } from './components.js';
import { readsRecord, type DescribedRoute } from './described-route.js';
import type { PathText } from './operation.js';
import { EXAMPLE_CURSOR, EXAMPLE_IF_MATCH } from './examples.js';

/** Adds the example to the description: tools would fill a field of its own into forms, as a filter or an Idempotency-Key. */
function withExample({ description, example }: { description: string; example?: string | number | undefined }): string {
  return example === undefined ? description : `${description} For example \`${example}\`.`;
}

/** All parameters of a request, without its body. */
export function parametersOf(components: Components, resources: readonly Resource[], route: DescribedRoute): object[] {
  return [
    ...route.pathParameters.map((name) =>
      components.add('parameters', name, () => pathParameter(name, resources, route)),
    ),
    ...fieldsOf(route.query).map((field) => queryParameter(route.query, field)),
    ...headerParameters(route).map((component) => {
      const { name, required = false, pattern, ...text }: HeaderParameter = HEADER_PARAMETERS[component];
      const about = { name, in: 'header', required, description: withExample(text) };
      const schema: Schema = { type: 'string', ...(pattern !== undefined && { pattern }) };
      return components.add('parameters', component, () => ({ ...about, schema }));
    }),
  ];
}

function pathParameter(name: string, resources: readonly Resource[], { pathTexts }: DescribedRoute): object {
  const resource = resources.find(({ parameter }) => parameter === name);
  const text = resource === undefined ? pathTexts[name] : nameOfRecord(resource);
  if (text === undefined) throw new Error(`Describe the path parameter ${name} with @PathParameter`);
  return { name, in: 'path', required: true, description: withExample(text), schema: text.schema };
}

function nameOfRecord({ name, alternateKey, exampleID }: Resource): PathText {
  if (alternateKey === undefined)
    return { description: `The id of the ${name}.`, example: exampleID, schema: SENT_UUID };
  // Any other text is an unknown record, so the schema does not restrict the format.
  const description = `The id of the ${name}, or its ${alternateKey.property}.`;
  return { description, example: exampleID, schema: { type: 'string' } };
}

function queryParameter(type: QueryType, { name, isList }: Field): object {
  const { description, examples, ...schema } = schemaOfProperty(type, name);
  if (description === undefined) throw new Error(`Describe ${type.name}.${name} with @JsonSchema`);
  const about = {
    name,
    in: 'query',
    description: withExample({ description, example: examples?.[0] as string | number | undefined }),
  };
  if (!isList) return { ...about, schema };
  // OpenAPI cannot say that the parameter may also be repeated.
  const values: Schema = { type: 'array', items: schema, minItems: 1, uniqueItems: true };
  return { ...about, style: 'form', explode: false, schema: values };
}

interface HeaderParameter {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly example: string;
  readonly pattern?: string;
}

/** The headers of requests, by the names of their components. */
const HEADER_PARAMETERS = {
  IfMatch: {
    name: 'If-Match',
    required: true,
    description:
      'The eTag of the record that you last read, bare or in double quotes. May also be a list of quoted eTags, or `*` for any version. Any other value is another version: 412.',
    example: EXAMPLE_IF_MATCH,
    pattern: TAGS_PATTERN,
  },
  IfMatchOptional: {
    name: 'If-Match',
    description: 'Proceed only if the record has this version; 412 otherwise.',
    example: EXAMPLE_IF_MATCH,
    pattern: TAGS_PATTERN,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    description: 'The eTag that you have, bare or in double quotes: 304 without a body if it is still current.',
    example: EXAMPLE_IF_MATCH,
    pattern: TAGS_PATTERN,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    description:
      'A unique key for this request. For 24 hours, repeating the request with the same key returns the same response.',
    example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
    pattern: KEY_PATTERN,
  },
  LastEventID: {
    name: 'Last-Event-ID',
    description: 'The id of the last event received: the stream resumes after it. Overrides `after`.',
    example: EXAMPLE_CURSOR,
    pattern: '^[A-Za-z0-9_-]{0,64}$',
  },
  RequestID: {
    name: 'X-Request-ID',
    description: 'Your id for this request; returned in the response and stored in the history.',
    example: 'my-request-1',
  },
} as const satisfies Readonly<Record<string, HeaderParameter>>;

function headerParameters(route: DescribedRoute): (keyof typeof HEADER_PARAMETERS)[] {
  const headers: (keyof typeof HEADER_PARAMETERS)[] = [];
  if (route.ifMatch === 'required') headers.push('IfMatch');
  else if (readsRecord(route) || route.ifMatch === 'optional') headers.push('IfMatchOptional');
  if (readsRecord(route)) headers.push('IfNoneMatch');
  if (route.write !== undefined) headers.push('IdempotencyKey');
  if (route.text.response?.kind === 'stream') headers.push('LastEventID');
  return [...headers, 'RequestID'];
}
