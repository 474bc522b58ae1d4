import type { Preparation } from './preparation.js';

/** An answer of this API is data: nothing may run it, frame it or guess at its type. Pages set a policy of their own. */
const HEADERS = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
] as const;

/** Browsers apply Strict-Transport-Security to every port of a host: on localhost it would break all other local services. */
const LOCAL = /^(.+\.)?localhost$/i;

export function securityHeaders(): Preparation {
  return (request, response) => {
    for (const [name, value] of HEADERS) response.setHeader(name, value);
    if (request.secure && !LOCAL.test(request.hostname)) {
      response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    }
  };
}
