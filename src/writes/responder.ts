import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import type { Reply } from '../http/reply.js';
import { contextOf, writerOf } from '../http/request-context.js';
import { Idempotency } from './idempotency/idempotency.js';
import { PendingWrite } from '../records/pending-write.js';
import { Locked } from '../records/records.js';
import { RenderedRecord } from '../records/rendered-record.js';
import { replyTo } from '../records/reply-to.js';
import { PastVersions } from './past-versions.js';
import type { Unit } from './unit-of-work.js';

/** A write shows the record that it wrote, or a reply without a version. */
type Change = PendingWrite<RenderedRecord | Reply>;

/** Commits what a handler has written before it replies. */
@Injectable()
export class Responder {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly pastVersions: PastVersions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The reply for a handler's result. Commits the unit of work first, if the guard has opened one. */
  reply(request: Request, returned: unknown, status: number): Reply | Promise<Reply> {
    const { write } = contextOf(request);
    if (write === undefined) return this.rendered(request, returned);
    return this.commit(request, write.unit, changesIn(returned), status);
  }

  /** Commits the writes of a unit, stores the response if the request has an Idempotency-Key, and returns the reply. */
  async commit(request: Request, unit: Unit, changes: readonly Change[], status: number): Promise<Reply> {
    if (changes.length === 1 && !writerOf(request).isKeyed) {
      const shown = await unit.commit(changes[0]);
      const { version, locked } = contextOf(request).write ?? {};
      if (version !== undefined && locked instanceof Locked && shown instanceof RenderedRecord) {
        this.pastVersions.add(version, { madeAt: locked.row.updatedAt, by: shown.eTag });
      }
      return this.rendered(request, shown);
    }
    // The response is stored with the write, and each of several writes must have found its record before any is committed.
    const shown = (await unit.write(changes)).at(-1);
    const { repetition = shown } = shown instanceof RenderedRecord ? shown : {};
    await unit.commit(undefined, this.idempotency.keep(request, this.rendered(request, repetition), status));
    return this.rendered(request, shown);
  }

  private rendered(request: Request, result: unknown): Reply {
    return replyTo(request, result, this.config.PUBLIC_URL);
  }
}

function changesIn(returned: unknown): readonly Change[] {
  const changes: unknown[] = Array.isArray(returned) ? returned : [returned];
  if (changes.length > 0 && changes.every((each) => each instanceof PendingWrite)) return changes;
  throw new Error('The handler of a write must return a PendingWrite');
}
