import type { Sessions } from './sessions.js';

/** A database feature that the service requires, tested in two sessions. */
export interface Check {
  readonly name: string;
  /** The consequence if the feature is missing. */
  readonly without: string;
  /** An error counts as false. */
  run(sessions: Sessions): Promise<boolean>;
}

/** Why the check failed; undefined if it passed. */
export async function attempt(check: Check, sessions: Sessions): Promise<string | undefined> {
  try {
    return (await check.run(sessions)) ? undefined : 'Unexpected result.';
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    return `${code} ${message}`.trim();
  } finally {
    await sessions.rollBack();
  }
}
