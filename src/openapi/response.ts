import type { Resource } from '../records/resource.js';
import type { Schema } from '../validation/json-schema.js';
import type { Components } from './components.js';

/** The class of a record or part; its name is also the name of its schema. */
export type RecordType = abstract new () => object;

export interface NamedSchema {
  readonly name: string;
  readonly schema: (resources: readonly Resource[]) => Schema;
}

/** A record with additional members in one response. */
export interface ExtendedRecord {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, Schema>>;
}

export type Files = Readonly<Record<string, string>>;

export type SchemaOf = (of: RecordType | NamedSchema) => Schema;

/** What an operation returns when it succeeds. */
export interface Response {
  readonly kind: 'record' | 'list' | 'history' | 'batch' | 'events' | 'stream' | 'file' | 'other';
  readonly schema?: (schemaOf: SchemaOf, components: Components) => Schema;
  /** Of the schema, unless it is JSON. */
  readonly mediaType?: string;
  /** Headers, besides those that depend on the route. */
  readonly always?: readonly string[];
  readonly sometimes?: readonly string[];
  readonly files?: Files;
  readonly html?: true;
  /** Describes it, instead of the summary of the operation. */
  readonly sentence?: string;
}

export function recordOf(type: RecordType, extended?: ExtendedRecord): Response {
  return {
    kind: 'record',
    schema: (schemaOf, components) => {
      const own = schemaOf(type);
      return extended === undefined ? own : withMembers(own, extended, components);
    },
  };
}

function withMembers(own: Schema, { name, description, properties }: ExtendedRecord, components: Components): Schema {
  const record = components.get({ $ref: own.$ref ?? '' });
  return components.schema(name, () => ({
    ...record,
    description,
    required: [...(record.required ?? []), ...Object.keys(properties)],
    properties: { ...record.properties, ...properties },
  }));
}

const PAGE = { sometimes: ['Link'], sentence: 'One page of the list.' } as const;

/** A page of a list. `files` are those in which the whole list is available. */
export function listOf(item: RecordType | NamedSchema, files?: Files): Response {
  return {
    kind: 'list',
    schema: (schemaOf) => ({ type: 'array', items: schemaOf(item) }),
    ...PAGE,
    ...(files && { files }),
  };
}

export function eventsOf(event: NamedSchema): Response {
  const sentence = 'One page of events. It always has a `Link` header for the next request.';
  return { ...listOf(event), kind: 'events', always: ['Link'], sometimes: [], sentence };
}

export function streamOf(events: NamedSchema): Response {
  return { ...json(events), kind: 'stream', mediaType: 'text/event-stream', always: ['X-Accel-Buffering'] };
}

export function json(schema: NamedSchema): Response {
  return { kind: 'other', schema: (schemaOf) => schemaOf(schema) };
}

/** JSON for programs, HTML for browsers. */
export function page(schema: NamedSchema): Response {
  return { ...json(schema), html: true, always: ['Vary'] };
}

export const FILE_HEADERS = ['Content-Disposition', 'X-Accel-Buffering'];

export function file(files: Files): Response {
  return { kind: 'file', files, always: FILE_HEADERS };
}

/** The responses to many items: 200, or 207 if the items are independent. */
export function batchOf(name: string, schema: Schema): Response {
  return { kind: 'batch', schema: (_, components) => components.schema(name, () => schema) };
}
