import { existsSync } from 'node:fs';
import { readTexts } from '../validation/fields-of.js';
import { ConfigError, type Config } from './config.js';
import { crossChecks } from './cross-checks.js';
import { Environment, VARIABLES } from './environment.js';
import { faultsInFiles, readNamedFile, temporaryFolderFaults } from './faults-in-files.js';

/** The value of DATABASE_URL that stands for the embedded PostgreSQL. */
const EMBEDDED = 'embedded';

/** Variables of earlier versions that would be missed: without them, a port that served HTTPS serves plain HTTP. */
const REMOVED = {
  TLS_CERT_FILE: 'terminate TLS at the load balancer',
  TLS_KEY_FILE: 'terminate TLS at the load balancer',
};

/** Reads the whole environment, or throws a ConfigError that lists every fault, including those that the caller found elsewhere. */
export function readConfig(
  environment: Record<string, string | undefined>,
  faultsElsewhere: readonly string[] = [],
): Config {
  const complete = { ...environment };
  const faults = new Map<string, string>();
  let isEmbedded = false;
  try {
    complete['DATABASE_URL'] = databaseUrl(environment);
    isEmbedded = complete['DATABASE_URL'] === EMBEDDED;
    if (isEmbedded) complete['DATABASE_URL'] = undefined;
  } catch (error) {
    faults.set('DATABASE_URL_FILE', (error as Error).message);
  }
  for (const [name, instead] of Object.entries(REMOVED)) {
    if ((environment[name] ?? '') !== '') faults.set(name, `${name} is no longer supported: ${instead}`);
  }
  const { values, broken } = readTexts(Environment, written(complete));
  for (const { field, message } of broken) {
    const demand = field.isList ? `is a comma-separated list; each item ${message}` : message;
    faults.set(field.name, `${field.name} ${demand}${received(field.name, complete[field.name] ?? '')}`);
  }
  const config: Config = { ...values, ...derivedDefaults(values), isEmbedded };
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

export function processEnvironment(): Record<string, string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** DATABASE_URL, or the content of the file that DATABASE_URL_FILE names: containers mount secrets as files. */
function databaseUrl({ DATABASE_URL: url, DATABASE_URL_FILE: file = '' }: Record<string, string | undefined>) {
  if (file === '') return url;
  if (url !== undefined && url !== '') throw new Error('DATABASE_URL and DATABASE_URL_FILE must not both be set');
  const content = readNamedFile('DATABASE_URL_FILE', file)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (content === '') throw new Error(`DATABASE_URL_FILE names an empty file: ${file}`);
  return content;
}

function derivedDefaults({ NODE_ENV, AUTH_MODE, HOST, DRAIN_DELAY_MS }: Environment) {
  const isProduction = NODE_ENV === 'production';
  const isOpen = AUTH_MODE === undefined || AUTH_MODE.includes('off');
  return {
    isOpen,
    // Without authentication, only local clients may connect by default.
    HOST: HOST ?? (isProduction || !isOpen ? '0.0.0.0' : '127.0.0.1'),
    // In development there is no load balancer to drain, and Ctrl-C should stop the service at once.
    DRAIN_DELAY_MS: DRAIN_DELAY_MS ?? (isProduction ? 5000 : 0),
  };
}

/** The variables that have a value; an empty variable counts as unset. */
function written(environment: Record<string, string | undefined>): Record<string, string> {
  const pairs = VARIABLES.map((name) => [name, environment[name] ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

/** Faults are logged, so omit passwords. */
function received(name: string, text: string): string {
  return name === 'DATABASE_URL' ? '' : `, but is "${text.replace(/\/\/.*@/, '//***@')}"`;
}
