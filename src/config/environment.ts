import { fieldsOf } from '../validation/fields-of.js';
import { OneOf, Text, WholeNumber } from '../validation/rules.js';
import {
  AnyText,
  BaseUrl,
  CommaList,
  DatabaseUrl,
  HeaderName,
  Milliseconds,
  Network,
  Origin,
  ProxyAddress,
  Segment,
  WebUrl,
} from './variables.js';

/** Asymmetric algorithms only: with a shared secret, anyone who can verify a token can also forge one. */
const SIGNATURE_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Every environment variable of the service, with its default. A spec compares it with `.env.example`. */
export class Environment {
  @OneOf(['development', 'production', 'test'])
  NODE_ENV: 'development' | 'production' | 'test' = 'development';

  @DatabaseUrl()
  DATABASE_URL: string | undefined;

  @AnyText()
  DATABASE_URL_FILE: string | undefined;

  @CommaList()
  @OneOf(['off', 'jwt', 'keys', 'proxy'])
  AUTH_MODE: readonly ('off' | 'jwt' | 'keys' | 'proxy')[] | undefined;

  @AnyText()
  JWT_ISSUER: string | undefined;

  @AnyText()
  JWT_AUDIENCE: string | undefined;

  @WebUrl()
  JWT_JWKS_URL: string | undefined;

  @AnyText()
  JWT_PUBLIC_KEY_FILE: string | undefined;

  @HeaderName()
  AUTH_PROXY_SUBJECT_HEADER: string | undefined;

  @WholeNumber(0, 65_535)
  PORT = 3000;

  @AnyText()
  HOST: string | undefined;

  @BaseUrl()
  PUBLIC_URL: string | undefined;

  @CommaList()
  @ProxyAddress()
  TRUSTED_PROXIES: readonly string[] | undefined;

  @Milliseconds()
  LOAD_BALANCER_TIMEOUT_MS = 30_000;

  @Milliseconds()
  STOP_GRACE_PERIOD_MS = 30_000;

  @CommaList()
  @Origin()
  CORS_ORIGINS: readonly string[] | undefined;

  @WholeNumber(0, 65_535)
  MANAGEMENT_PORT: number | undefined;

  @AnyText()
  DATA_DIR = '.data';

  @AnyText()
  DATABASE_CA_FILE: string | undefined;

  @OneOf(['on', 'off'])
  MIGRATE_ON_START: 'on' | 'off' = 'on';

  @Text(63)
  SERVICE_ROLE: string | undefined;

  @WholeNumber(1, 1000)
  POOL_SIZE = 10;

  @Segment()
  API_PREFIX = 'prime';

  @CommaList()
  @Text(64)
  SHIPMENT_TYPES: readonly string[] | undefined;

  @WholeNumber(0, 1_000_000)
  RATE_LIMIT = 0;

  @CommaList()
  @Network()
  WEBHOOK_ALLOWED_NETWORKS: readonly string[] | undefined;

  @AnyText()
  JWT_NAME_CLAIM: string | undefined;

  @AnyText()
  JWT_SCOPES_CLAIM: string | undefined;

  @AnyText()
  CONSOLE_CLIENT_ID: string | undefined;

  @HeaderName()
  AUTH_PROXY_NAME_HEADER: string | undefined;

  @HeaderName()
  AUTH_PROXY_SCOPES_HEADER: string | undefined;

  @OneOf(['silent', 'error', 'warn', 'info', 'debug'])
  LOG_LEVEL: 'silent' | 'error' | 'warn' | 'info' | 'debug' = 'info';

  @WebUrl()
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;

  @OneOf(['none', 'transaction'])
  DATABASE_POOLER: 'none' | 'transaction' = 'none';

  @OneOf(['on', 'off'])
  PREPARED_STATEMENTS: 'on' | 'off' = 'on';

  @Milliseconds()
  LOCK_TIMEOUT_MS = 5000;

  @Milliseconds()
  STATEMENT_TIMEOUT_MS = 10_000;

  @Milliseconds()
  REQUEST_DEADLINE_MS = 15_000;

  @Milliseconds()
  POOL_ACQUIRE_TIMEOUT_MS = 5000;

  @Milliseconds()
  IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

  @Milliseconds(0)
  DRAIN_DELAY_MS: number | undefined;

  @Milliseconds()
  SHUTDOWN_TIMEOUT_MS = 20_000;

  @Milliseconds()
  KEEP_ALIVE_TIMEOUT_MS = 75_000;

  @Milliseconds()
  REQUEST_TIMEOUT_MS = 30_000;

  @Milliseconds()
  WRITE_TIMEOUT_MS = 30_000;

  @WholeNumber(1024, 16_777_216)
  BODY_LIMIT_BYTES = 65_536;

  @WholeNumber(1024, 1_000_000_000_000)
  IDEMPOTENCY_BYTES_PER_CALLER = 268_435_456;

  @OneOf(['on', 'off'])
  WEBHOOKS: 'on' | 'off' = 'on';

  @WholeNumber(1, 100_000)
  WEBHOOKS_PER_CALLER = 100;

  @CommaList()
  @OneOf(SIGNATURE_ALGORITHMS)
  JWT_ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];

  @WholeNumber(0, 300)
  JWT_LEEWAY_SECONDS = 5;

  @AnyText()
  CONSOLE_SIGN_IN_PARAMETERS: string | undefined;
}

export const VARIABLES: readonly string[] = fieldsOf(Environment).map(({ name }) => name);
