import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Express } from 'express';
import { messageClassesOf } from './internals/express-prototypes.js';
import { oneAtATime } from './pipelining.js';
import { RequestBatches } from './request-batches.js';
import { openContext } from '../http/request-context.js';
import { originForm } from '../http/request-target.js';
import { closeStalledConnections } from './unread-answers.js';

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** How long a client may take, in milliseconds: to send the headers of a request, to send all of it, to read of the answer. */
export interface Timeouts {
  readonly headers: number;
  readonly request: number;
  readonly write: number;
}

const DEFAULT_TIMEOUTS: Timeouts = { headers: 10_000, request: 30_000, write: 30_000 };
const MAX_CHECKING_INTERVAL = 1000;

/**
 * How many connections may wait to be accepted, if the system allows as many. Beyond Node's 511 the kernel drops them silently, and
 * their clients, health checks among them, try again only after 1, 3, 7, 15 seconds.
 */
export const BACKLOG = 4096;

/** Answered before anything else, or a busy service would be taken for a dead one. */
const HEALTH = '/health/';

/** The HTTP server of an application. It cuts off clients that send or read slowly: each holds a connection and memory. */
export function createExpressServer(app: Express, timeouts = DEFAULT_TIMEOUTS, tls?: TlsFiles): Server {
  const headersTimeout = Math.min(timeouts.headers, timeouts.request);
  const options: ServerOptions = {
    ...messageClassesOf(app),
    headersTimeout,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: Math.min(MAX_CHECKING_INTERVAL, headersTimeout),
    // Without a Host, Node would answer with an empty body; `checkRequestHead` does it instead.
    requireHostHeader: false,
  };
  const batches = new RequestBatches(app, ({ url = '' }) => url.startsWith(HEALTH));
  const startInOrder = oneAtATime((request, response) => batches.request(request, response));
  const listener: RequestListener = (request, response) => {
    openContext(request, response);
    request.url = originForm(request.url ?? '');
    startInOrder(request, response);
  };
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: headersTimeout }, listener);
  server.on('connection', () => batches.connected());
  closeStalledConnections(server, timeouts.write);
  // Node drops headers beyond its count silently; `checkRequestHead` refuses them instead.
  server.maxHeadersCount = 0;
  return server;
}
