import type { RequestHandler } from 'express';
import { Problem } from '../problem/problem.js';
import { subjectOf } from './caller.js';

const WINDOW_SECONDS = 60;

/**
 * At most so many requests per caller and minute in this process; replicas count each for itself. Callers are told apart by
 * their subject, or by their address when nobody had to say who they are.
 */
export function rateLimit(requestsPerMinute: number, isExempt: (path: string) => boolean): RequestHandler {
  let used = new Map<string, number>();
  let window = -1;
  return (request, response, next) => {
    if (isExempt(request.path)) {
      next();
      return;
    }
    const now = Date.now() / 1000;
    const current = Math.floor(now / WINDOW_SECONDS);
    if (current !== window) {
      used = new Map();
      window = current;
    }
    const subject = subjectOf(request);
    const caller = subject === 'anonymous' ? `address ${request.ip ?? ''}` : `subject ${subject}`;
    const count = (used.get(caller) ?? 0) + 1;
    used.set(caller, count);
    const resetsIn = Math.max(1, Math.ceil((current + 1) * WINDOW_SECONDS - now));
    response.setHeader('RateLimit-Policy', `"caller";q=${requestsPerMinute};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"caller";r=${Math.max(0, requestsPerMinute - count)};t=${resetsIn}`);
    if (count <= requestsPerMinute) {
      next();
      return;
    }
    next(
      new Problem('RATE_LIMITED', `This caller may send ${requestsPerMinute} requests a minute.`, {
        headers: { 'Retry-After': String(resetsIn) },
      }),
    );
  };
}
