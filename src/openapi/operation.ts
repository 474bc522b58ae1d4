import { SetMetadata } from '@nestjs/common';
import type { ProblemCode } from '../problem/catalogue.js';
import type { Resource } from '../records/resource.js';
import type { Schema } from '../validation/json-schema.js';

/** The class of a record, or of a part of one, whose name is also the name of its schema. */
export type RecordType = abstract new () => object;

/** A record together with what only one answer has. */
export interface ExtendedRecord {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, Schema>>;
}

/** A schema that a feature brings along. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: (resources: readonly Resource[]) => Schema;
}

/** OpenAPI details that cannot be derived from the route. Without a response option, the response has no body. */
export interface OperationOptions {
  /** What is special about this operation; what follows from its method and its answer is added by the document. */
  readonly description?: string;
  readonly record?: RecordType;
  /** What the answer has besides the record, which makes it a schema of its own. */
  readonly extended?: ExtendedRecord;
  readonly list?: RecordType;
  /** The media types in which the whole list can be had as a file, with an example of each. */
  readonly files?: Readonly<Record<string, string>>;
  /** The answer is a list of changes. */
  readonly history?: true;
  /** The response is a page of events, or a stream of them; `other` is the schema of one. */
  readonly events?: 'page' | 'stream';
  /** The schema of a response that is not a record. */
  readonly other?: NamedSchema;
  /** The schema of the items, where the response is a list of such. */
  readonly listOf?: NamedSchema;
  /** The body is a file: its media types, with an example of each. */
  readonly upload?: Readonly<Record<string, string>>;
  /** The answer is a file and nothing else. */
  readonly download?: { readonly type: string; readonly example: string };
  /** The body has many items, and so has the answer: 200, or 207 when each is done for itself. */
  readonly many?: { readonly request: Schema; readonly answer: Schema };
  /** The answer can also be a page. */
  readonly html?: true;
  /** Problems that follow from what the operation does, not from the form of its requests. */
  readonly problems?: readonly ProblemCode[];
  /** Bodies to try, when the example of the schema is not enough. */
  readonly bodies?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}

export interface OperationText extends OperationOptions {
  readonly id: string;
  readonly summary: string;
}

/** A chapter of the document. */
export interface TagText {
  readonly name: string;
  readonly description?: string | undefined;
}

export const HISTORY_TAG: TagText = {
  name: 'History',
  description: 'Every change of a record: what, when, by whom and in which request.',
};

const OPERATION = 'waybill:operation';
const TAG = 'waybill:tag';
const UNDOCUMENTED = 'waybill:undocumented';

/** Describes a route in the document of the API. `id` is what generated clients call it, so it never changes. */
export function Operation(id: string, summary: string, options: OperationOptions = {}): MethodDecorator {
  return SetMetadata(OPERATION, { id, summary, ...options });
}

/** The chapter that the operations of a controller belong to; controllers that share one describe it once. */
export function Tag(name: string, description?: string): ClassDecorator {
  return SetMetadata(TAG, { name, description });
}

/** Leaves the routes of a controller out of the document: pages for people, and what is not part of the API. */
export function Undocumented(): ClassDecorator {
  return SetMetadata(UNDOCUMENTED, true);
}

export function operationOf(handler: object): OperationText | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationText | undefined;
}

export function isList({ list, listOf, history }: OperationText): boolean {
  return list !== undefined || listOf !== undefined || history === true;
}

export function tagOf(controller: object): TagText | undefined {
  return Reflect.getMetadata(TAG, controller) as TagText | undefined;
}

export function isUndocumented(controller: object): boolean {
  return Reflect.hasMetadata(UNDOCUMENTED, controller);
}
