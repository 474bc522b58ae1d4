import cors from 'cors';
import type { RequestHandler } from 'express';

/** Response headers that browser scripts may read. */
const EXPOSED = [
  'ETag',
  'Link',
  'Location',
  'Allow',
  'Accept-Patch',
  'Retry-After',
  'X-Request-ID',
  'Idempotency-Replayed',
  'Waybill-Count',
  'Waybill-Search-Behind',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  'Deprecation',
  'Sunset',
];

/** Allows pages of these origins to call the API. An OPTIONS request that is not a preflight continues to the routes. */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const handle = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'If-Match',
      'If-None-Match',
      'Idempotency-Key',
      'X-Request-ID',
      'X-Display-Name',
      'traceparent',
    ],
    exposedHeaders: EXPOSED,
    maxAge: 600,
  });
  return (request, response, next) => {
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    if (request.method === 'OPTIONS' && !isPreflight) next();
    else handle(request, response, next);
  };
}
