/** A successful response, whose body is undefined if it is empty. */
export interface Success {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Whether a response is what a call asked for. Anything else does not come from the service, whatever its status: a page of a proxy, an
 * empty body, a list instead of a record.
 */
export type Expected = (answer: Success) => boolean;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const NOTHING: Expected = ({ status, body }) => status === 204 && body === undefined;

export const LIST: Expected = ({ body }) => Array.isArray(body) && body.every(isObject);

export const RECORD: Expected = ({ body }) => isObject(body) && isText(body['id']) && isText(body['eTag']);

/** The record with this id, or with the id that this code stands for. */
export function recordOf(name: string): Expected {
  if (!UUID.test(name)) return RECORD;
  return (answer) => RECORD(answer) && (answer.body as { readonly id: string }).id === name.toLowerCase();
}

/** An object with these members. */
export function withMembers(...names: readonly string[]): Expected {
  return ({ body }) => isObject(body) && names.every((name) => body[name] !== undefined);
}

export function isUUID(name: string): boolean {
  return UUID.test(name);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
