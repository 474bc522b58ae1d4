import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { CONFIG, type Config } from '../config/config.js';
import { sessionTimeouts } from '../database/data-source.js';
import { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';

/** A connection outside the request pool, so that numbering continues while the pool is busy. */
@Injectable()
export class EventsConnection {
  private readonly pool: Pool;
  private readonly prepares: boolean;

  constructor(database: Database, @Inject(CONFIG) config: Config) {
    this.prepares = config.PREPARED_STATEMENTS === 'on';
    this.pool = database.separatePool('waybill-events', {
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
