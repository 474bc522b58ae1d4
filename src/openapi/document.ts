import type { EntityMetadata } from 'typeorm';
import type { Config } from '../config/config.js';
import { MEDIA_TYPES } from '../http/media-types.js';
import type { Route } from '../http/routes.js';
import type { Relation, Resource } from '../records/resource.js';
import type { Schema } from '../schema/json-schema.js';
import { Components } from './components.js';
import { describeRoute, type DescribedRoute } from './described-route.js';
import { parametersOf } from './parameters.js';
import { allowedMethods, problemResponse, responsesOf } from './responses.js';
import { BodySchemas } from './schemas/body-schemas.js';
import { OTHER_SCHEMAS } from './schemas/other-schemas.js';
import { RecordSchemas } from './schemas/record-schemas.js';
import { INTRODUCTION } from './texts/introduction.js';
import { TAGS } from './texts/tags.js';

/** The version of the interface; see docs/versioning.md for when it changes. */
export const API_VERSION = '1.0.0';

const SECURITY_SCHEMES = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token in the header `Authorization: Bearer <ACCESS_TOKEN>`. Each operation names the scope it needs.',
  },
};

/** What the document is made from. */
export interface Sources {
  readonly routes: readonly Route[];
  readonly resources: readonly Resource[];
  readonly relations: readonly Relation[];
  metadataOf(resource: Resource): EntityMetadata;
  readonly config: Pick<Config, 'PUBLIC_URL'>;
}

export type Document = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

/** The OpenAPI document of the running code. */
export function documentOf(sources: Sources): Document {
  const components = new Components();
  const writer = new OperationWriter(components, sources);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of sources.routes.map(describeRoute)) {
    if (route === undefined) continue;
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
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { ...components.toJSON(), securitySchemes: SECURITY_SCHEMES },
  };
}

class OperationWriter {
  private readonly records: RecordSchemas;
  private readonly bodies: BodySchemas;

  constructor(
    private readonly components: Components,
    { resources, relations, metadataOf }: Sources,
  ) {
    this.records = new RecordSchemas(components, resources, relations, metadataOf);
    this.bodies = new BodySchemas(components, (record, field) => this.records.field(record, field));
  }

  operation(route: DescribedRoute): object {
    const { id, tag, summary, description } = route.text;
    return {
      operationId: id,
      tags: [tag],
      summary,
      ...this.access(route, description),
      parameters: parametersOf(this.components, route),
      ...(route.body && { requestBody: this.requestBody(route, this.bodies.of(route.body, route.method)) }),
      responses: responsesOf(this.components, route, (name) => this.schema(name)),
    };
  }

  /** OpenAPI lists scopes for OAuth alone, so that the one of a bearer token stands in the words and in a member of our own. */
  private access({ access }: DescribedRoute, description: string): object {
    if (access === 'public') return { description, security: [] };
    return {
      description: `${description}\n\nNeeds the scope \`${access}\`.`,
      security: [{ bearerAuth: [] }],
      'x-scope': access,
    };
  }

  private requestBody({ method, text }: DescribedRoute, schema: Schema): object {
    const types = MEDIA_TYPES[method as keyof typeof MEDIA_TYPES];
    const content = { schema, ...(text.bodies && { examples: text.bodies }) };
    return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) };
  }

  private schema(name: string): Schema {
    const other = OTHER_SCHEMAS[name];
    return other === undefined ? this.records.named(name) : this.components.schema(name, () => other);
  }
}
