import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { canonicalTags } from '../../etag/entity-tags.js';
import { contextOf } from '../../http/request-context.js';
import { Problem } from '../../problem/problem.js';

/** A String of RFC 9651, as the Idempotency-Key draft asks for, or the same without quotes, as many clients send it. */
const VISIBLE = '[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,255}';
export const KEY_PATTERN = `^(${VISIBLE}|"${VISIBLE}")$`;
const KEY = new RegExp(KEY_PATTERN);

/** Under which an answer is kept. */
export type RequestIdentity = readonly [caller: string, method: string, path: string, key: string];

/** Undefined when the request has no Idempotency-Key. */
export function identityOf(request: Request): RequestIdentity | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = typeof header === 'string' && KEY.test(header) ? header.replaceAll('"', '') : undefined;
  if (key === undefined) {
    throw new Problem(
      'INVALID_HEADER',
      'The header Idempotency-Key must consist of 1 to 255 visible ASCII characters, such as a UUID in double quotes.',
    );
  }
  return [digestOf(contextOf(request).caller.subject), request.method, canonicalPath(request), key];
}

/** A key is only ever looked up by its caller, so the table of keys need not name anybody. */
function digestOf(subject: string): string {
  return createHash('sha256').update(subject).digest('hex');
}

/**
 * The path as the router understood it: a trailing slash or a percent-encoded letter does not make another request.
 * A move's code and its id are two paths. Which move a code names can only be looked up while the move exists, and the answer
 * to a DELETE has to be found afterwards as well. A client that repeats a request repeats its path.
 */
function canonicalPath({ route, params }: Request): string {
  return (route as { path: string }).path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
}

/** A hash of everything else that says what a request asks for: a key that comes with another one was used twice. */
export function fingerprintOf({ url, path, headers, body }: Request): Buffer {
  const query = url.slice(path.length + 1);
  const preconditions = [headers['if-match'], headers['if-none-match']].map((header) => {
    return header === undefined ? null : canonicalTags(header);
  });
  return createHash('sha256')
    .update(JSON.stringify([query, preconditions, body ?? null]))
    .digest();
}
