import type { Request } from 'express';
import type { Reply } from '../http/reply.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import { findWrite, type Write } from '../records/write-slot.js';
import type { Representation } from './representation.js';

/** Makes the reply of what a handler has returned. A write is committed before: nobody hears of what could still be lost. */
export class Answers {
  constructor(
    private readonly representation: Representation,
    private readonly idempotency: Idempotency,
  ) {}

  of(request: Request, answer: unknown, status: number): Reply | Promise<Reply> {
    const reply = this.representation.of(request, answer);
    const write = findWrite(request);
    return write === undefined ? reply : this.committed(write, request, reply, status);
  }

  private async committed({ transaction }: Write, request: Request, reply: Reply, status: number): Promise<Reply> {
    await this.idempotency.keep(transaction, request, reply, status);
    await transaction.commit();
    return reply;
  }
}
