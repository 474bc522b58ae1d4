import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Wraps the handling of a request, e.g. in a span of a trace. */
export type Around = (request: IncomingMessage, response: ServerResponse, handle: () => void) => void;

let around: Around | undefined;

/** Applies only to servers that are created afterwards. */
export function handleRequestsWithin(surrounding: Around | undefined): void {
  around = surrounding;
}

export function surrounded(listener: RequestListener): RequestListener {
  const outer = around;
  if (outer === undefined) return listener;
  return (request, response) => outer(request, response, () => listener(request, response));
}
