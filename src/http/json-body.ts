import type { RequestHandler } from 'express';
import { Problem } from '../problem/problem.js';
import { MEDIA_TYPES, mediaTypeAmong } from './media-types.js';
import { readBody } from './read-body.js';
import { parseStrictJson } from './strict-json.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a JSON body of limited size into `request.body`, or rejects it with 415, 413 or 400. `names` limits all member names together. */
export function jsonBody({ bytes: limit, names }: { readonly bytes: number; readonly names?: number }): RequestHandler {
  return async (request, _, next) => {
    const method = request.method as keyof typeof MEDIA_TYPES;
    const header = method === 'PATCH' ? 'Accept-Patch' : 'Accept';
    mediaTypeAmong(MEDIA_TYPES[method], request.headers['content-type'], header);
    const bytes = await readBody(request, limit);
    request.body = parseStrictJson(textOf(bytes), names);
    next();
  };
}

/** For a route without a body: ignores any body that is sent. */
export const noBody: RequestHandler = (_, __, next) => next();

function textOf(bytes: Buffer): string {
  if (bytes.length === 0) throw malformed('The body is empty. Send a JSON object.');
  // JSON begins with an ASCII character; a zero byte among the first two means UTF-16 or UTF-32.
  if (bytes[0] === 0 || bytes[1] === 0) throw malformed('The body is in UTF-16 or UTF-32. Send it in UTF-8.');
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8. Send JSON in UTF-8.');
  }
}

function malformed(detail: string): Problem {
  return new Problem('MALFORMED_JSON', detail);
}
