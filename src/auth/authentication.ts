import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { contextOf } from '../http/request-context.js';
import { Problem } from '../problem/problem.js';
import { REALM, unauthenticated, type TokenVerifier } from './token-verifier.js';

/** Checks the token before anything else, except for public paths; 401 if it is missing or invalid. */
export function authentication(verifier: TokenVerifier, isPublic: (path: string) => boolean): RequestHandler {
  return async (request, _, next) => {
    if (!isPublic(request.path)) contextOf(request).caller = await verifier.verify(tokenIn(request));
    next();
  };
}

function tokenIn({ headers: { authorization } }: IncomingMessage): string {
  if (authorization === undefined) {
    const detail = 'The request has no token. Send one in the header "Authorization: Bearer <ACCESS_TOKEN>".';
    throw new Problem('UNAUTHENTICATED', detail, { headers: { 'WWW-Authenticate': REALM } });
  }
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined)
    throw unauthenticated('The Authorization header must have the form "Bearer <ACCESS_TOKEN>".');
  return token;
}
