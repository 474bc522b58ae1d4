import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { assignRequestID } from '../problem/request-id.js';
import { checkEnvelope } from './envelope.js';
import { createExpressServer, type Timeouts, type TlsFiles } from './express-server.js';
import { jsonBody } from './json-body.js';
import { refuseMethod } from './methods.js';
import { Reply } from './reply.js';

/** How NestJS registers a handler. */
type Route = [path: string, handler: RequestHandler];

/**
 * Express as this API needs it: routes are found before bodies are read (404 and 405 come before 400, 413 and 415),
 * only the routes that take a body read one, and answers are written as they are, without Express's own ETag.
 */
export class WaybillAdapter extends ExpressAdapter {
  private readonly readBody: RequestHandler;
  private readonly timeouts: Timeouts | undefined;

  constructor(options: { bodyLimit: number; timeouts?: Timeouts }) {
    super(plainExpress());
    this.timeouts = options.timeouts;
    this.readBody = jsonBody(options.bodyLimit);
  }

  override initHttpServer({ httpsOptions }: NestApplicationOptions): void {
    const tls = httpsOptions as TlsFiles | undefined;
    this.httpServer = createExpressServer(this.instance as Express, this.timeouts, tls);
  }

  override post(...route: unknown[]): unknown {
    return this.takeBody('post', route as Route);
  }

  override put(...route: unknown[]): unknown {
    return this.takeBody('put', route as Route);
  }

  override patch(...route: unknown[]): unknown {
    return this.takeBody('patch', route as Route);
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    if (!(body instanceof Reply)) return super.reply(response, body, status);
    body.send(response, status);
    return response;
  }

  override setNotFoundHandler(handler: RequestHandler): unknown {
    return super.setNotFoundHandler((request: Request, response: Response, next: () => void) => {
      if (!refuseMethod(this.instance as Express, request, response)) handler(request, response, next);
    });
  }

  /** What Express throws goes to the problem filter as it is; NestJS would take its type and code away. */
  override mapException(error: unknown): unknown {
    return error;
  }

  private takeBody(method: 'post' | 'put' | 'patch', [path, handler]: Route): unknown {
    return (this.instance as Express)[method](path, this.readBody, handler);
  }
}

function plainExpress(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.use((request, response, next) => {
    assignRequestID(request, response);
    if (!checkEnvelope(request, response)) next();
  });
  return app;
}
