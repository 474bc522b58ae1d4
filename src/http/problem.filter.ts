import { Catch, Inject, Logger, Optional, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { describeCause, toProblem } from '../problem/failures.js';
import { RepeatedRequest } from './reply.js';
import { contextOf } from './request-context.js';
import { sendProblem, type ProblemPage } from './send-problem.js';

export const PROBLEM_PAGE = Symbol('PROBLEM_PAGE');

/** Responds to every error thrown while handling a request. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    /** For reads only: a write never gets an HTML response. */
    @Optional() @Inject(PROBLEM_PAGE) private readonly page?: ProblemPage,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const [request, response] = host.getArgs<[Request, Response]>();
    if (error instanceof RepeatedRequest) {
      error.reply.send(response);
      return;
    }
    const problem = toProblem(error);
    // A 5xx without a cause is one that the service chose, such as 503 while it stops. The request log has it.
    if (problem.status >= 500 && (problem !== error || problem.cause !== undefined)) {
      const { requestID } = contextOf(request);
      this.logger.error(`${requestID} ${problem.code}: ${describeCause(problem.cause ?? error)}`);
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    sendProblem(request, response, problem, this.config.PUBLIC_URL ?? '', this.page);
  }
}
