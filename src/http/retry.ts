import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler } from 'express';

const MAX_RETRIES = 3;
const FIRST_BACKOFF_MS = 20;

/** Passed to `next` by a handler that rolled back after a transient failure, such as a deadlock. */
export class TryAgain {
  constructor(readonly cause: unknown) {}
}

/** Retries a handler on request, starting at its first guard, with backoff and a limit. */
export function withRetries(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const attempt = (retries: number): void => {
      void handler(request, response, (outcome?: unknown) => {
        if (!(outcome instanceof TryAgain)) next(outcome);
        else if (retries === MAX_RETRIES) next(outcome.cause);
        else setTimeout(() => attempt(retries + 1), backoffMs(retries));
      });
    };
    attempt(0);
  };
}

/** Retries an operation while it fails with a transient error, with backoff and a limit. */
export async function retried<T>(attempt: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (retries === MAX_RETRIES || !mayPass(error)) throw error;
      await sleep(backoffMs(retries));
    }
  }
}

/** Random, so that requests that collided do not collide again. */
function backoffMs(retries: number): number {
  return Math.random() * FIRST_BACKOFF_MS * 2 ** retries;
}
