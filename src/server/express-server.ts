import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Express } from 'express';
import { messageClassesOf } from './internals/express-prototypes.js';
import { oneAtATime } from './pipelining.js';
import { RequestBatches } from './request-batches.js';
import { openContext } from '../http/request-context.js';
import { originForm } from '../http/request-head.js';
import { closeStalledConnections } from './unread-responses.js';

/** Client timeouts in milliseconds: for sending the whole request, and for reading the response. */
export interface Timeouts {
  readonly request: number;
  readonly write: number;
}

const DEFAULT_TIMEOUTS: Timeouts = { request: 30_000, write: 30_000 };
/** For the headers of a request, within the timeout for all of it. */
const HEADERS_TIMEOUT_MS = 10_000;
const MAX_CHECKING_INTERVAL = 1000;

type Wrapper = (listener: RequestListener) => RequestListener;

let wrapper: Wrapper = (listener) => listener;

/** Wraps the handling of each request, e.g. in a span of a trace, on servers that are created afterwards. */
export function wrapRequests(wrap: Wrapper): void {
  wrapper = wrap;
}

/** Creates the HTTP server of an application. It disconnects clients that send or read too slowly. */
export function createExpressServer(app: Express, timeouts = DEFAULT_TIMEOUTS): Server {
  const headersTimeout = Math.min(HEADERS_TIMEOUT_MS, timeouts.request);
  const options: ServerOptions = {
    ...messageClassesOf(app),
    headersTimeout,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: Math.min(MAX_CHECKING_INTERVAL, headersTimeout),
    // Without a Host, Node would respond with an empty body; `checkRequestHead` handles it instead.
    requireHostHeader: false,
  };
  const batches = new RequestBatches(wrapper(app));
  const startInOrder = oneAtATime((request, response) => batches.request(request, response));
  const listener: RequestListener = (request, response) => {
    openContext(request, response);
    request.url = originForm(request.url ?? '');
    startInOrder(request, response);
  };
  const server = createServer(options, listener);
  server.on('connection', () => batches.connected());
  closeStalledConnections(server, timeouts.write);
  // Node silently drops headers beyond its limit; `checkRequestHead` rejects them instead.
  server.maxHeadersCount = 0;
  return server;
}
