import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Database } from '../database/database.js';
import { primaryOnly } from '../database/new-connection.js';
import { isReadOnly } from '../database/primary-connections.js';

const ANSWER_WITHIN_MS = 1000;
const UNDEFINED_TABLE = '42P01';
const LACKS_MIGRATIONS = 'The database lacks migrations that this version needs.';

/** Checks the database on a separate connection, so that health checks work while the pool is exhausted. */
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
      ...primaryOnly(ANSWER_WITHIN_MS),
    });
    this.pool.on('error', () => undefined);
  }

  /** Why the database cannot serve requests; undefined if it can. */
  async fault(): Promise<string | undefined> {
    try {
      const { rows } = await this.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM migrations');
      const done = rows[0]?.count ?? 0;
      return done >= this.migrations ? undefined : LACKS_MIGRATIONS;
    } catch (error) {
      if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return LACKS_MIGRATIONS;
      if (isReadOnly(error)) return 'The database is a standby, which is read-only.';
      return 'The database is unavailable.';
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
