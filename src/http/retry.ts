import type { RequestHandler } from 'express';

const MOST_RETRIES = 3;
const FIRST_BACKOFF_MS = 20;

/** Passed to `next` by a handler that rolled its work back because the database may do it when it is asked again. */
export class TryAgain {
  constructor(readonly cause: unknown) {}
}

/** Runs a handler again, from its first guard on, when it asks for that; with backoff, and not without end. */
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
