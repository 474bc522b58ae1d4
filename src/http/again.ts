import type { NextFunction, Request, RequestHandler } from 'express';

/** How often a request may be done again. */
const MOST_REPEATS = 3;

/** A handler as often as a request may need it: Express goes from one to the next when it is told to. */
export function repeatable(handler: RequestHandler): RequestHandler[] {
  return Array.from({ length: 1 + MOST_REPEATS }, () => handler);
}

const repeats = new WeakMap<Request, number>();

/** Which repetition of a request would be the next, from 0 on; undefined when there were enough of them. */
export function nextRepeat(request: Request): number | undefined {
  const repeat = repeats.get(request) ?? 0;
  return repeat < MOST_REPEATS ? repeat : undefined;
}

/** Has a request handled once more from its first guard on; its route must be `repeatable`. */
export function handleAgain(request: Request, next: NextFunction): void {
  repeats.set(request, (repeats.get(request) ?? 0) + 1);
  next();
}
