import type { Client } from 'pg';
import { pino, type Logger } from 'pino';
import { createApp, type App } from '../../../src/app.setup.js';
import { openDatabase } from '../../../src/open-database.js';
import { readConfig } from '../../../src/config/read-config.js';
import { ApiDocument } from '../../../src/openapi/api-document.js';
import { validationGaps } from '../../../src/problem/database-problem.js';
import { Api } from '../http/api.js';
import { Conformance } from '../records/conformance.js';
import { connect, createTestDatabase, POOLER_ENVIRONMENT } from '../database/test-database.js';
import { timeoutsWithin } from './timeouts.js';

/** The real service with its own port and database. */
export interface TestService {
  readonly app: App;
  readonly url: string;
  readonly port: number;
  readonly api: Api;
  /** A separate connection to inspect the database. */
  readonly sql: Client;
  readonly databaseUrl: string;
  /** Another such connection; the caller ends it. */
  connect(): Promise<Client>;
  stop(): Promise<void>;
}

/**
 * The pool has one connection by default, so that a request that needs a second one hangs in its test and not in production. Timeouts are
 * long enough for any machine: a spec about a timeout sets it.
 */
const DEFAULTS = {
  NODE_ENV: 'test',
  POOL_SIZE: '1',
  // Its search for deliveries would be counted among the statements of requests.
  WEBHOOKS: 'off',
  POOL_ACQUIRE_TIMEOUT_MS: '60000',
  ...timeoutsWithin(60_000),
  IDLE_IN_TRANSACTION_TIMEOUT_MS: '60000',
};

/** The service on a database that is there already, which the caller closes. */
export async function startApp(
  environment: Record<string, string>,
  databaseUrl: string,
  logger: Logger = pino({ level: 'silent' }),
): Promise<{ app: App; url: string }> {
  const config = readConfig({ NODE_ENV: 'test', ...environment });
  const app = await createApp(config, await openDatabase(config, databaseUrl), logger);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}

export async function startService(
  environment: Record<string, string> = {},
  /** Connects to the database through something other than the pooler or the server. */
  wayTo?: (databaseUrl: string) => string,
): Promise<TestService> {
  const database = await createTestDatabase();
  const settings = { ...DEFAULTS, ...(wayTo === undefined && POOLER_ENVIRONMENT), ...environment };
  const { app, url } = await startApp(settings, wayTo?.(database.url) ?? database.serviceUrl);
  const sql = await connect(database.url);
  return {
    app,
    url,
    port: Number(new URL(url).port),
    api: new Api(
      url,
      Conformance.ofService(environment, () => app.get(ApiDocument).document),
    ),
    sql,
    databaseUrl: database.url,
    connect: () => connect(database.url),
    stop: async () => {
      await sql.end();
      // fetch opens a connection in place of one that it gave up, and the server would wait a minute for its first request.
      const closing = setInterval(() => app.getHttpServer().closeAllConnections(), 100);
      await app.close();
      clearInterval(closing);
      await database.drop();
      // Validation must reject invalid input before the database does.
      expect([...validationGaps]).toEqual([]);
    },
  };
}

/** Starts the service before the tests of a spec and stops it after them. */
export function useService(environment?: Record<string, string>): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await startService(environment));
  });
  afterAll(() => service.stop());
  return service;
}
