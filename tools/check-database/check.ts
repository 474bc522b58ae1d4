import type { Sessions } from './sessions.js';

/** One thing that the service needs of a database, tried in two sessions. */
export interface Check {
  readonly name: string;
  /** What it means that the database does not have it. */
  readonly without: string;
  /** A failure counts as no. */
  run(sessions: Sessions): Promise<boolean>;
}
