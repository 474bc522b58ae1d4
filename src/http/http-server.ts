import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';

/** How long a client may take to send a request, in milliseconds: its headers, and all of it. */
export interface Timeouts {
  readonly headers: number;
  readonly request: number;
}

const DEFAULTS: Timeouts = { headers: 10_000, request: 30_000 };
const LONGEST_CHECKING_INTERVAL = 1000;

/** Node's server with clients that send slowly cut off: each of them holds a connection that others could use. */
export function createHttpServer(listener: RequestListener, timeouts = DEFAULTS): Server {
  const headersTimeout = Math.min(timeouts.headers, timeouts.request);
  const options: ServerOptions = {
    headersTimeout,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: Math.min(LONGEST_CHECKING_INTERVAL, headersTimeout),
    // Without a Host, Node would answer with an empty body; `checkHost` does it instead.
    requireHostHeader: false,
  };
  const server = createServer(options, listener);
  // Node drops headers beyond its count silently; `checkEnvelope` refuses them instead.
  server.maxHeadersCount = 0;
  return server;
}
