import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Reply } from '../http/reply.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { rememberWrite, writeOf, type Write } from '../records/write-slot.js';
import { ConditionalWrites } from './conditional-writes.js';
import { Representation } from './representation.js';
import { retryTransient } from './retries.js';
import type { Params } from './write-rule.js';

/** Ends the transaction that the guard opened: COMMIT when the handler has an answer, ROLLBACK when anything is thrown. */
@Injectable()
export class CommitInterceptor implements NestInterceptor {
  constructor(
    private readonly conditionalWrites: ConditionalWrites,
    private readonly representation: Representation,
    private readonly idempotency: Idempotency,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<Reply> {
    const request = context.switchToHttp().getRequest<Request<Params>>();
    const { statusCode } = context.switchToHttp().getResponse<Response>();
    let opened: Write | undefined = writeOf(request);
    opened.transaction.hold();
    return from(
      retryTransient(async () => {
        const write = opened ?? (await this.reopen(context, request));
        opened = undefined;
        return this.finish(write, request, statusCode, next);
      }),
    );
  }

  /** A transaction that was given up is done again from its start: the row may have another version by now. */
  private async reopen(context: ExecutionContext, request: Request<Params>): Promise<Write> {
    const write = await this.conditionalWrites.open(context.getHandler(), request);
    write.transaction.hold();
    rememberWrite(request, write);
    return write;
  }

  private async finish(
    { transaction, replay }: Write,
    request: Request,
    status: number,
    next: CallHandler,
  ): Promise<Reply> {
    try {
      if (replay !== undefined) {
        await transaction.rollback();
        return replay;
      }
      const answer: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const reply = this.representation.of(request, answer);
      await this.idempotency.keep(transaction, request, reply, status);
      await transaction.commit();
      return reply;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }
}
