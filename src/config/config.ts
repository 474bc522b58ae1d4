import type { Environment } from './environment.js';
import { StartFailure } from './start-failure.js';

/** The defaults of HOST and DRAIN_DELAY_MS depend on other variables. */
export type Config = Readonly<Environment> & {
  readonly HOST: string;
  readonly DRAIN_DELAY_MS: number;
  /** Whether DATABASE_URL asks for the embedded PostgreSQL, instead of being lost. */
  readonly isEmbedded: boolean;
  /** Whether callers need no credentials and may do everything. */
  readonly isOpen: boolean;
};

export const CONFIG = Symbol('CONFIG');

export class ConfigError extends StartFailure {
  constructor(readonly faults: readonly string[]) {
    super(`The configuration is invalid:\n${faults.map((f) => `  - ${f}`).join('\n')}`);
  }
}
