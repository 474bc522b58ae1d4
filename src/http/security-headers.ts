import type { BeforeRouting } from './request-head.js';

/** API responses are data: browsers must not execute, frame or sniff them. Pages set their own policy. */
const HEADERS = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
] as const;

/** Strict-Transport-Security applies to every port of a host: on localhost it would break other local services. */
const LOCAL = /^(.+\.)?localhost$/i;

export const securityHeaders: BeforeRouting = (request, response) => {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (request.secure && !LOCAL.test(request.hostname)) {
    response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
};
