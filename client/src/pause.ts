/** Waits, or throws the signal's reason as soon as it is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
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
