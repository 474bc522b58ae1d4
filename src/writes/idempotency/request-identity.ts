import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { canonicalTags } from '../../etag/entity-tags.js';
import { contextOf } from '../../http/request-context.js';
import { Problem } from '../../problem/problem.js';
import { canonicalName } from '../../validation/json-schema.js';

/** A String of RFC 9651, as in the Idempotency-Key draft, or the same without quotes, as many clients send it. */
const VISIBLE = '[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,255}';
export const KEY_PATTERN = `^(${VISIBLE}|"${VISIBLE}")$`;
const KEY = new RegExp(KEY_PATTERN);

type RequestIdentity = readonly [caller: string, method: string, path: string, key: string];

/** Undefined if the request has no Idempotency-Key. */
export function identityOf(request: Request): RequestIdentity | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !KEY.test(header)) {
    throw new Problem(
      'INVALID_HEADER',
      'The header Idempotency-Key must consist of 1 to 255 visible ASCII characters, such as a UUID in double quotes.',
    );
  }
  // Keys are looked up only by their caller, so the table does not need to store names.
  const caller = createHash('sha256').update(contextOf(request).caller.subject).digest('hex');
  return [caller, request.method, canonicalPath(request), header.replaceAll('"', '')];
}

/**
 * The path as routed: a trailing slash, percent-encoding or the case of an id or code makes no difference. A record's code and its id are
 * different paths: a code can be resolved only while the record exists, but the response to a DELETE must be found later, too. A retry repeats
 * the path anyway.
 */
function canonicalPath({ route, params }: Request): string {
  return (route as { path: string }).path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(canonicalName(String(params[name]))),
  );
}

/** A hash of the rest of the request: a key with a different fingerprint was used for another request. */
export function fingerprintOf({ url, path, headers, body }: Request): Buffer {
  const query = url.slice(path.length + 1);
  const preconditions = [headers['if-match'], headers['if-none-match']].map((header) => {
    return header === undefined ? null : canonicalTags(header);
  });
  return createHash('sha256')
    .update(JSON.stringify([query, preconditions, body ?? null]))
    .digest();
}
