import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryRules {
  /** Whether to try again after this failure, the `failures`th. */
  readonly while: (error: unknown, failures: number) => boolean | Promise<boolean>;
  /** Milliseconds before the next attempt. */
  readonly pause: (failures: number) => number;
  /** Ends the pause, and the retries. */
  readonly signal?: AbortSignal;
}

export async function retry<T>(work: () => Promise<T>, rules: RetryRules): Promise<T> {
  const { signal } = rules;
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted === true || !(await rules.while(error, failures))) throw error;
      await sleep(rules.pause(failures), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** For collisions of requests: random, so that they do not collide again. */
export const COLLISIONS = { max: 3, pause: (failures: number) => Math.random() * 10 * 2 ** failures };
