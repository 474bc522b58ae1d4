import type { RequestHandler } from 'express';
import { COLLISIONS } from '../problem/retry.js';

/** Passed to `next` by a handler that rolled back after a transient failure, such as a deadlock. */
export class TryAgain {
  constructor(readonly cause: unknown) {}
}

/** Retries a handler on request, starting at its first guard, with backoff and a limit. */
export function withRetries(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const attempt = (failures: number): void => {
      void handler(request, response, (outcome?: unknown) => {
        if (!(outcome instanceof TryAgain)) next(outcome);
        else if (failures === COLLISIONS.max) next(outcome.cause);
        else setTimeout(() => attempt(failures + 1), COLLISIONS.pause(failures + 1));
      });
    };
    attempt(0);
  };
}
