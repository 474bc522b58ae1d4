import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Database } from '../database/database.js';

const ANSWER_WITHIN_MS = 1000;

/** Checks the database on a connection of its own, so that health checks work while the pool is exhausted. */
@Injectable()
export class DatabaseProbe implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly migrations: number;

  constructor({ dataSource, url }: Database) {
    this.migrations = dataSource.migrations.length;
    this.pool = new Pool({
      connectionString: url,
      max: 1,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      application_name: 'waybill-health',
      pipeline: true,
    });
    this.pool.on('error', () => undefined);
  }

  /** What keeps the database from serving; undefined when nothing does. */
  async fault(): Promise<string | undefined> {
    try {
      const { rows } = await this.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM migrations');
      const done = rows[0]?.count ?? 0;
      return done >= this.migrations ? undefined : 'The database lacks migrations that this version needs.';
    } catch {
      return 'The database does not answer.';
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
