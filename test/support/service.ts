import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { Client } from 'pg';
import { ENTITIES } from '../../src/app.module.js';
import { createApp } from '../../src/app.setup.js';
import { readConfig } from '../../src/config/config.js';
import { dataSourceOf } from '../../src/database/data-source.js';
import { Api } from './api.js';
import { createTestDatabase } from './test-database.js';

/** The real service on a real port and a database of its own. */
export interface TestService {
  readonly app: INestApplication<Server>;
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

/** A pool of one by default, so that a request that needs a second connection hangs in its test and not in production. */
const DEFAULTS = { NODE_ENV: 'test', POOL_SIZE: '1' };

export async function startService(environment: Record<string, string> = {}): Promise<TestService> {
  const database = await createTestDatabase();
  const config = readConfig({ ...DEFAULTS, ...environment });
  const dataSource = await dataSourceOf(config, database.url, ENTITIES).initialize();
  const app = await createApp({ config, dataSource, logger: false });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const connect = async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    return client;
  };
  const sql = await connect();
  return {
    app,
    url,
    port,
    api: new Api(url),
    sql,
    databaseUrl: database.url,
    connect,
    stop: async () => {
      await sql.end();
      await app.close();
      await database.drop();
    },
  };
}
