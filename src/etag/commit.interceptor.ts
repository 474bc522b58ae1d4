import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Reply } from '../http/reply.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { writeOf } from '../records/write-slot.js';
import { Representation } from './representation.js';

/** Ends the transaction that the guard opened: COMMIT when the handler has an answer, ROLLBACK when anything is thrown. */
@Injectable()
export class CommitInterceptor implements NestInterceptor {
  constructor(
    private readonly representation: Representation,
    private readonly idempotency: Idempotency,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<Reply> {
    const request = context.switchToHttp().getRequest<Request>();
    writeOf(request).transaction.hold();
    return from(this.finish(request, context.switchToHttp().getResponse(), next));
  }

  private async finish(request: Request, { statusCode }: Response, next: CallHandler): Promise<Reply> {
    const { transaction, replay } = writeOf(request);
    try {
      if (replay !== undefined) {
        await transaction.rollback();
        return replay;
      }
      const answer: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const reply = this.representation.of(request, answer);
      await this.idempotency.keep(transaction, request, reply, statusCode);
      await transaction.commit();
      return reply;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }
}
