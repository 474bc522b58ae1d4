import type { RequestHandler } from 'express';

const MOST_RETRIES = 3;
const FIRST_BACKOFF_MS = 20;

/** Passed to `next` by a handler that rolled back after a failure that may not happen again, such as a deadlock. */
export class TryAgain {
  constructor(readonly cause: unknown) {}
}

/** Retries a handler, from its first guard on, when it asks for that: with backoff, and a limited number of times. */
export function withRetries(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const attempt = (retries: number): void => {
      void handler(request, response, (outcome?: unknown) => {
        if (!(outcome instanceof TryAgain)) next(outcome);
        else if (retries === MOST_RETRIES) next(outcome.cause);
        // Random, so that two requests that collided do not meet again.
        else setTimeout(() => attempt(retries + 1), Math.random() * FIRST_BACKOFF_MS * 2 ** retries);
      });
    };
    attempt(0);
  };
}
