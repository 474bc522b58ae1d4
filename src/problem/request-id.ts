import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const SANE = /^[A-Za-z0-9._~+/=:@-]{1,128}$/;
const ids = new WeakMap<IncomingMessage, string>();

/** Gives the request its id, the client's own when that is sane, and names it on the response. */
export function assignRequestID(request: IncomingMessage, response: ServerResponse): void {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE.test(sent) ? sent : newRequestID();
  ids.set(request, id);
  response.setHeader('X-Request-ID', id);
}

export function requestIDOf(request: IncomingMessage): string {
  return ids.get(request) ?? newRequestID();
}

export function newRequestID(): string {
  return randomUUID();
}
