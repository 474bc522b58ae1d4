import { SetMetadata } from '@nestjs/common';
import type { ProblemCode } from '../problem/catalogue.js';
import type { Resource } from '../records/resource.js';
import type { Schema } from '../validation/json-schema.js';

/** The class of a record or part; its name is also the name of its schema. */
export type RecordType = abstract new () => object;

/** A record with additional members in one response. */
export interface ExtendedRecord {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, Schema>>;
}

/** A schema that a feature defines. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: (resources: readonly Resource[]) => Schema;
}

/** A request that the service sends. */
export interface OutgoingCall {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly type: string;
  readonly bodies: readonly NamedSchema[];
  /** Headers with their descriptions. */
  readonly headers: Readonly<Record<string, string>>;
  /** The meanings of the answers, by status. */
  readonly answers: Readonly<Record<string, string>>;
}

/** OpenAPI details that cannot be derived from the route. Without a response option, the response has no body. */
interface OperationOptions {
  /** Only the details of this operation; the document adds those of its method and response. */
  readonly description?: string;
  readonly record?: RecordType;
  /** Response members besides the record, in a separate schema. */
  readonly extended?: ExtendedRecord;
  /** The class or the schema of the items of a list. */
  readonly list?: RecordType | NamedSchema;
  /** The media types in which the whole list is available as a file, each with an example. */
  readonly files?: Readonly<Record<string, string>>;
  /** The response is a list of changes. */
  readonly history?: true;
  /** The response is a page of events, or a stream of them; `other` is the schema of one. */
  readonly events?: 'page' | 'stream';
  /** The schema of a response that is not a record. */
  readonly other?: NamedSchema;
  /** The body is a file: its media types, with an example of each. */
  readonly upload?: Readonly<Record<string, string>>;
  /** The response is always a file: its media type, with an example. */
  readonly download?: Readonly<Record<string, string>>;
  /** The body and the response have many items. The status is 200, or 207 if the items are independent. */
  readonly many?: { readonly request: Schema; readonly answer: Schema };
  /** The response can also be HTML. */
  readonly html?: true;
  /** Problems specific to this operation, beyond those of its request format. */
  readonly problems?: readonly ProblemCode[];
  /** The request that the service sends to receivers because of this operation. */
  readonly sends?: OutgoingCall;
  /** Example bodies, if the example of the schema is not enough. */
  readonly bodies?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}

export interface OperationText extends OperationOptions {
  readonly id: string;
  readonly summary: string;
}

/** A tag of the document. */
export interface TagText {
  readonly name: string;
  readonly description?: string | undefined;
}

export const HISTORY_TAG: TagText = {
  name: 'History',
  description: 'Every change of a record, with its time, author and request.',
};

const OPERATION = 'waybill:operation';
const TAG = 'waybill:tag';
const UNDOCUMENTED = 'waybill:undocumented';

/** Documents a route. `id` is the name in generated clients, so it never changes. */
export function Operation(id: string, summary: string, options: OperationOptions = {}): MethodDecorator {
  return SetMetadata(OPERATION, { id, summary, ...options });
}

/** The tag of a controller's operations; controllers that share a tag describe it once. */
export function Tag(name: string, description?: string): ClassDecorator {
  return SetMetadata(TAG, { name, description });
}

/** Excludes the routes of a controller from the document, e.g. HTML pages. */
export function Undocumented(): ClassDecorator {
  return SetMetadata(UNDOCUMENTED, true);
}

export function operationOf(handler: object): OperationText | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationText | undefined;
}

export function isList({ list, history }: OperationText): boolean {
  return list !== undefined || history === true;
}

export function tagOf(controller: object): TagText | undefined {
  return Reflect.getMetadata(TAG, controller) as TagText | undefined;
}

export function isUndocumented(controller: object): boolean {
  return Reflect.hasMetadata(UNDOCUMENTED, controller);
}
