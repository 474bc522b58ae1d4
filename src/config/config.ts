import { derivedDefaults, type DerivedDefaults } from './derived-defaults.js';
import { faultsInFiles } from './faults-in-files.js';
import { faultsTogether } from './faults-together.js';
import { isSecret, withSecretsFromFiles } from './secrets.js';
import { StartFailure } from './start-failure.js';
import {
  baseUrl,
  choice,
  choices,
  databaseUrl,
  list,
  milliseconds,
  optional,
  origins,
  proxies,
  segment,
  text,
  webUrl,
  wholeNumber,
  type Variable,
} from './variables.js';

/** Signatures by a private key only: with a shared secret, who can check a token can also make one. */
const SIGNATURE_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

/** Every environment variable the service reads. `.env.example` is tested to list the same names and defaults. */
export const VARIABLES = {
  NODE_ENV: choice(['development', 'production', 'test'], 'development'),
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: optional(text('')),
  PUBLIC_URL: optional(baseUrl()),
  API_PREFIX: segment('prime'),
  SHIPMENT_TYPES: optional(list(64)),
  DATABASE_URL: optional(databaseUrl()),
  DATABASE_URL_FILE: optional(text('')),
  DATA_DIR: text('.data'),
  MIGRATE_ON_START: choice(['on', 'off'], 'on'),
  DATABASE_POOLER: choice(['none', 'transaction'], 'none'),
  PREPARED_STATEMENTS: choice(['on', 'off'], 'on'),
  POOL_SIZE: wholeNumber(1, 1000, 10),
  POOL_ACQUIRE_TIMEOUT_MS: milliseconds(5000),
  STATEMENT_TIMEOUT_MS: milliseconds(10_000),
  LOCK_TIMEOUT_MS: milliseconds(5000),
  IDLE_IN_TRANSACTION_TIMEOUT_MS: milliseconds(10_000),
  REQUEST_DEADLINE_MS: milliseconds(15_000),
  HEADERS_TIMEOUT_MS: milliseconds(10_000),
  REQUEST_TIMEOUT_MS: milliseconds(30_000),
  WRITE_TIMEOUT_MS: milliseconds(30_000),
  BODY_LIMIT_BYTES: wholeNumber(1024, 16_777_216, 65_536),
  URL_LIMIT_BYTES: wholeNumber(256, 16_384, 8192),
  RATE_LIMIT: wholeNumber(0, 1_000_000, 0),
  IDEMPOTENCY_KEYS_PER_CALLER: wholeNumber(1, 10_000_000, 100_000),
  AUTH_MODE: optional(choice(['off', 'jwt'], 'off')),
  JWT_ISSUER: optional(text('')),
  JWT_AUDIENCE: optional(text('')),
  JWT_ALGORITHMS: choices(SIGNATURE_ALGORITHMS, ['RS256', 'PS256', 'ES256', 'EdDSA']),
  JWT_JWKS_URL: optional(webUrl()),
  JWT_PUBLIC_KEY_FILE: optional(text('')),
  JWT_LEEWAY_SECONDS: wholeNumber(0, 300, 5),
  LOG_LEVEL: choice(['silent', 'error', 'warn', 'info', 'debug'], 'info'),
  MANAGEMENT_PORT: optional(wholeNumber(0, 65_535, 0)),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(75_000),
  DRAIN_DELAY_MS: optional(milliseconds(0, 0)),
  SHUTDOWN_TIMEOUT_MS: milliseconds(20_000),
  CORS_ORIGINS: optional(origins()),
  TRUSTED_PROXIES: optional(proxies()),
  TLS_CERT_FILE: optional(text('')),
  TLS_KEY_FILE: optional(text('')),
} satisfies Record<string, Variable<unknown>>;

/** The variables as they were written, with the defaults that depend on nothing else. */
export type WrittenConfig = {
  readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends Variable<infer Value> ? Value : never;
};

export type Config = Omit<WrittenConfig, keyof DerivedDefaults> & DerivedDefaults;

export class ConfigError extends StartFailure {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : 'faults'}:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** Reads the whole environment or throws a ConfigError that names every fault at once. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  const { complete, faults } = withSecretsFromFiles(environment);
  for (const [name, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const written = complete[name];
    values[name] = variable.default;
    if (written === undefined || written === '') continue;
    try {
      values[name] = variable.parse(written);
    } catch (error) {
      faults.set(name, `${name} ${(error as Error).message}${shown(name, written)}`);
    }
  }
  const config: Config = { ...(values as WrittenConfig), ...derivedDefaults(values as WrittenConfig) };
  // What is said about a variable that is faulty by itself would only repeat that.
  const others = [...faultsTogether(config), ...faultsInFiles(config)].filter((fault) => {
    return !fault.match(/\b[A-Z_]+\b/g)?.some((name) => faults.has(name));
  });
  const all = [...faults.values(), ...others];
  if (all.length > 0) throw new ConfigError(all);
  return config;
}

/** Faults end up in logs, so a secret is never repeated, nor is a password in any other URL. */
function shown(name: string, written: string): string {
  return isSecret(name) ? '' : `, but is "${written.replace(/\/\/.*@/, '//***@')}"`;
}
