import { Catch, type ArgumentsHost } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ProblemFilter } from '../http/problem.filter.js';
import { contextOf } from '../http/request-context.js';
import { TryAgain } from '../http/retry.js';
import { AnsweredBefore } from '../idempotency/idempotency.js';
import { SERIALIZATION_FAILURE } from '../problem/database-problem.js';

/** PostgreSQL broke a deadlock or could not serialize: the same transaction may succeed when it is run again. */
const TRANSIENT = ['40P01', SERIALIZATION_FAILURE];

/**
 * Rolls a write back before its client is answered, whatever refused it. A transaction that PostgreSQL gave up is run again
 * from the guard on, because the row may have another version by then; that is safe because nothing of it was committed.
 */
@Catch()
export class WriteFilter extends ProblemFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    void this.rollBack(error, host);
  }

  private async rollBack(error: unknown, host: ArgumentsHost): Promise<void> {
    const [request, response, next] = host.getArgs<[Request, Response, NextFunction]>();
    await contextOf(request).write?.transaction.rollback();
    if (error instanceof AnsweredBefore) error.reply.send(response);
    else if (isTransient(error)) next(new TryAgain(error));
    else super.catch(error, host);
  }
}

function isTransient(error: unknown): boolean {
  return TRANSIENT.includes((error as { code?: string }).code ?? '');
}
