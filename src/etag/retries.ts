import { setTimeout as sleep } from 'node:timers/promises';
import { SERIALIZATION_FAILURE } from '../problem/database-problem.js';

/** PostgreSQL broke a deadlock, or could not serialize: the transaction as a whole may succeed when it is tried again. */
const TRANSIENT = ['40P01', SERIALIZATION_FAILURE];
const MOST_RETRIES = 3;
const LONGEST_FIRST_PAUSE_MS = 20;

/**
 * Runs a transaction, and runs it again up to three times when PostgreSQL gave it up for the sake of another. That is safe
 * because nothing of a given-up transaction remains. The pauses are random, so that two that collided do not meet again.
 */
export async function retryTransient<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await run();
    } catch (error) {
      if (retry === MOST_RETRIES || !isTransient(error)) throw error;
      await sleep(Math.random() * LONGEST_FIRST_PAUSE_MS * 2 ** retry);
    }
  }
}

function isTransient(error: unknown): boolean {
  return TRANSIENT.includes((error as { code?: string }).code ?? '');
}
