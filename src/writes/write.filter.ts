import { Catch, type ArgumentsHost } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ProblemFilter } from '../http/problem.filter.js';
import { contextOf } from '../http/request-context.js';
import { TryAgain } from '../http/retry.js';
import { isRetryable } from '../problem/database-problem.js';

/**
 * Rolls back a write before its error response is sent. A transaction that PostgreSQL aborted is retried from the guard on, because the row
 * may have another version by then; this is safe because nothing was committed.
 */
@Catch()
export class WriteFilter extends ProblemFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    void this.rollBack(error, host);
  }

  private async rollBack(error: unknown, host: ArgumentsHost): Promise<void> {
    const [request, , next] = host.getArgs<[Request, Response, NextFunction]>();
    await contextOf(request).write?.unit.rollback();
    if (isRetryable(error)) next(new TryAgain(error));
    else super.catch(error, host);
  }
}
