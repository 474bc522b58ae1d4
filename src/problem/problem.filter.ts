import { Catch, Inject, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { describeCause } from './describe-cause.js';
import { problemBody } from './problem.js';
import { requestIDOf } from './request-id.js';
import { toProblem } from './to-problem.js';

/** Answers everything that is thrown while a request is served. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = toProblem(error);
    const requestID = requestIDOf(request);
    if (problem.status >= 500)
      this.logger.error(`${requestID} ${problem.code}: ${describeCause(problem.cause ?? error)}`);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const instance = request.originalUrl.split('?', 1)[0] ?? '/';
    const body = JSON.stringify(problemBody(problem, { instance, requestID, baseUrl: this.config.PUBLIC_URL ?? '' }));
    // What is left of a refused body is not worth reading: end the connection instead.
    if (!request.complete) response.setHeader('Connection', 'close');
    response.writeHead(problem.status, {
      ...problem.headers,
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}
