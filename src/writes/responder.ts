import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Reply } from '../http/reply.js';
import { contextOf, writerOf } from '../http/request-context.js';
import { Idempotency } from './idempotency/idempotency.js';
import { PendingWrite } from '../records/pending-write.js';
import { unitOf, type Unit } from './unit-of-work.js';
import { Representation } from './representation.js';

/** Creates all replies. The reply to a write is sent after its COMMIT. */
@Injectable()
export class Responder {
  constructor(
    private readonly representation: Representation,
    private readonly idempotency: Idempotency,
  ) {}

  /** The reply for a handler's result. Commits the unit of work first, if the guard has opened one. */
  reply(request: Request, returned: unknown, status: number): Reply | Promise<Reply> {
    if (contextOf(request).write === undefined) return this.representation.of(request, returned);
    return this.commit(request, unitOf(request), changesIn(returned), status);
  }

  /** Commits the writes of a unit, stores the response if the request has an Idempotency-Key, and returns the reply. */
  async commit(request: Request, unit: Unit, changes: readonly PendingWrite[], status: number): Promise<Reply> {
    if (changes.length === 1 && !writerOf(request).isKeyed) {
      return this.representation.of(request, await unit.commit(changes[0]));
    }
    // The response is stored with the write, and each of several writes must have found its record before any is committed.
    const reply = this.representation.of(request, (await unit.write(changes)).at(-1));
    await unit.commit(undefined, this.idempotency.keep(request, reply, status));
    return reply;
  }
}

function changesIn(returned: unknown): readonly PendingWrite[] {
  const changes: unknown[] = Array.isArray(returned) ? returned : [returned];
  if (changes.length > 0 && changes.every((each) => each instanceof PendingWrite)) return changes;
  throw new Error('The handler of a write must return a PendingWrite');
}
