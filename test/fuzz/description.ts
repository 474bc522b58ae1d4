import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Schema } from '../../src/schema/json-schema.js';
import type { Json } from '../support/api.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly explode?: boolean;
  readonly schema: Schema;
}

/** An answer as the document has it: a success has media types, a problem has codes. */
export interface DocumentedAnswer {
  readonly status: number;
  readonly mediaTypes: readonly string[];
  readonly codes: readonly string[];
}

/** One method of one path, as the document has it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** The media types in which its body may come. */
  readonly mediaTypes: readonly string[];
  /** The answers that the document has for it, by status. */
  readonly answers: readonly DocumentedAnswer[];
  /** The scope a token needs; undefined when anybody may call it. */
  readonly scope: string | undefined;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Requests to the feed are not generated: one may wait for half a minute, and a stream has no end. */
const EVENTS = '/v1/events';

/** The document of the API, read for those who make requests from it. */
export class Description {
  readonly operations: readonly Operation[];
  /** The methods of each path. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  private readonly patterns: readonly [RegExp, readonly Operation[]][];
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: true });
  private readonly validators = new Map<Schema, ValidateFunction>();

  constructor(readonly document: Json) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: document.components }, 'openapi', false, false);
    const paths = Object.entries<Json>(document.paths).filter(([path]) => !path.startsWith(EVENTS));
    this.operations = paths.flatMap(([path, item]) =>
      METHODS.filter((method) => item[method] !== undefined).map((method) =>
        this.operation(path, method, item[method]),
      ),
    );
    this.patterns = paths.map(([path]) => {
      return [patternOf(path), this.operations.filter((operation) => operation.path === path)];
    });
    this.paths = new Map(
      paths.map(([path]) => [
        path,
        this.operations.filter((operation) => operation.path === path).map(({ method }) => method),
      ]),
    );
  }

  /** The operation that a request is; undefined when the document has none. */
  operationOf(method: string, url: string): Operation | undefined {
    return this.operationsAt(url)?.find((operation) => operation.method === method);
  }

  private operationsAt(url: string): readonly Operation[] | undefined {
    const path = url.split('?', 1)[0] ?? '';
    return this.patterns.find(([pattern]) => pattern.test(path))?.[1];
  }

  schema(name: string): Schema {
    return this.document.components.schemas[name];
  }

  resolve(part: Json): Json {
    if (part?.$ref === undefined) return part;
    const names: string[] = part.$ref.slice(2).split('/');
    return names.reduce((found: Json, name) => found[name], this.document);
  }

  /** Whether the document says that a value is fine. */
  isValid(schema: Schema, value: unknown): boolean {
    let validate = this.validators.get(schema);
    if (validate === undefined) {
      validate = this.ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
      this.validators.set(schema, validate);
    }
    return validate(value);
  }

  private operation(path: string, method: string, described: Json): Operation {
    return {
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: (described.parameters ?? []).map((parameter: Json) => this.resolve(parameter)),
      body: this.resolve(described.requestBody?.content['application/json'].schema),
      mediaTypes: Object.keys(described.requestBody?.content ?? {}),
      answers: Object.entries<Json>(described.responses).map(([status, answer]) =>
        this.answer(Number(status), this.resolve(answer)),
      ),
      scope: described['x-scope'],
    };
  }

  private answer(status: number, { content = {} }: Json): DocumentedAnswer {
    const { 'application/problem+json': problem, ...others } = content;
    const problems: Json[] = problem === undefined ? [] : (problem.schema.oneOf ?? [problem.schema]);
    const codes = problems.map((one) => this.resolve(one).properties.code.const as string);
    return { status, mediaTypes: Object.keys(others), codes };
  }
}

/** The paths that a template of the document stands for; a slash at the end makes no difference. */
export function patternOf(template: string): RegExp {
  const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern.replace(/\/$/, '')}/?$`);
}
