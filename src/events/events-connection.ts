import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { CONFIG, type Config } from '../config/config.js';
import { sessionTimeouts } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { primaryOnly } from '../database/primary-connections.js';
import type { Statement } from '../database/statement.js';

/** A connection outside the request pool, so that numbering continues while the pool is busy. */
@Injectable()
export class EventsConnection implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly prepares: boolean;

  constructor({ url }: Database, @Inject(CONFIG) config: Config) {
    this.prepares = config.PREPARED_STATEMENTS === 'on';
    this.pool = new Pool({
      connectionString: url,
      max: 1,
      // A smart shutdown of PostgreSQL waits for clients to disconnect, and this one is never idle for long.
      maxLifetimeSeconds: 10,
      connectionTimeoutMillis: config.POOL_ACQUIRE_TIMEOUT_MS,
      query_timeout: config.STATEMENT_TIMEOUT_MS,
      application_name: 'waybill-events',
      keepAlive: true,
      ...primaryOnly(config.POOL_ACQUIRE_TIMEOUT_MS),
      ...(config.DATABASE_POOLER === 'none' && sessionTimeouts(config)),
    });
    this.pool.on('error', () => undefined);
  }

  async query<Row extends object>({ name, text }: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.pool.query<Row>({
      ...(this.prepares && name !== undefined && { name }),
      text,
      values: [...values],
    });
    return rows;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
