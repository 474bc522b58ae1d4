import { ConfigError } from '../../../src/config/config.js';
import { readConfig } from '../../../src/config/read-config.js';

/** The errors of a configuration; empty if it is valid. */
export function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
