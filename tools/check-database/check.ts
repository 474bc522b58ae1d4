import type { Sessions } from './sessions.js';

/** A database feature that the service requires, tested in two sessions. */
export interface Check {
  readonly name: string;
  /** The consequence if the feature is missing. */
  readonly without: string;
  /** An error counts as false. */
  run(sessions: Sessions): Promise<boolean>;
}
