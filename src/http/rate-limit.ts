import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { Problem } from '../problem/problem.js';
import { RateLimiter } from './rate-limiter.js';
import { callerKeyOf, callerNameOf, contextOf, isAnonymous } from './request-context.js';

const MINUTES_PER_DAY = 1440;
const DAY_MS = MINUTES_PER_DAY * 60_000;

const MAX_SENDERS_OF_FILES = 10_000;

/**
 * Limits the requests per caller and minute. Each replica counts separately. Callers are identified by subject, or by network without
 * a token. Separate tables make sure that a flood from many addresses evicts addresses only, never subjects.
 *
 * Imported rows have their own budget: the requests of 24 hours, which may be used at once. The number of rows is known only after
 * reading a file, so one file may overdraw the budget.
 */
export function rateLimit(requestsPerMinute: number, isExempt: (path: string) => boolean) {
  const subjects = new RateLimiter(requestsPerMinute);
  const networks = new RateLimiter(requestsPerMinute);
  const files = new RateLimiter(requestsPerMinute, MAX_SENDERS_OF_FILES, DAY_MS);

  const limiterOf = (request: Request) => (isAnonymous(contextOf(request).caller) ? networks : subjects);

  const overLimit = (request: Request, response: Response, requests = 1): Problem | undefined => {
    if (isExempt(request.path)) return undefined;
    const { allowed, remaining, resetsIn } = limiterOf(request).take(callerKeyOf(request), performance.now(), requests);
    response.setHeader('RateLimit-Policy', `"caller";q=${requestsPerMinute};w=60`);
    response.setHeader('RateLimit', `"caller";r=${remaining};t=${resetsIn}`);
    if (allowed) return undefined;
    const advice = requests > 1 ? ', and each item counts as one. Send fewer items, or wait' : '. Wait';
    const detail = `${callerNameOf(request)} may send ${requestsPerMinute} requests per minute${advice} for Retry-After.`;
    return new Problem('RATE_LIMITED', detail, { headers: { 'Retry-After': String(resetsIn) } });
  };

  /** The request has counted as one. Its items count instead, all or none, so that a bulk that waits for Retry-After fits. */
  const countItems = (request: Request, response: Response, items: number): void => {
    if (items > requestsPerMinute) {
      throw new Problem(
        'TOO_LARGE',
        `A request must not have more than ${requestsPerMinute} items: each counts as one of the ${requestsPerMinute} requests that a caller may send per minute.`,
      );
    }
    limiterOf(request).giveBack(callerKeyOf(request));
    const problem = overLimit(request, response, items);
    if (problem !== undefined) throw problem;
  };

  const countFile = (request: Request, size: number): void => {
    const { allowed, resetsIn } = files.take(callerKeyOf(request), performance.now(), size, 1);
    if (allowed) return;
    throw new Problem(
      'RATE_LIMITED',
      `${callerNameOf(request)} may send files with ${requestsPerMinute * MINUTES_PER_DAY} rows in 24 hours; a file counts by its kilobytes if they exceed its rows. Nothing was stored. Wait for Retry-After.`,
      { headers: { 'Retry-After': String(resetsIn) } },
    );
  };

  /** For requests that were rejected earlier, e.g. with an invalid token: they count toward their address. */
  const countRefused: ErrorRequestHandler = (error, request, response, next) => {
    next(overLimit(request, response) ?? error);
  };

  const count: RequestHandler = (request, response, next) => {
    const context = contextOf(request);
    context.countItems = (items) => {
      // A retried handler calls this again, but its items count once.
      context.countItems = () => undefined;
      countItems(request, response, items);
    };
    context.countFile = (size) => countFile(request, size);
    next(overLimit(request, response));
  };

  // In the other order, `countRefused` would count the requests that `count` rejects again.
  return [countRefused, count];
}
