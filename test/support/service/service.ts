import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { pino } from 'pino';
import { createApp, type App } from '../../../src/app.setup.js';
import { openDatabase } from '../../../src/open-database.js';
import { readConfig } from '../../../src/config/config.js';
import { ApiDocument } from '../../../src/openapi/api-document.js';
import { validationGaps } from '../../../src/problem/validation-gaps.js';
import { Api } from '../http/api.js';
import { Conformance } from '../records/conformance.js';
import { createTestDatabase, POOLER_ENVIRONMENT } from '../database/test-database.js';

/** The real service on a real port and a database of its own. */
export interface TestService {
  readonly app: App;
  readonly url: string;
  readonly port: number;
  readonly api: Api;
  /** A connection beside the service's own pool, to look at what it stored. */
  readonly sql: Client;
  readonly databaseUrl: string;
  /** Another such connection; who asks for it ends it. */
  connect(): Promise<Client>;
  stop(): Promise<void>;
}

/**
 * A pool of one by default, so that a request that needs a second connection hangs in its test and not in production. Time limits
 * are longer than any machine takes: a spec that is about one of them sets it.
 */
const DEFAULTS = {
  NODE_ENV: 'test',
  POOL_SIZE: '1',
  LOG_LEVEL: 'silent',
  POOL_ACQUIRE_TIMEOUT_MS: '60000',
  LOCK_TIMEOUT_MS: '60000',
  STATEMENT_TIMEOUT_MS: '60000',
  IDLE_IN_TRANSACTION_TIMEOUT_MS: '60000',
  REQUEST_DEADLINE_MS: '60000',
};

export async function startService(
  environment: Record<string, string> = {},
  /** Reaches the database by another way than the pooler or the server itself. */
  wayTo?: (databaseUrl: string) => string,
): Promise<TestService> {
  const database = await createTestDatabase();
  const config = readConfig({ ...DEFAULTS, ...(wayTo === undefined && POOLER_ENVIRONMENT), ...environment });
  const url = wayTo?.(database.url) ?? database.serviceUrl;
  const app = await createApp(config, await openDatabase(config, url), pino({ level: config.LOG_LEVEL }));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const serviceUrl = `http://127.0.0.1:${port}`;
  const connect = async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    return client;
  };
  const sql = await connect();
  return {
    app,
    url: serviceUrl,
    port,
    api: new Api(serviceUrl, Conformance.of(app.get(ApiDocument).document)),
    sql,
    databaseUrl: database.url,
    connect,
    stop: async () => {
      await sql.end();
      await app.close();
      await database.drop();
      // Whatever a spec sends, validation must have refused it before the database had to.
      expect([...validationGaps()]).toEqual([]);
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
