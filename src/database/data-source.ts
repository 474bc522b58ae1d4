import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from '../../migrations/migrations.js';
import type { Config } from '../config/config.js';
import { SnakeCaseNaming } from './naming-strategy.js';
import { primaryOnly } from './new-connection.js';

/** The connection pool with every limit that keeps one slow or lost client from holding up the others. */
export function dataSourceOf(config: Config, url: string, entities: readonly (new () => object)[]): DataSource {
  const options: DataSourceOptions = {
    type: 'postgres',
    // TypeORM would load a copy of its own, whose errors are no instances of our DatabaseError, beside the one in the build.
    driver: pg,
    // An application_name in the URL would override the one below, by which history recognizes the service.
    url: url.replace(/([?&])application_name=[^&]*&?/g, '$1'),
    entities: [...entities],
    migrations: MIGRATIONS,
    namingStrategy: new SnakeCaseNaming(),
    poolErrorHandler: () => undefined,
    extra: {
      max: config.POOL_SIZE,
      connectionTimeoutMillis: config.POOL_ACQUIRE_TIMEOUT_MS,
      ...primaryOnly(config.POOL_ACQUIRE_TIMEOUT_MS),
      // A pooler gives a connection to one transaction after another and refuses settings that would outlast one.
      ...(config.DATABASE_POOLER === 'none' && { ...sessionTimeouts(config), options: PLANNED_ONCE }),
      application_name: 'waybill',
      keepAlive: true,
      // Statements that are sent without waiting for each other, such as a change and its COMMIT, share a round trip.
      pipeline: true,
    },
  };
  return new DataSource(options);
}

/**
 * Every statement of the service has one plan that is right for all values, so it is made once per connection. PostgreSQL would
 * rather make another for each execution of a list, because it takes LIMIT for small, and that takes as long as the list itself.
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan';

/** PostgreSQL's own limits, which hold also when the service is gone. */
export function sessionTimeouts(config: Config): Record<string, number> {
  return {
    statement_timeout: config.STATEMENT_TIMEOUT_MS,
    lock_timeout: config.LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: config.IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
}
