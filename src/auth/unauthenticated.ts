import { Problem } from '../problem/problem.js';

/** The challenge of every 401 and 403 (RFC 6750). */
export const REALM = 'Bearer realm="waybill"';

export const UNKNOWN_KEY = 'The API key is unknown: it was mistyped, replaced or revoked.';

/** 401 for invalid credentials. */
export function unauthenticated(detail: string): Problem {
  return new Problem('UNAUTHENTICATED', detail, {
    headers: { 'WWW-Authenticate': `${REALM}, error="invalid_token"` },
  });
}
