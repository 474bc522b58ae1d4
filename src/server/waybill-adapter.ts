import type { Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type IRoute, type Request, type RequestHandler, type Response } from 'express';
import { withRetries } from '../http/retry.js';
import { checkRequestHead, type BeforeRouting } from '../http/request-head.js';
import { createExpressServer, type Timeouts } from './express-server.js';
import { BACKLOG } from './listen.js';
import { jsonBody } from '../http/json-body.js';
import { MEDIA_TYPES } from '../http/media-types.js';
import type { Reply } from '../http/reply.js';
import { Problem } from '../problem/problem.js';
import { expressionOf } from '../http/routes.js';
import { unknownPath } from '../http/unknown-path.js';

type Route = [path: string, handler: RequestHandler];

type MakeReply = (request: Request, returned: unknown, status: number) => Reply | Promise<Reply>;

/** Express for this API: routing comes before bodies (404 and 405 before 400, 413 and 415), and responses have no ETag of Express. */
export class WaybillAdapter extends ExpressAdapter {
  private readonly readBody: RequestHandler;
  private readonly handlers: BeforeRouting[];
  private readonly routes = new Map<string, IRoute>();
  private readonly served: { readonly method: string; readonly expression: RegExp }[] = [];
  private bodyReaders: Readonly<Record<string, RequestHandler>> = {};
  private makeReply: MakeReply = () => {
    throw new Error('replyWith has not been called');
  };

  constructor(private readonly needs: { readonly bodyLimit: number; readonly timeouts?: Timeouts }) {
    const handlers: BeforeRouting[] = [];
    super(plainExpress(handlers));
    this.handlers = handlers;
    this.readBody = jsonBody({ bytes: needs.bodyLimit });
  }

  prepare(...handlers: BeforeRouting[]): void {
    this.handlers.push(...handlers);
  }

  /** Sets body readers by path for POST routes that need something other than JSON of the default size. */
  readBodiesWith(readers: Readonly<Record<string, RequestHandler>>): void {
    this.bodyReaders = readers;
  }

  /** Sets the function that creates replies. Its dependencies are injected and exist only after the adapter. */
  replyWith(makeReply: MakeReply): void {
    this.makeReply = makeReply;
  }

  override initHttpServer(): void {
    this.httpServer = createExpressServer(this.instance as Express, this.needs.timeouts);
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

  /** Responds to OPTIONS; throws 405 if the path has other methods, 404 if it is unknown. */
  override setNotFoundHandler(): unknown {
    return super.setNotFoundHandler((request: Request, response: Response) => {
      const methods = this.methodsOf(request.path);
      if (methods.length === 0) throw unknownPath(request.path, [...this.routes.keys()]);
      const headers: Record<string, string> = { Allow: methods.join(', ') };
      if (methods.includes('PATCH')) headers['Accept-Patch'] = MEDIA_TYPES.PATCH.join(', ');
      if (request.method !== 'OPTIONS') {
        const detail = `This path does not support ${request.method}. It supports ${methods.join(', ')}.`;
        throw new Problem('METHOD_NOT_ALLOWED', detail, { headers });
      }
      response.writeHead(204, headers).end();
    });
  }

  /** Passes errors from Express to the problem filter unchanged; NestJS would discard their type and code. */
  override mapException(error: unknown): unknown {
    return error;
  }

  private methodsOf(path: string): string[] {
    const methods = new Set(this.served.filter(({ expression }) => expression.test(path)).map(({ method }) => method));
    if (methods.size === 0) return [];
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods.add('OPTIONS')].sort();
  }

  /** Shares one route among all methods of a path, because Express checks routes one by one. */
  private routeAt(method: string, path: string): IRoute {
    this.served.push({ method, expression: expressionOf(path) });
    const route = this.routes.get(path) ?? (this.instance as Express).route(path);
    this.routes.set(path, route);
    return route;
  }
}

function plainExpress(handlers: readonly BeforeRouting[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.use((request, response, next) => {
    for (const prepare of handlers) prepare(request, response);
    if (!checkRequestHead(request, response)) next();
  });
  return app;
}
