import { ConfigError, readConfig } from '../../../src/config/config.js';

/** The faults that a configuration is refused for; none when it is accepted. */
export function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
