import type { Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type IRoute, type Request, type RequestHandler, type Response } from 'express';
import { withRetries } from '../http/retry.js';
import { checkRequestHead } from '../http/request-head.js';
import { BACKLOG, createExpressServer, type Timeouts, type TlsFiles } from './express-server.js';
import { jsonBody } from '../http/json-body.js';
import { MAX_NAMES } from '../http/json-scanner.js';
import { refuseMethod, type ServedRoute } from '../http/methods.js';
import type { Preparation } from '../http/preparation.js';
import type { Reply } from '../http/reply.js';
import { expressionOf } from '../http/routes.js';
import { unknownPath } from '../http/unknown-path.js';

/** How NestJS registers a handler. */
type Route = [path: string, handler: RequestHandler];

export interface AdapterNeeds {
  readonly bodyLimit: number;
  readonly timeouts?: Timeouts;
}

/** Makes the reply of what a handler returned. */
export type MakeReply = (request: Request, returned: unknown, status: number) => Reply | Promise<Reply>;

/**
 * Express as this API needs it: routes are found before bodies are read (404 and 405 come before 400, 413 and 415),
 * only the routes that take a body read one, and answers are written as they are, without Express's own ETag.
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

  constructor(private readonly needs: AdapterNeeds) {
    const preparations: Preparation[] = [];
    super(plainExpress(preparations));
    this.preparations = preparations;
    this.readBody = jsonBody({ bytes: needs.bodyLimit, names: MAX_NAMES });
  }

  /** Adds to what is done for each request before its route is looked for. */
  prepare(...preparations: Preparation[]): void {
    this.preparations.push(...preparations);
  }

  /** Says how the body of a POST is read, by path, where it is not JSON of the usual size. */
  readBodiesWith(readers: Readonly<Record<string, RequestHandler>>): void {
    this.bodyReaders = readers;
  }

  /** Says how replies are made; the parts that make them are injected, and exist only after the adapter. */
  replyWith(makeReply: MakeReply): void {
    this.makeReply = makeReply;
  }

  override initHttpServer({ httpsOptions }: NestApplicationOptions): void {
    const tls = httpsOptions as TlsFiles | undefined;
    this.httpServer = createExpressServer(this.instance as Express, this.needs.timeouts, tls);
  }

  /** NestJS passes the port, the address if there is one, and a callback, and has no place for the backlog. */
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

  override async reply(response: Response, answer: unknown, status = response.statusCode): Promise<void> {
    const reply = await this.makeReply(response.req, answer, status);
    reply.send(response, status);
  }

  override setNotFoundHandler(): unknown {
    return super.setNotFoundHandler((request: Request, response: Response) => {
      if (refuseMethod(this.served, request, response)) return;
      throw unknownPath(request.path, [...this.routes.keys()]);
    });
  }

  /** What Express throws goes to the problem filter as it is; NestJS would take its type and code away. */
  override mapException(error: unknown): unknown {
    return error;
  }

  /** One for all methods of a path: Express compares a request with one path after the other. */
  private routeAt(method: string, path: string): IRoute {
    this.served.push({ method, path, expression: expressionOf(path) });
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
