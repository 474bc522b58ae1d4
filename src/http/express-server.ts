import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Express } from 'express';

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * A server whose requests and responses are Express's own from their birth. Express gives each one its prototype when it
 * arrives, and changing the prototype of an object costs Node 20 about as much as all else it does for a small request;
 * here there is nothing left to change.
 */
export function createExpressServer(app: Express, tls?: TlsFiles): Server {
  const options: ServerOptions = {
    IncomingMessage: bornAs(IncomingMessage, app.request),
    ServerResponse: bornAs(ServerResponse, app.response),
  };
  return tls === undefined ? createServer(options, app) : createTlsServer({ ...options, ...tls }, app);
}

/** A constructor like `base` whose objects have the given prototype. */
function bornAs<Base extends typeof IncomingMessage | typeof ServerResponse>(base: Base, prototype: object): Base {
  function Born(...parameters: unknown[]): object {
    return Reflect.construct(base, parameters, Born) as object;
  }
  Born.prototype = prototype;
  return Born as unknown as Base;
}
