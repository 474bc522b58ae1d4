import { setTimeout as sleep } from 'node:timers/promises';
import type { NextFunction, Request, RequestHandler } from 'express';

/** How often a request may be done again. */
const MOST_REPEATS = 3;
const LONGEST_FIRST_PAUSE_MS = 20;

/** A handler as often as a request may need it: Express goes from one to the next when it is told to. */
export function repeatable(handler: RequestHandler): RequestHandler[] {
  return Array.from({ length: 1 + MOST_REPEATS }, () => handler);
}

const repeats = new WeakMap<Request, number>();

/**
 * After a pause has a request handled once more from its first guard on; its route must be `repeatable`.
 * Says whether it did, for it does not without end.
 */
export async function handledAgain(request: Request, next: NextFunction): Promise<boolean> {
  const repeat = repeats.get(request) ?? 0;
  if (repeat === MOST_REPEATS) return false;
  repeats.set(request, repeat + 1);
  // Random, so that two that collided do not meet again.
  await sleep(Math.random() * LONGEST_FIRST_PAUSE_MS * 2 ** repeat);
  next();
  return true;
}
