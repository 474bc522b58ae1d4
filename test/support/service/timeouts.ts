/** Timeouts of writes that end in their order, the last after `ms`. */
export function timeoutsWithin(ms: number): Record<string, string> {
  return {
    LOCK_TIMEOUT_MS: String(ms - 2),
    STATEMENT_TIMEOUT_MS: String(ms - 1),
    REQUEST_DEADLINE_MS: String(ms),
  };
}
