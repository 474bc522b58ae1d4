import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { Problem } from '../problem/problem.js';
import { ANONYMOUS } from './caller.js';
import { callerKeyOf } from './caller-key.js';
import { RateLimiter } from './rate-limiter.js';
import { contextOf } from './request-context.js';

export interface RateLimit {
  /** For requests that were refused before, such as those with an invalid token: they count for their address. */
  readonly countRefused: ErrorRequestHandler;
  /** For requests that may go on; comes after `countRefused`, which would otherwise count its refusals again. */
  readonly count: RequestHandler;
}

const MINUTES_PER_DAY = 1440;
const DAY_MS = MINUTES_PER_DAY * 60_000;

/** Few callers send files. */
const MAX_SENDERS_OF_FILES = 10_000;

/**
 * Limits the requests per caller and minute in this process; each replica counts for itself. Callers are told apart by
 * their subject, or by their network when there is none. The two are kept apart: a flood from many addresses makes the service
 * forget addresses, never subjects.
 *
 * The rows of files have an account of their own, at the same rate: a caller may import as many in 24 hours as it may send requests, and
 * all of them at once. How many a file has is known after it is read, so the account may be overdrawn by a file.
 */
export function rateLimit(requestsPerMinute: number, isExempt: (path: string) => boolean): RateLimit {
  const subjects = new RateLimiter(requestsPerMinute);
  const networks = new RateLimiter(requestsPerMinute);
  const files = new RateLimiter(requestsPerMinute, MAX_SENDERS_OF_FILES, DAY_MS);

  const overLimit = (request: Request, response: Response, requests = 1): Problem | undefined => {
    if (isExempt(request.path)) return undefined;
    const limiter = contextOf(request).caller === ANONYMOUS ? networks : subjects;
    const { allowed, remaining, resetsIn } = limiter.take(callerKeyOf(request), performance.now(), requests);
    response.setHeader('RateLimit-Policy', `"caller";q=${requestsPerMinute};w=60`);
    response.setHeader('RateLimit', `"caller";r=${remaining};t=${resetsIn}`);
    if (allowed) return undefined;
    const bulk = requests > 1 ? ', and each item of a bulk counts as one. Send fewer items, or wait' : '. Wait';
    return new Problem(
      'RATE_LIMITED',
      `A caller may send ${requestsPerMinute} requests per minute${bulk} as long as Retry-After says.`,
      {
        headers: { 'Retry-After': String(resetsIn) },
      },
    );
  };

  const countFile = (request: Request, size: number): void => {
    const { allowed, resetsIn } = files.overdraw(callerKeyOf(request), performance.now(), size);
    if (allowed) return;
    throw new Problem(
      'RATE_LIMITED',
      `A caller may import ${requestsPerMinute * MINUTES_PER_DAY} rows in 24 hours; a file whose kilobytes are more than its rows counts by these. Nothing was stored. Wait as long as Retry-After says.`,
      { headers: { 'Retry-After': String(resetsIn) } },
    );
  };

  return {
    countRefused: (error, request, response, next) => next(overLimit(request, response) ?? error),
    count: (request, response, next) => {
      const context = contextOf(request);
      context.countItems = (items) => {
        // A handler that is run again asks again, and its items count once.
        context.countItems = () => undefined;
        const problem = overLimit(request, response, items - 1);
        if (problem !== undefined) throw problem;
      };
      context.countFile = (size) => countFile(request, size);
      next(overLimit(request, response));
    },
  };
}
