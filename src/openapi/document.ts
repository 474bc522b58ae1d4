import type { EntityMetadata } from 'typeorm';
import type { Config } from '../config/config.js';
import { MEDIA_TYPES } from '../http/media-types.js';
import type { Route } from '../http/routes.js';
import type { Relation, Resource } from '../records/resource.js';
import type { Schema } from '../validation/json-schema.js';
import { Components } from './components.js';
import { describeRoute, descriptionOf, type DescribedRoute } from './described-route.js';
import { HISTORY_TAG, type NamedSchema, type OutgoingCall, type RecordType, type TagText } from './operation.js';
import { parametersOf } from './parameters.js';
import { allowedMethods, fileContents, problemResponse, responsesOf } from './responses.js';
import { BodySchemas } from './schemas/body-schemas.js';
import { RecordSchemas } from './schemas/record-schemas.js';
import { INTRODUCTION } from './texts/introduction.js';

/** The API version; see docs/versioning.md. */
export const API_VERSION = '1.0.0';

const SECURITY_SCHEMES = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token in the header `Authorization: Bearer <ACCESS_TOKEN>`. Each operation names the scope that it requires.',
  },
};

interface Sources {
  readonly routes: readonly Route[];
  readonly resources: readonly Resource[];
  readonly relations: readonly Relation[];
  readonly metadataOf: (resource: Resource) => EntityMetadata;
  readonly config: Pick<Config, 'PUBLIC_URL'>;
}

export type Document = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

/** Generates the OpenAPI document from the running code. */
export function documentOf(sources: Sources): Document {
  const components = new Components();
  const writer = new OperationWriter(components, sources);
  const paths: Record<string, Record<string, object>> = {};
  const routes = sources.routes.map(describeRoute).filter((route) => route !== undefined);
  for (const route of routes) {
    const item = (paths[route.path] ??= {
      'x-options': allowedMethods(components),
      'x-other-methods': problemResponse(components, 405, ['METHOD_NOT_ALLOWED']),
    });
    item[route.method.toLowerCase()] = writer.operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waybill',
      version: API_VERSION,
      summary: 'Moves and shipments, with updates that never overwrite each other.',
      description: INTRODUCTION,
      license: { name: 'Proprietary' },
      contact: { name: 'The maintainers of Waybill' },
    },
    servers: [{ url: sources.config.PUBLIC_URL ?? '/', description: 'This service' }],
    tags: tagsOf(routes),
    paths,
    webhooks: Object.fromEntries(
      routes.flatMap(({ text, tag }) => (text.sends ? [[text.sends.name, writer.outgoing(text.sends, tag)]] : [])),
    ),
    components: { ...components.toJSON(), securitySchemes: SECURITY_SCHEMES },
  };
}

/** The tags in the order of their controllers; History, which several controllers share, comes last. */
function tagsOf(routes: readonly DescribedRoute[]): TagText[] {
  const described = routes.map(({ tag }) => tag).filter(({ description }) => description !== undefined);
  const own = described.filter((tag) => tag !== HISTORY_TAG);
  return [...new Set([...own, HISTORY_TAG])];
}

class OperationWriter {
  private readonly records: RecordSchemas;
  private readonly bodies: BodySchemas;

  constructor(
    private readonly components: Components,
    private readonly sources: Sources,
  ) {
    const { resources, relations, metadataOf } = sources;
    this.records = new RecordSchemas(components, resources, relations, metadataOf);
    this.bodies = new BodySchemas(components, (record, field) => this.records.field(record, field));
  }

  operation(route: DescribedRoute): object {
    return {
      operationId: route.text.id,
      tags: [route.tag.name],
      summary: route.text.summary,
      ...this.access(route, descriptionOf(route)),
      parameters: parametersOf(this.components, this.sources.resources, route),
      ...this.requestBody(route),
      responses: responsesOf(this.components, route, (of) => this.schema(of)),
    };
  }

  outgoing({ name, summary, description, type, bodies, headers, answers }: OutgoingCall, tag: TagText): object {
    return {
      post: {
        operationId: name,
        tags: [tag.name],
        summary,
        description,
        security: [],
        parameters: Object.entries(headers).map(([header, text]) => {
          return { name: header, in: 'header', required: true, description: text, schema: { type: 'string' } };
        }),
        requestBody: {
          required: true,
          content: { [type]: { schema: { anyOf: bodies.map((of) => this.schema(of)) } } },
        },
        responses: Object.fromEntries(Object.entries(answers).map(([status, text]) => [status, { description: text }])),
      },
    };
  }

  /** OpenAPI supports scopes for OAuth only, so the scope of a bearer token goes into the description and an extension member. */
  private access({ access }: DescribedRoute, description: string): object {
    if (access === 'public') return { description, security: [] };
    const scopes = [access].flat();
    return {
      description: `${description}\n\nRequires the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
      security: [{ bearerAuth: [] }],
      'x-scope': access,
    };
  }

  private requestBody({ method, text, body }: DescribedRoute): object {
    if (text.upload !== undefined) return { requestBody: { required: true, content: fileContents(text.upload) } };
    const many = text.many?.request;
    const schema = many === undefined ? body && this.bodies.of(body) : this.components.schema('Bulk', () => many);
    if (schema === undefined) return {};
    const types = MEDIA_TYPES[method as keyof typeof MEDIA_TYPES];
    const content = { schema, ...(text.bodies && { examples: text.bodies }) };
    return { requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, content])) } };
  }

  private schema(of: RecordType | NamedSchema): Schema {
    if (!('schema' in of)) return this.records.named(of.name);
    return this.components.schema(of.name, () => of.schema(this.sources.resources));
  }
}
