import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Reply } from '../http/reply.js';
import { contextOf, writerOf } from '../http/request-context.js';
import { Idempotency } from './idempotency/idempotency.js';
import { PendingWrite } from '../records/pending-write.js';
import { unitOf, type Unit } from './unit-of-work.js';
import { Representation } from './representation.js';

/** Makes the reply to every request. That to a writing request is sent after its COMMIT has succeeded. */
@Injectable()
export class Responder {
  constructor(
    private readonly representation: Representation,
    private readonly idempotency: Idempotency,
  ) {}

  /** The reply to a request, from what its handler returned. Where the guard has opened a unit of work, that is committed first. */
  reply(request: Request, returned: unknown, status: number): Reply | Promise<Reply> {
    if (contextOf(request).write === undefined) return this.representation.of(request, returned);
    return this.commit(request, unitOf(request), changesIn(returned), status);
  }

  /** Commits the writes of a unit, keeps the answer under the request's Idempotency-Key if it has one, and returns the reply. */
  async commit(request: Request, unit: Unit, changes: readonly PendingWrite[], status: number): Promise<Reply> {
    if (changes.length === 1 && !writerOf(request).isKeyed) {
      return this.representation.of(request, await unit.commit(changes[0]));
    }
    // The answer is stored with the write, and of several writes each must have found its record before any is committed.
    const reply = this.representation.of(request, (await unit.write(changes)).at(-1));
    await unit.commit(undefined, this.idempotency.keep(request, reply, status));
    return reply;
  }
}

function changesIn(returned: unknown): readonly PendingWrite[] {
  const changes: unknown[] = Array.isArray(returned) ? returned : [returned];
  if (changes.length > 0 && changes.every((each) => each instanceof PendingWrite)) return changes;
  throw new Error('The handler of a writing route must return the change it makes');
}
