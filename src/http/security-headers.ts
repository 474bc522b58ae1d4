import type { RequestHandler } from 'express';

/** An answer of this API is data: nothing may run it, frame it or guess at its type. Pages set a policy of their own. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const OVER_TLS = { ...HEADERS, 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' };

export function securityHeaders(): RequestHandler {
  return (request, response, next) => {
    for (const [name, value] of Object.entries(request.secure ? OVER_TLS : HEADERS)) response.setHeader(name, value);
    next();
  };
}
