import { cursorOf } from '../records/paging.js';
import type { Components, Ref } from './components.js';
import { EXAMPLE_ID, EXAMPLE_IF_MATCH, EXAMPLE_SHIPMENT } from './texts/examples.js';

interface HeaderText {
  readonly description: string;
  readonly example: string;
}

const NEXT_PAGE = `</v1/shipments?limit=50&cursor=${cursorOf(`-createdAt ${EXAMPLE_ID}`)}>; rel="next"`;

/** The headers that answers have, besides those of HTTP itself. */
const HEADERS: Readonly<Record<string, HeaderText>> = {
  'X-Request-ID': {
    description: 'The id of the request: yours when you sent a sane one, else one that the service made.',
    example: '0199c3a0-bd40-7e80-90b9-6fe2bd7c8b90',
  },
  ETag: {
    description:
      "The version of the record: its eTag in double quotes. Not there with `expand`: what is nested can change without the record's version.",
    example: EXAMPLE_IF_MATCH,
  },
  Location: { description: 'Where the new record lives.', example: EXAMPLE_SHIPMENT },
  Link: { description: 'Where the list goes on, while there is more.', example: NEXT_PAGE },
  'Content-Disposition': {
    description: 'A name for the file, when the answer is one.',
    example: 'attachment; filename="shipments-2026-04-01.csv"',
  },
  'X-Accel-Buffering': {
    description: 'Asks proxies to hand on at once what comes, when the answer is a file or a stream of events.',
    example: 'no',
  },
  Vary: { description: 'The answer depends on what the client accepts.', example: 'Accept' },
  'Idempotency-Replayed': {
    description: 'There, and `true`, when this is the answer to an earlier request with the same Idempotency-Key.',
    example: 'true',
  },
  'Retry-After': { description: 'The seconds to wait before the next attempt.', example: '1' },
  'WWW-Authenticate': {
    description: 'What a token must be like.',
    example: 'Bearer realm="waybill", error="invalid_token"',
  },
  RateLimit: {
    description: 'How many requests are left and for how many seconds, when the service limits them.',
    example: '"caller";r=598;t=42',
  },
  'RateLimit-Policy': {
    description: 'How many requests a caller has in how many seconds.',
    example: '"caller";q=600;w=60',
  },
  Allow: { description: 'The methods that the path takes.', example: 'GET, HEAD, OPTIONS, POST' },
  'Accept-Patch': {
    description: 'The media types that PATCH takes.',
    example: 'application/merge-patch+json, application/json',
  },
  Accept: { description: 'The media types that the path takes.', example: 'application/json' },
  'Accept-Encoding': { description: 'The encodings that a body can have.', example: 'gzip, deflate, br, identity' },
};

/** The headers of an answer: those it always has, and those it can have. */
export function headersOf(
  components: Components,
  always: readonly string[],
  sometimes: readonly string[] = [],
): Record<string, Ref> {
  const optional = [...sometimes, 'RateLimit', 'RateLimit-Policy'];
  const all = [...always.map((name) => [name, true] as const), ...optional.map((name) => [name, false] as const)];
  return Object.fromEntries(all.map(([name, required]) => [name, header(components, name, required)]));
}

function header(components: Components, name: string, required: boolean): Ref {
  const text = HEADERS[name];
  if (text === undefined) throw new Error(`Describe the header ${name} in openapi/headers.ts`);
  const component = name.replaceAll('-', '') + (required ? '' : 'Optional');
  const { description, example } = text;
  return components.header(component, () => ({ description, required, schema: { type: 'string' }, example }));
}
