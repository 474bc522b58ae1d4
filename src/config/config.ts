import { choice, list, milliseconds, optional, segment, text, url, wholeNumber, type Variable } from './variables.js';

/** Every environment variable the service reads. `.env.example` is tested to list the same names and defaults. */
export const VARIABLES = {
  NODE_ENV: choice(['development', 'production', 'test'], 'development'),
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: text('0.0.0.0'),
  PUBLIC_URL: optional(url(['http:', 'https:'])),
  API_PREFIX: segment('prime'),
  SHIPMENT_TYPES: optional(list(64)),
  DATABASE_URL: optional(url(['postgres:', 'postgresql:'])),
  DATA_DIR: text('.data'),
  POOL_SIZE: wholeNumber(1, 1000, 10),
  POOL_ACQUIRE_TIMEOUT_MS: milliseconds(5000),
  STATEMENT_TIMEOUT_MS: milliseconds(10_000),
  LOCK_TIMEOUT_MS: milliseconds(5000),
  IDLE_IN_TRANSACTION_TIMEOUT_MS: milliseconds(10_000),
  HEADERS_TIMEOUT_MS: milliseconds(10_000),
  REQUEST_TIMEOUT_MS: milliseconds(30_000),
  BODY_LIMIT_BYTES: wholeNumber(1024, 16_777_216, 65_536),
} satisfies Record<string, Variable<unknown>>;

export type Config = {
  readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends Variable<infer Value> ? Value : never;
};

export class ConfigError extends Error {
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
  const faults: string[] = [];
  for (const [name, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const written = environment[name];
    if (written === undefined || written === '') {
      values[name] = variable.default;
      continue;
    }
    try {
      values[name] = variable.parse(written);
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}, but is "${written}"`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return values as Config;
}
