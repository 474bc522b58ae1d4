import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { assignRequestID } from '../problem/request-id.js';
import { checkEnvelope } from './envelope.js';
import { createExpressServer, type Timeouts, type TlsFiles } from './express-server.js';
import { jsonBody } from './json-body.js';
import { refuseMethod } from './methods.js';
import type { Preparation } from './preparation.js';
import { Reply } from './reply.js';

/** How NestJS registers a handler. */
type Route = [path: string, handler: RequestHandler];

export interface AdapterNeeds {
  readonly bodyLimit: number;
  readonly timeouts?: Timeouts;
  /** Puts what a handler answers into its form. */
  readonly represent: (request: Request, answer: unknown) => Reply;
}

/**
 * Express as this API needs it: routes are found before bodies are read (404 and 405 come before 400, 413 and 415),
 * only the routes that take a body read one, and answers are written as they are, without Express's own ETag.
 */
export class WaybillAdapter extends ExpressAdapter {
  private readonly readBody: RequestHandler;
  private readonly preparations: Preparation[];

  constructor(private readonly needs: AdapterNeeds) {
    const preparations: Preparation[] = [assignRequestID];
    super(plainExpress(preparations));
    this.preparations = preparations;
    this.readBody = jsonBody(needs.bodyLimit);
  }

  /** Adds to what is done for each request before its route is looked for. */
  prepare(...preparations: Preparation[]): void {
    this.preparations.push(...preparations);
  }

  override initHttpServer({ httpsOptions }: NestApplicationOptions): void {
    const tls = httpsOptions as TlsFiles | undefined;
    this.httpServer = createExpressServer(this.instance as Express, this.needs.timeouts, tls);
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

  /** What a write answers has its form already, because it was kept in that form. */
  override reply(response: Response, answer: unknown, status?: number): void {
    const reply = answer instanceof Reply ? answer : this.needs.represent(response.req, answer);
    reply.send(response, status);
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

function plainExpress(preparations: readonly Preparation[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.use((request, response, next) => {
    for (const prepare of preparations) prepare(request, response);
    if (!checkEnvelope(request, response)) next();
  });
  return app;
}
