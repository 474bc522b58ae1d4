import type { Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type IRoute, type Request, type RequestHandler, type Response } from 'express';
import { withRetries } from '../http/retry.js';
import { checkRequestHead, type Preparation } from '../http/request-head.js';
import { createExpressServer, type Timeouts } from './express-server.js';
import { BACKLOG } from './listen.js';
import { jsonBody } from '../http/json-body.js';
import { refuseMethod, type ServedRoute } from '../http/methods.js';
import type { Reply } from '../http/reply.js';
import { expressionOf } from '../http/routes.js';
import { unknownPath } from '../http/unknown-path.js';

type Route = [path: string, handler: RequestHandler];

/** Creates the reply for the value that a handler returned. */
type MakeReply = (request: Request, returned: unknown, status: number) => Reply | Promise<Reply>;

/**
 * Express configured for this API: routing comes before reading bodies (404 and 405 before 400, 413 and 415), only routes that
 * need a body read one, and responses are sent without Express's own ETag.
 */
export class WaybillAdapter extends ExpressAdapter {
  private readonly readBody: RequestHandler;
  private readonly preparations: Preparation[];
  private readonly routes = new Map<string, IRoute>();
  private readonly served: ServedRoute[] = [];
  private bodyReaders: Readonly<Record<string, RequestHandler>> = {};
  private makeReply: MakeReply = () => {
    throw new Error('replyWith has not been called');
  };

  constructor(private readonly needs: { readonly bodyLimit: number; readonly timeouts?: Timeouts }) {
    const preparations: Preparation[] = [];
    super(plainExpress(preparations));
    this.preparations = preparations;
    this.readBody = jsonBody({ bytes: needs.bodyLimit });
  }

  /** Adds steps to run for each request before routing. */
  prepare(...preparations: Preparation[]): void {
    this.preparations.push(...preparations);
  }

  /** Sets body readers by path for POST routes that need something other than JSON of the default size. */
  readBodiesWith(readers: Readonly<Record<string, RequestHandler>>): void {
    this.bodyReaders = readers;
  }

  /** Sets the function that creates replies. Its dependencies are injected and exist only after the adapter. */
  replyWith(makeReply: MakeReply): void {
    this.makeReply = makeReply;
  }

  override initHttpServer({ httpsOptions }: NestApplicationOptions): void {
    this.httpServer = createExpressServer(this.instance as Express, this.needs.timeouts, httpsOptions);
  }

  /** NestJS passes the port, an optional address and a callback, but cannot pass a backlog. */
  override listen(port: string | number, ...rest: unknown[]): Server {
    const callback = rest.pop() as () => void;
    const [host] = rest as [string?];
    return (this.httpServer as Server).listen({ port: Number(port), host, backlog: BACKLOG }, callback);
  }

  override get(...route: unknown[]): unknown {
    const [path, handler] = route as Route;
    return this.routeAt('GET', path).get(handler);
  }

  override post(...route: unknown[]): unknown {
    const [path, handler] = route as Route;
    const readBody = this.bodyReaders[path] ?? this.readBody;
    return this.routeAt('POST', path).post(readBody, withRetries(handler));
  }

  override put(...route: unknown[]): unknown {
    const [path, handler] = route as Route;
    return this.routeAt('PUT', path).put(this.readBody, withRetries(handler));
  }

  override patch(...route: unknown[]): unknown {
    const [path, handler] = route as Route;
    return this.routeAt('PATCH', path).patch(this.readBody, withRetries(handler));
  }

  override delete(...route: unknown[]): unknown {
    const [path, handler] = route as Route;
    return this.routeAt('DELETE', path).delete(withRetries(handler));
  }

  override async reply(response: Response, returned: unknown, status = response.statusCode): Promise<void> {
    const reply = await this.makeReply(response.req, returned, status);
    reply.send(response, status);
  }

  override setNotFoundHandler(): unknown {
    return super.setNotFoundHandler((request: Request, response: Response) => {
      if (refuseMethod(this.served, request, response)) return;
      throw unknownPath(request.path, [...this.routes.keys()]);
    });
  }

  /** Passes errors from Express to the problem filter unchanged; NestJS would discard their type and code. */
  override mapException(error: unknown): unknown {
    return error;
  }

  /** Shares one route among all methods of a path, because Express checks routes one by one. */
  private routeAt(method: string, path: string): IRoute {
    this.served.push({ method, expression: expressionOf(path) });
    const route = this.routes.get(path) ?? (this.instance as Express).route(path);
    this.routes.set(path, route);
    return route;
  }
}

function plainExpress(preparations: readonly Preparation[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.use((request, response, next) => {
    for (const prepare of preparations) prepare(request, response);
    if (!checkRequestHead(request, response)) next();
  });
  return app;
}
