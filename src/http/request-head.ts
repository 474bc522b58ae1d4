import type { Request, Response } from 'express';
import { Problem } from '../problem/problem.js';

/** A step before routing, which may throw. All of them run in one middleware: Express walks its route stack once per middleware. */
export type BeforeRouting = (request: Request, response: Response) => void;

const MAX_HEADERS = 100;

/** Node.js silently drops duplicates of these headers, so two readers of the request could see different values. */
const ONCE = ['authorization', 'content-type'];

/** Checks a request before routing; true if the response was sent already. */
export function checkRequestHead(request: Request, response: Response): boolean {
  // Node's parser accepts HTTP/0.9 and 2.0.
  if (request.httpVersion !== '1.1' && request.httpVersion !== '1.0') {
    throw closing('MALFORMED_REQUEST', 'The service supports only HTTP/1.1 and HTTP/1.0.');
  }
  checkHeaders(request);
  if (request.url === '*' && request.method === 'OPTIONS') {
    // OPTIONS * applies to the server as a whole (RFC 9110, 9.3.7).
    response.writeHead(204).end();
    return true;
  }
  checkTarget(request);
  return false;
}

function checkHeaders({ rawHeaders, httpVersion }: Request): void {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const isRepeated = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  // An HTTP/1.1 request has exactly one Host (RFC 9112, 3.2).
  if (isRepeated('host') || (httpVersion !== '1.0' && !names.includes('host'))) {
    throw closing('MALFORMED_REQUEST', 'The request must have exactly one Host header.');
  }
  if (names.length > MAX_HEADERS) {
    throw closing('HEADERS_TOO_LARGE', `The request must not have more than ${MAX_HEADERS} headers.`);
  }
  const repeated = ONCE.find(isRepeated);
  if (repeated === undefined) return;
  throw new Problem('INVALID_HEADER', `The header ${repeated} must not be sent more than once.`);
}

/** `originForm` has already converted every valid target to a path. */
function checkTarget({ url }: Request): void {
  if (/^\/[\x21\x22\x24-\x7e]*$/.test(url)) return;
  throw closing(
    'MALFORMED_REQUEST',
    'The request target must begin with a slash, consist of ASCII characters, and have no fragment.',
  );
}

function closing(code: 'HEADERS_TOO_LARGE' | 'MALFORMED_REQUEST', detail: string): Problem {
  return new Problem(code, detail, { headers: { Connection: 'close' } });
}

/**
 * Converts the target of a request to a path with a query. Clients may also send an absolute URL (RFC 9112, 3.2.2) or `OPTIONS *`. This
 * must run before Express, whose parser throws on some absolute URLs and responds with its own page. An invalid target gets a
 * fragment, so that `checkRequestHead` rejects it.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const [, path] = /^https?:\/\/[^/?]*(.*)$/i.exec(target) ?? [];
  if (path === undefined) return `/#${target}`;
  return path.startsWith('/') ? path : `/${path}`;
}

const URL_LIMIT_BYTES = 8192;

export function urlLimit({ url }: Request): void {
  if (url.length <= URL_LIMIT_BYTES) return;
  throw new Problem('URI_TOO_LONG', `The URL must not be longer than ${URL_LIMIT_BYTES} bytes.`);
}
