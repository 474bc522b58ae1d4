import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = { first: 20, later: 100 };

/** Waits until a condition holds and returns the milliseconds it took; fails on a timeout. Asks less often the longer it has waited. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
  about = 'the condition',
): Promise<number> {
  const start = performance.now();
  while (!(await condition())) {
    const waitedMs = performance.now() - start;
    if (waitedMs > withinMs) throw new Error(`${about} does not hold after ${withinMs} ms`);
    await sleep(Math.min(Math.max(EVERY_MS.first, waitedMs / 10), EVERY_MS.later));
  }
  return performance.now() - start;
}
