import type { Config } from '../src/config/config.js';
import { processEnvironment, readConfig } from '../src/config/read-config.js';

/** The variables that operators' commands read. They serve no requests, so they need no AUTH_MODE, and other faults do not stop them. */
const TOOL_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'DATABASE_CA_FILE',
  'DATABASE_POOLER',
  'PREPARED_STATEMENTS',
  'POOL_ACQUIRE_TIMEOUT_MS',
  'DATA_DIR',
  'SERVICE_ROLE',
  'SHIPMENT_TYPES',
];

export function readToolConfig(): Config {
  const environment = processEnvironment();
  return readConfig(Object.fromEntries(TOOL_VARIABLES.map((name) => [name, environment[name]])));
}
