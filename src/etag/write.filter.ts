import { Catch, type ArgumentsHost } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { handledAgain } from '../http/again.js';
import { AnsweredBefore } from '../idempotency/idempotency.js';
import { SERIALIZATION_FAILURE } from '../problem/database-problem.js';
import { ProblemFilter } from '../problem/problem.filter.js';
import { findWrite } from '../records/write-slot.js';

/** PostgreSQL broke a deadlock, or could not serialize: the transaction as a whole may succeed when it is tried again. */
const TRANSIENT = ['40P01', SERIALIZATION_FAILURE];

/**
 * Takes back what a write has begun, whatever it was that refused it, before anybody is told. What PostgreSQL gave up for the
 * sake of another is done again from its start, for the row may have another version by now. That is safe because nothing of
 * it remains.
 */
@Catch()
export class WriteFilter extends ProblemFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    void this.takeBack(error, host);
  }

  private async takeBack(error: unknown, host: ArgumentsHost): Promise<void> {
    const [request, response, next] = host.getArgs<[Request, Response, NextFunction]>();
    await findWrite(request)?.transaction.rollback();
    if (error instanceof AnsweredBefore) {
      error.reply.send(response);
    } else if (!(isTransient(error) && (await handledAgain(request, next)))) {
      super.catch(error, host);
    }
  }
}

function isTransient(error: unknown): boolean {
  return TRANSIENT.includes((error as { code?: string }).code ?? '');
}
