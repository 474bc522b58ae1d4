import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from '../http/plain-http.js';

/** A request and the answer it got, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly sent: unknown;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Whether a body of this type is one JSON value; JSON lines are several. */
export function isJson(contentType: string | null): boolean {
  return /\bjson\b/.test(contentType ?? '');
}

/** Headers of HTTP itself and of the connection, which the document does not speak of. */
const AMBIENT = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  // Headers for browsers, the same on every response.
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

/** HTML pages, assets and other routes that are deliberately not in the document. */
const LEFT_OUT = /^\/(console|docs|metrics)(\/|$)/;

const instances = new Map<string, Conformance>();
const byConfiguration = new Map<string, Conformance>();
let committed: Conformance | undefined;

/** Checks responses against the OpenAPI document. Anything undocumented is an error. */
export class Conformance {
  private readonly ajv = new Ajv2020({ strict: true, allErrors: true, strictTypes: false, strictRequired: false });
  private readonly paths: readonly { readonly pattern: RegExp; readonly item: Json; readonly path: string }[];

  constructor(private readonly document: Json) {
    addFormats.default(this.ajv);
    this.ajv.addVocabulary(['components', 'discriminator', 'x-extensible']);
    this.ajv.addSchema({ $id: 'openapi', components: closed(document.components) }, 'openapi', false, false);
    this.paths = Object.entries(document.paths).map(([path, item]) => {
      const pattern = path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
      return { pattern: new RegExp(`^${pattern.replace(/\/$/, '')}/?$`), item, path };
    });
  }

  /** Services with the same document share one instance, because compiling the schemas takes a second. */
  static of(document: Json): Conformance {
    const text = JSON.stringify(document);
    const known = instances.get(text) ?? new Conformance(document);
    instances.set(text, known);
    return known;
  }

  /** Writing the document takes a third of the time in which a service starts; its configuration determines it. */
  static ofService(configuration: object, document: () => Json): Conformance {
    const key = JSON.stringify(configuration);
    const known = byConfiguration.get(key) ?? Conformance.of(document());
    byConfiguration.set(key, known);
    return known;
  }

  /** The committed document, for a service that did not pass its own. */
  static ofFile(): Conformance {
    committed ??= Conformance.of(JSON.parse(readFileSync('openapi.json', 'utf8')));
    return committed;
  }

  check(exchange: Exchange): void {
    const isLeftOut = LEFT_OUT.test(exchange.path) && exchange.status < 400;
    const faults = isLeftOut ? [] : this.faults(exchange);
    if (faults.length === 0) return;
    const { method, path, status, body } = exchange;
    throw new Error(
      `The document does not have this answer: ${method} ${path} -> ${status}\n${faults.map((f) => `  - ${f}`).join('\n')}\n${JSON.stringify(body)}`,
    );
  }

  private faults(exchange: Exchange): string[] {
    const { method, status, headers } = exchange;
    const pathname = exchange.path.split(/[?#]/, 1)[0] ?? '';
    const known = this.paths.find(({ pattern }) => pattern.test(pathname));
    const operation = known?.item[method === 'HEAD' ? 'get' : method.toLowerCase()];
    const response = this.resolve(
      operation?.responses[status] ??
        (method === 'OPTIONS' && status === 204 ? known?.item['x-options'] : undefined) ??
        (operation === undefined && status === 405 ? known?.item['x-other-methods'] : undefined),
    );
    // Without an operation, any documented problem is accepted.
    if (response === undefined && operation === undefined && status >= 400) return this.anyProblem(exchange);
    if (response === undefined) return [`${known?.path ?? pathname} has no status ${status} for ${method}`];
    return [
      ...headerFaults(response, headers, (part) => this.resolve(part)),
      ...this.bodyFaults(response, exchange),
      // 207 says nothing about the validity of the items.
      ...(status < 300 && status !== 207 && operation?.requestBody ? this.requestFaults(operation, exchange) : []),
    ];
  }

  private bodyFaults({ content }: Json, { method, headers, body }: Exchange): string[] {
    const type = headers.get('Content-Type')?.split(';', 1)[0];
    if (content === undefined) return type === undefined && body === undefined ? [] : [`a body of type ${type}`];
    if (type === undefined || content[type] === undefined) return [`the content type ${type}`];
    if (method === 'HEAD' || !isJson(type)) return [];
    return this.invalid(content[type].schema, body);
  }

  /** An accepted request must be valid according to the document. */
  private requestFaults({ requestBody }: Json, { sent }: Exchange): string[] {
    if (typeof sent !== 'object' || sent instanceof Uint8Array) return [];
    const { schema } = requestBody.content['application/json'];
    return this.invalid(schema, JSON.parse(JSON.stringify(sent))).map((fault) => `accepted, though its body ${fault}`);
  }

  private anyProblem({ method, headers, body, status }: Exchange): string[] {
    if (headers.get('Content-Type') !== 'application/problem+json') return ['an error that is no problem'];
    if (headers.get('X-Request-ID') === null) return ['no X-Request-ID'];
    if (method === 'HEAD') return [];
    const name = Object.keys(this.document.components.schemas).find((schema) => {
      return this.document.components.schemas[schema].properties?.code?.const === (body as Json)?.code;
    });
    if (name === undefined) return [`the code ${(body as Json)?.code}`];
    const faults = this.invalid({ $ref: `#/components/schemas/${name}` }, body);
    return (body as Json).status === status ? faults : [...faults, 'another status in the body'];
  }

  private readonly validators = new Map<string, ValidateFunction>();

  private invalid(schema: Json, value: unknown): string[] {
    const key = JSON.stringify(schema);
    let validate = this.validators.get(key);
    if (validate === undefined) {
      validate = this.ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"openapi#/')));
      this.validators.set(key, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
    });
  }

  private resolve(part: Json): Json {
    if (part?.$ref === undefined) return part;
    return part.$ref
      .slice(2)
      .split('/')
      .reduce((found: Json, name: string) => found[name], this.document);
  }
}

function headerFaults({ headers: documented = {} }: Json, headers: Headers, resolve: (part: Json) => Json): string[] {
  const names = new Map(Object.keys(documented).map((name) => [name.toLowerCase(), resolve(documented[name])]));
  const missing = [...names].filter(([name, { required }]) => required && !headers.has(name));
  const unknown = [...headers.keys()].filter((name) => !names.has(name) && !AMBIENT.has(name));
  return [...missing.map(([name]) => `no header ${name}`), ...unknown.map((name) => `the header ${name}`)];
}

/** Responses may gain fields, so the document allows additional ones; tests do not. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  const isOpen = schema.type === 'object' && schema.properties !== undefined && !('additionalProperties' in schema);
  return isOpen ? { ...parts, additionalProperties: false } : parts;
}
