import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds and returns the milliseconds it took; fails on a timeout. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
  about = 'the condition',
): Promise<number> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > withinMs) throw new Error(`${about} does not hold after ${withinMs} ms`);
    await sleep(20);
  }
  return performance.now() - start;
}
