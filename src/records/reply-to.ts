import type { Request } from 'express';
import { judgeRead } from '../etag/preconditions.js';
import { Reply } from '../http/reply.js';
import { cursorOf } from './paging.js';
import { Page, RenderedRecord } from './rendered-record.js';

/** The reply that shows a result: with ETag, Location and Link, and 304 if the client has this version. */
export function replyTo(request: Request, result: unknown, publicUrl = ''): Reply {
  if (result instanceof RenderedRecord) return recordReply(request, result, publicUrl);
  if (result instanceof Page) return pageReply(request, result, publicUrl);
  if (result instanceof Reply) return result;
  return new Reply(result === undefined ? undefined : JSON.stringify(result));
}

function recordReply(request: Request, record: RenderedRecord, publicUrl: string): Reply {
  const headers: Record<string, string> = {};
  // No ETag on PUT (RFC 9110, 9.3.4), nor if the content can change without the record's version.
  if (request.method !== 'PUT' && !record.expanded) headers['ETag'] = `"${record.eTag}"`;
  if (request.method === 'POST') headers['Location'] = publicUrl + record.path;
  if (request.method === 'GET' || request.method === 'HEAD') {
    const isNotModified = judgeRead(request.headers, record.eTag);
    if (isNotModified && !record.expanded) return new Reply(undefined, headers, 304);
  }
  return new Reply(record.json, headers);
}

function pageReply(
  request: Request,
  { records, lastKey, monitor, headers, parameter }: Page,
  publicUrl: string,
): Reply {
  const json = `[${records}]`;
  if (lastKey === undefined && monitor === undefined) return new Reply(json, { ...headers });
  // The first question mark starts the query; later ones are part of a value.
  const [path = '', ...query] = request.originalUrl.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  if (lastKey === undefined) {
    parameters.delete(parameter);
    parameters.set('updatedSince', monitor ?? '');
  } else {
    parameters.set(parameter, cursorOf(lastKey));
  }
  const relation = lastKey === undefined ? 'monitor' : 'next';
  return new Reply(json, { ...headers, Link: `<${publicUrl}${path}?${parameters.toString()}>; rel="${relation}"` });
}
