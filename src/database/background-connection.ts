import type { Pool } from 'pg';
import type { Config } from '../config/config.js';
import { sessionTimeouts } from './data-source.js';
import type { Database } from './database.js';
import type { Statement } from './statement.js';

/** One connection outside the request pool, for work that must neither wait for requests nor for other work of its kind. */
export class BackgroundConnection {
  private readonly pool: Pool;
  private readonly prepares: boolean;

  constructor(name: string, database: Database, config: Config) {
    this.prepares = config.PREPARED_STATEMENTS === 'on';
    this.pool = database.separatePool(name, {
      max: 1,
      // A smart shutdown of PostgreSQL waits for clients to disconnect, and this one is never idle for long.
      maxLifetimeSeconds: 10,
      query_timeout: config.STATEMENT_TIMEOUT_MS,
      ...(config.DATABASE_POOLER === 'none' && sessionTimeouts(config)),
    });
  }

  async query<Row extends object>({ name, text }: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.pool.query<Row>({
      ...(this.prepares && name !== undefined && { name }),
      text,
      values: [...values],
    });
    return rows;
  }
}
