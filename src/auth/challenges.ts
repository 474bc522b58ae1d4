import { Problem } from '../problem/problem.js';

const REALM = 'Bearer realm="waybill"';

/** 401 for a missing token. */
export function tokenMissing(): Problem {
  const detail = 'The request has no token. Send one in the header "Authorization: Bearer <ACCESS_TOKEN>".';
  return new Problem('UNAUTHENTICATED', detail, { headers: { 'WWW-Authenticate': REALM } });
}

/** 401 for an invalid token. */
export function unauthenticated(detail: string): Problem {
  return new Problem('UNAUTHENTICATED', detail, {
    headers: { 'WWW-Authenticate': `${REALM}, error="invalid_token"` },
  });
}

/** 403 for a token without the scope. */
export function scopeMissing(...scopes: readonly string[]): Problem {
  const [scope = ''] = scopes;
  return new Problem('FORBIDDEN', `The token lacks the scope ${scopes.join(' or ')}, which this request requires.`, {
    headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
    members: { missingScope: scope },
  });
}
