import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { cursorOf } from '../records/paging.js';
import { Reply } from '../http/reply.js';
import { Page, RenderedRecord } from '../records/rendered-record.js';
import { judgeRead } from '../etag/preconditions.js';

/** Renders the result of a handler: ETag, Location, Link, and 304 if the client has this version. */
@Injectable()
export class Representation {
  private readonly baseUrl: string;

  constructor(@Inject(CONFIG) { PUBLIC_URL = '' }: Config) {
    this.baseUrl = PUBLIC_URL;
  }

  of(request: Request, answer: unknown): Reply {
    if (answer instanceof RenderedRecord) return this.record(request, answer);
    if (answer instanceof Page) return this.page(request, answer);
    if (answer instanceof Reply) return answer;
    return new Reply(answer === undefined ? undefined : JSON.stringify(answer));
  }

  private record(request: Request, record: RenderedRecord): Reply {
    const headers: Record<string, string> = {};
    // No ETag on PUT (RFC 9110, 9.3.4), nor if the content can change without the record's version.
    if (request.method !== 'PUT' && !record.expanded) headers['ETag'] = `"${record.eTag}"`;
    if (request.method === 'POST') headers['Location'] = this.baseUrl + record.path;
    if (request.method === 'GET' || request.method === 'HEAD') {
      const outcome = judgeRead(request.headers, record.eTag);
      if (outcome === 'not modified' && !record.expanded) return new Reply(undefined, headers, 304);
    }
    return new Reply(record.json, headers);
  }

  private page(request: Request, page: Page): Reply {
    const json = `[${page.records}]`;
    if (page.lastKey === undefined) return new Reply(json);
    // The first question mark starts the query; later ones are part of a value.
    const [path = '', ...query] = request.originalUrl.split('?');
    const parameters = new URLSearchParams(query.join('?'));
    parameters.set(page.parameter, cursorOf(page.lastKey));
    return new Reply(json, { Link: `<${this.baseUrl}${path}?${parameters.toString()}>; rel="next"` });
  }
}
