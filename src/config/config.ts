import { existsSync } from 'node:fs';
import { readTexts } from '../validation/read-texts.js';
import { derivedDefaults, type DerivedDefaults } from './derived-defaults.js';
import { Environment, VARIABLES } from './environment.js';
import { faultsInFiles } from './faults-in-files.js';
import { crossChecks } from './cross-checks.js';
import { isSecret, withSecretsFromFiles } from './secrets.js';
import { StartFailure } from './start-failure.js';
import { temporaryFolderFaults } from './temporary-folder.js';

export type Config = Readonly<Omit<Environment, keyof DerivedDefaults>> & DerivedDefaults;

export class ConfigError extends StartFailure {
  constructor(readonly faults: readonly string[]) {
    super(`The configuration is invalid:\n${faults.map((f) => `  - ${f}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads the whole environment, or throws a ConfigError that lists every fault, including those that the caller found elsewhere. */
export function readConfig(
  environment: Record<string, string | undefined>,
  faultsElsewhere: readonly string[] = [],
): Config {
  const { complete, faults } = withSecretsFromFiles(environment);
  const { values, broken } = readTexts(Environment, written(complete));
  for (const { field, message } of broken) {
    const demand = field.list === undefined ? message : `is a comma-separated list; each item ${message}`;
    faults.set(field.name, `${field.name} ${demand}${received(field.name, complete[field.name] ?? '')}`);
  }
  const config: Config = { ...values, ...derivedDefaults(values) };
  // Skip faults about variables that are reported already.
  const others = [...crossChecks(config), ...faultsInFiles(config)].filter((fault) => {
    return !fault.match(/\b[A-Z_]+\b/g)?.some((name) => faults.has(name));
  });
  const all = [...faults.values(), ...others, ...faultsElsewhere];
  if (all.length > 0) throw new ConfigError(all);
  return config;
}

/** The configuration of the service, from its environment and the file .env, if present. */
export function readProcessConfig(): Config {
  return readConfig(processEnvironment(), temporaryFolderFaults());
}

/** What operators' commands read. They serve nobody, so they need no AUTH_MODE, and faults elsewhere do not stop them. */
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

function processEnvironment(): Record<string, string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** The variables that have a value; an empty variable counts as unset. */
function written(environment: Record<string, string | undefined>): Record<string, string> {
  const pairs = VARIABLES.map((name) => [name, environment[name] ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

/** Faults are logged, so omit secrets and passwords in URLs. */
function received(name: string, text: string): string {
  return isSecret(name) ? '' : `, but is "${text.replace(/\/\/.*@/, '//***@')}"`;
}
