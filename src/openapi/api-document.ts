import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { CONFIG, type Config } from '../config/config.js';
import { releaseVersion } from '../config/project-folder.js';
import { Database } from '../database/database.js';
import { MEDIA_TYPES } from '../http/media-types.js';
import { routesIn } from '../http/routes.js';
import { typeOf } from '../problem/catalogue.js';
import { RELATIONS, RESOURCES } from '../records/records.js';
import type { Relation, Resource } from '../records/resource.js';
import type { Schema } from '../validation/json-schema.js';
import { API_TEXTS, type ApiTexts } from './api-texts.js';
import { Components } from './components.js';
import { describeRoute, descriptionOf, type DescribedRoute } from './described-route.js';
import { HISTORY_TAG, type OutgoingCall, type TagText } from './operation.js';
import type { NamedSchema, RecordType } from './response.js';
import { parametersOf } from './parameters.js';
import { allowedMethods, fileContents, problemResponse, responsesOf } from './responses.js';
import { BodySchemas } from './schemas/body-schemas.js';
import { RecordSchemas } from './schemas/record-schemas.js';

const SECURITY_SCHEMES = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token or an API key in the header `Authorization: Bearer <ACCESS_TOKEN>`. Each operation names the scope that it requires.',
  },
};

export type Document = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

/** The OpenAPI document of the running code, generated once on first use. */
@Injectable()
export class ApiDocument {
  private generated: Document | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly database: Database,
    @Inject(RESOURCES) private readonly resources: readonly Resource[],
    @Inject(RELATIONS) private readonly relations: readonly Relation[],
    @Inject(API_TEXTS) private readonly texts: ApiTexts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get document(): Document {
    return (this.generated ??= this.generate());
  }

  /** The document for clients of this service: with AUTH_MODE=off, no operation requires a token. */
  get served(): Document {
    if (!this.config.isOpen) return this.document;
    const { securitySchemes: _, ...components } = this.document['components'] as Record<string, object>;
    const open = mapValues(this.document.paths, (item) => {
      return mapValues(item, (of) => ('security' in of ? { ...of, security: [] } : of));
    });
    return { ...this.document, paths: open, components };
  }

  private generate(): Document {
    const components = new Components(this.texts);
    const metadataOf = ({ entity }: Resource) => this.database.dataSource.getMetadata(entity);
    const records = new RecordSchemas(components, this.resources, this.relations, metadataOf);
    const writer = new OperationWriter(components, records, this.resources);
    const paths: Record<string, Record<string, object>> = {};
    const routes = routesIn(this.modules)
      .map(describeRoute)
      .filter((route) => route !== undefined);
    for (const route of routes) {
      const item = (paths[route.path] ??= {
        'x-options': allowedMethods(components),
        'x-other-methods': problemResponse(components, 405, [typeOf('METHOD_NOT_ALLOWED')]),
      });
      item[route.method.toLowerCase()] = writer.operation(route);
    }
    return {
      openapi: '3.1.0',
      info: {
        title: 'Waybill',
        version: releaseVersion(),
        summary: this.texts.summary,
        description: this.texts.introduction,
        license: { name: 'Proprietary' },
        contact: { name: 'The maintainers of Waybill' },
      },
      servers: [{ url: this.config.PUBLIC_URL ?? '/', description: 'This service' }],
      tags: tagsOf(routes),
      paths,
      webhooks: Object.fromEntries(
        routes.flatMap((route) =>
          route.text.sends ? [[route.text.sends.name, writer.outgoing(route.text.sends, route)]] : [],
        ),
      ),
      components: { ...components.toJSON(), securitySchemes: SECURITY_SCHEMES },
    };
  }
}

function mapValues<From, To>(object: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, to(value)]));
}

/** The tags in the order of their controllers; History, which several controllers share, comes last. */
function tagsOf(routes: readonly DescribedRoute[]): TagText[] {
  const described = routes.map(({ tag }) => tag).filter(({ description }) => description !== undefined);
  const own = described.filter((tag) => tag !== HISTORY_TAG);
  return [...new Set([...own, HISTORY_TAG])];
}

class OperationWriter {
  private readonly bodies: BodySchemas;

  constructor(
    private readonly components: Components,
    private readonly records: RecordSchemas,
    private readonly resources: readonly Resource[],
  ) {
    this.bodies = new BodySchemas(components, records);
  }

  operation(route: DescribedRoute): object {
    return {
      operationId: route.text.id,
      tags: [route.tag.name],
      summary: route.text.summary,
      'x-stability': route.stability,
      ...this.access(route, descriptionOf(route)),
      parameters: parametersOf(this.components, this.resources, route),
      ...this.requestBody(route),
      responses: responsesOf(this.components, route, (of) => this.schema(of)),
    };
  }

  outgoing(
    { name, summary, description, type, bodies, headers, responses }: OutgoingCall,
    route: DescribedRoute,
  ): object {
    return {
      post: {
        operationId: name,
        tags: [route.tag.name],
        summary,
        'x-stability': route.stability,
        description,
        security: [],
        parameters: Object.entries(headers).map(([header, text]) => {
          return { name: header, in: 'header', required: true, description: text, schema: { type: 'string' } };
        }),
        requestBody: {
          required: true,
          content: { [type]: { schema: { anyOf: bodies.map((of) => this.schema(of)) } } },
        },
        responses: mapValues(responses, (text) => ({ description: text })),
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
    const other = text.body;
    if (other !== undefined && 'files' in other) {
      return { requestBody: { required: true, content: fileContents(other.files) } };
    }
    const schema =
      other === undefined ? body && this.bodies.of(body) : this.components.schema(other.name, () => other.schema);
    if (schema === undefined) return {};
    const types = MEDIA_TYPES[method as keyof typeof MEDIA_TYPES];
    const content = { schema, ...(text.examples && { examples: text.examples }) };
    return { requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, content])) } };
  }

  private schema(of: RecordType | NamedSchema): Schema {
    if (!('schema' in of)) return this.records.named(of.name);
    return this.components.schema(of.name, () => of.schema(this.resources));
  }
}
