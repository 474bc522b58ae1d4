type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** The subset of JSON Schema 2020-12 that the API document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** For a response enumeration: values may be added later, and clients must ignore unknown ones. */
  readonly 'x-extensible'?: true;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> };
  readonly examples?: readonly unknown[];
}

export type Properties = Readonly<Record<string, Schema>>;

export function nullable(schema: Schema): Schema {
  if (schema.anyOf !== undefined) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
}

export function objectSchema(description: string, properties: Properties, optional: Properties = {}): Schema {
  return {
    type: 'object',
    description,
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  };
}

/** The format of ids and eTags, for the API document and for validation. Clients may send ids in capitals (RFC 9562). */
const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SENT_UUID_PATTERN = new RegExp(UUID_PATTERN.source.replaceAll('a-f', 'a-fA-F'));
const ETAG_PATTERN = /^[0-9a-f]{64}$/;

export function isUUID(written: string): boolean {
  return SENT_UUID_PATTERN.test(written);
}

/** The same id as the service writes it; any other text stays as it is. */
export function canonicalID(written: string): string {
  return isUUID(written) ? written.toLowerCase() : written;
}

/** The same id or code as the service writes it: ids in lower case, codes in capitals. */
export function canonicalName(written: string): string {
  return isUUID(written) ? written.toLowerCase() : written.toUpperCase();
}

/** The same pattern with a lower-case range next to each range of capitals: other ways to ignore case also accept letters such as a long s. */
export function inAnyCase(pattern: string): string {
  return pattern.replace(/[A-Z]-[A-Z]/g, (range) => range + range.toLowerCase());
}

export function isETag(written: string): boolean {
  return ETAG_PATTERN.test(written);
}

export const UUID: Schema = { type: 'string', format: 'uuid', pattern: UUID_PATTERN.source };

/** An id in a request. */
export const SENT_UUID: Schema = { ...UUID, pattern: SENT_UUID_PATTERN.source };

export const EXAMPLE_ETAG = '3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b';

export const ETAG: Schema = { type: 'string', pattern: ETAG_PATTERN.source };

export const TIMESTAMP: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
};
