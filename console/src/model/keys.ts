/** The service remembers a key for 24 hours. An hour less, because the first request with it may have been on its way for a while. */
const REMEMBERED_MS = 23 * 3_600_000;

/**
 * Whether the service may have forgotten a key that was first sent at this time, so that to repeat its request could do it twice. A time
 * that is not known, or far in the future because a clock was set, says nothing: such a key counts as forgotten.
 */
export function isForgotten(at: number | undefined, now: number): boolean {
  return at === undefined || Math.abs(now - at) >= REMEMBERED_MS;
}
