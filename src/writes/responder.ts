import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { judgeRead } from '../etag/preconditions.js';
import { Reply } from '../http/reply.js';
import { contextOf, writerOf } from '../http/request-context.js';
import { Idempotency } from './idempotency/idempotency.js';
import { cursorOf } from '../records/paging.js';
import { PendingWrite } from '../records/pending-write.js';
import { Page, RenderedRecord } from '../records/rendered-record.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import { PastVersions } from './past-versions.js';
import { unitOf, type Unit } from './unit-of-work.js';

/** A write shows the record that it wrote, or a reply without a version. */
type Change = PendingWrite<RenderedRecord | Reply>;

/** Creates all replies. The reply to a write is sent after its COMMIT. */
@Injectable()
export class Responder {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly pastVersions: PastVersions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The reply for a handler's result. Commits the unit of work first, if the guard has opened one. */
  reply(request: Request, returned: unknown, status: number): Reply | Promise<Reply> {
    if (contextOf(request).write === undefined) return this.rendered(request, returned);
    return this.commit(request, unitOf(request), changesIn(returned), status);
  }

  /** Commits the writes of a unit, stores the response if the request has an Idempotency-Key, and returns the reply. */
  async commit(request: Request, unit: Unit, changes: readonly Change[], status: number): Promise<Reply> {
    if (changes.length === 1 && !writerOf(request).isKeyed) {
      const shown = await unit.commit(changes[0]);
      const { version, locked } = contextOf(request).write ?? {};
      if (version !== undefined && locked !== undefined && shown instanceof RenderedRecord) {
        this.pastVersions.add(version, { madeAt: (locked.row as VersionedRecord).updatedAt, by: shown.eTag });
      }
      return this.rendered(request, shown);
    }
    // The response is stored with the write, and each of several writes must have found its record before any is committed.
    const shown = (await unit.write(changes)).at(-1);
    const { repetition = shown } = shown instanceof RenderedRecord ? shown : {};
    await unit.commit(undefined, this.idempotency.keep(request, this.rendered(request, repetition), status));
    return this.rendered(request, shown);
  }

  /** Renders a result: ETag, Location, Link, and 304 if the client has this version. */
  private rendered(request: Request, answer: unknown): Reply {
    if (answer instanceof RenderedRecord) return this.record(request, answer);
    if (answer instanceof Page) return this.page(request, answer);
    if (answer instanceof Reply) return answer;
    return new Reply(answer === undefined ? undefined : JSON.stringify(answer));
  }

  private record(request: Request, record: RenderedRecord): Reply {
    const headers: Record<string, string> = {};
    // No ETag on PUT (RFC 9110, 9.3.4), nor if the content can change without the record's version.
    if (request.method !== 'PUT' && !record.expanded) headers['ETag'] = `"${record.eTag}"`;
    if (request.method === 'POST') headers['Location'] = (this.config.PUBLIC_URL ?? '') + record.path;
    if (request.method === 'GET' || request.method === 'HEAD') {
      const isNotModified = judgeRead(request.headers, record.eTag);
      if (isNotModified && !record.expanded) return new Reply(undefined, headers, 304);
    }
    return new Reply(record.json, headers);
  }

  private page(request: Request, page: Page): Reply {
    const json = `[${page.records}]`;
    const { lastKey, monitor, headers } = page;
    if (lastKey === undefined && monitor === undefined) return new Reply(json, { ...headers });
    // The first question mark starts the query; later ones are part of a value.
    const [path = '', ...query] = request.originalUrl.split('?');
    const parameters = new URLSearchParams(query.join('?'));
    if (lastKey === undefined) {
      parameters.delete(page.parameter);
      parameters.set('updatedSince', monitor ?? '');
    } else {
      parameters.set(page.parameter, cursorOf(lastKey));
    }
    const relation = lastKey === undefined ? 'monitor' : 'next';
    const link = `<${this.config.PUBLIC_URL ?? ''}${path}?${parameters.toString()}>; rel="${relation}"`;
    return new Reply(json, { ...headers, Link: link });
  }
}

function changesIn(returned: unknown): readonly Change[] {
  const changes: unknown[] = Array.isArray(returned) ? returned : [returned];
  if (changes.length > 0 && changes.every((each) => each instanceof PendingWrite)) return changes;
  throw new Error('The handler of a write must return a PendingWrite');
}
