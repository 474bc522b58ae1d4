/** A longer pause, such as one that a header asks for, is cut to an hour. A timer of more than 24 days would not wait at all. */
export const LONGEST_PAUSE_MS = 3_600_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time for a timer. */
export function bounded(milliseconds: number, most = MAX_TIMER_MS): number {
  return milliseconds <= most ? milliseconds : most;
}

/** Waits, or throws the signal's reason as soon as it is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      bounded(milliseconds, LONGEST_PAUSE_MS),
    );
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Exponential backoff with full jitter: the range doubles with each failure up to `most`, so that clients that failed together do not
 * retry together.
 */
export function backoff(failures: number, first: number, most: number): number {
  return Math.random() * Math.min(most, first * 2 ** (failures - 1));
}
