import { SetMetadata } from '@nestjs/common';
import type { ProblemCode, ProblemType } from '../problem/catalogue.js';
import type { Schema } from '../validation/json-schema.js';
import type { Files, NamedSchema, Response } from './response.js';

/** A request that the service sends. */
export interface OutgoingCall {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly type: string;
  readonly bodies: readonly NamedSchema[];
  readonly headers: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<string, string>>;
}

/** The body of a request that no fields describe: a file in one of these media types, or JSON of a named schema. */
type RequestBody = { readonly files: Files } | { readonly name: string; readonly schema: Schema };

/** OpenAPI details that cannot be derived from the route. */
interface OperationOptions {
  /** Only the details of this operation; the document adds those of its method and response. */
  readonly description?: string;
  /** Without it, the response has no body. */
  readonly response?: Response;
  readonly body?: RequestBody;
  /** Problems specific to this operation, beyond those of its request format. */
  readonly problems?: readonly (ProblemCode | ProblemType)[];
  /** The request that the service sends to receivers because of this operation. */
  readonly sends?: OutgoingCall;
  /** Example bodies, if the example of the schema is not enough. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}

export interface OperationText extends OperationOptions {
  readonly id: string;
  readonly summary: string;
}

export interface TagText {
  readonly name: string;
  readonly description?: string | undefined;
}

export const HISTORY_TAG: TagText = {
  name: 'History',
  description: 'Every change of a record, with its time, author and request.',
};

/** The promises are in docs/versioning.md. */
export type StabilityLevel = 'core' | 'supported' | 'experimental';

/** A path parameter that does not identify a record. */
export interface PathText {
  readonly description: string;
  readonly example: string;
  readonly schema: Schema;
}

const OPERATION = 'waybill:operation';
const TAG = 'waybill:tag';
const STABILITY = 'waybill:stability';
const PATH_PARAMETER = 'waybill:path-parameter';
const UNDOCUMENTED = 'waybill:undocumented';

/** Documents a route. `id` is the name in generated clients, so it never changes. */
export function Operation(id: string, summary: string, options: OperationOptions = {}): MethodDecorator {
  return SetMetadata(OPERATION, { id, summary, ...options });
}

/** The tag of a controller's operations; controllers that share a tag describe it once. */
export function Tag(name: string, description?: string): ClassDecorator {
  return SetMetadata(TAG, { name, description });
}

/** What clients of a controller can rely on. Histories and restoring are `supported` even for `core` records. */
export function Stability(level: StabilityLevel): ClassDecorator {
  return SetMetadata(STABILITY, level);
}

/** Describes a path parameter of a controller that does not identify a record. */
export function PathParameter(name: string, text: PathText): ClassDecorator {
  return SetMetadata(PATH_PARAMETER, { [name]: text });
}

/** Excludes the routes of a controller from the document, e.g. HTML pages. */
export function Undocumented(): ClassDecorator {
  return SetMetadata(UNDOCUMENTED, true);
}

/** Reads what a decorator has attached to a handler or a controller. */
function attached<Value>(key: string): (to: object) => Value | undefined {
  return (to) => Reflect.getMetadata(key, to) as Value | undefined;
}

export const operationOf = attached<OperationText>(OPERATION);
export const tagOf = attached<TagText>(TAG);
export const stabilityOf = attached<StabilityLevel>(STABILITY);
export const pathTextsOf = attached<Readonly<Record<string, PathText>>>(PATH_PARAMETER);
export const isUndocumented = attached<true>(UNDOCUMENTED);
