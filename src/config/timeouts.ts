import type { Config } from './config.js';

/** How long to look for the outcome of a transaction whose COMMIT got no response, after the deadline of the request. */
export const FIND_OUTCOME_WITHIN_MS = 5000;

/** What a shutdown takes besides the two configured times, at most: connections settle, and those to the database close. */
const CLOSE_WITHIN_MS = 1000;

/** Faults in timeouts of which one must end before the other, because only the inner one knows what happened. */
export function timeoutFaults(config: Config): string[] {
  const { POOL_ACQUIRE_TIMEOUT_MS, REQUEST_DEADLINE_MS, DRAIN_DELAY_MS, SHUTDOWN_TIMEOUT_MS } = config;
  const faults = [
    fault('LOCK_TIMEOUT_MS', config.LOCK_TIMEOUT_MS, 'STATEMENT_TIMEOUT_MS', config),
    fault('STATEMENT_TIMEOUT_MS', config.STATEMENT_TIMEOUT_MS, 'REQUEST_DEADLINE_MS', config),
  ];
  // In development there is no load balancer or orchestrator.
  if (config.NODE_ENV === 'production') {
    faults.push(
      fault(
        `POOL_ACQUIRE_TIMEOUT_MS + REQUEST_DEADLINE_MS + ${FIND_OUTCOME_WITHIN_MS} to look up a COMMIT without an answer`,
        POOL_ACQUIRE_TIMEOUT_MS + REQUEST_DEADLINE_MS + FIND_OUTCOME_WITHIN_MS,
        'LOAD_BALANCER_TIMEOUT_MS',
        config,
      ),
      fault(
        `DRAIN_DELAY_MS + SHUTDOWN_TIMEOUT_MS + ${CLOSE_WITHIN_MS} to close connections`,
        DRAIN_DELAY_MS + SHUTDOWN_TIMEOUT_MS + CLOSE_WITHIN_MS,
        'STOP_GRACE_PERIOD_MS',
        config,
      ),
    );
  }
  return faults.filter((found) => found !== undefined);
}

type Outer = 'STATEMENT_TIMEOUT_MS' | 'REQUEST_DEADLINE_MS' | 'LOAD_BALANCER_TIMEOUT_MS' | 'STOP_GRACE_PERIOD_MS';

const CONSEQUENCES: Readonly<Record<Outer, string>> = {
  STATEMENT_TIMEOUT_MS: 'a write that waits for another one would end as a slow statement',
  REQUEST_DEADLINE_MS: 'a slow statement would cost its connection',
  LOAD_BALANCER_TIMEOUT_MS: 'the load balancer would answer first, without knowing the outcome',
  STOP_GRACE_PERIOD_MS: 'running requests would be cut off',
};

function fault(inner: string, innerMs: number, outer: Outer, { [outer]: outerMs }: Config): string | undefined {
  if (innerMs < outerMs) return undefined;
  return `${inner} (${innerMs}) must be less than ${outer} (${outerMs}), or ${CONSEQUENCES[outer]}`;
}
