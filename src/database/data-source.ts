import pg from 'pg';
import { DataSource, DefaultNamingStrategy, type DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from '../../migrations/migrations.js';
import type { Config } from '../config/config.js';
import { primaryOnly } from './primary-connections.js';

/** The connection pool, with timeouts that keep a slow or lost client from blocking others. */
export function dataSourceOf(config: Config, url: string, entities: readonly (new () => object)[]): DataSource {
  const options: DataSourceOptions = {
    type: 'postgres',
    // TypeORM would otherwise load its own copy of pg beside the bundled one, and its errors would not be instances of our DatabaseError.
    driver: pg,
    // An application_name in the URL would override the one below, which history uses to recognize the service.
    url: url.replace(/([?&])application_name=[^&]*&?/g, '$1'),
    entities: [...entities],
    migrations: MIGRATIONS,
    namingStrategy: new SnakeCaseNaming(),
    poolErrorHandler: () => undefined,
    extra: {
      max: config.POOL_SIZE,
      connectionTimeoutMillis: config.POOL_ACQUIRE_TIMEOUT_MS,
      ...primaryOnly(config.POOL_ACQUIRE_TIMEOUT_MS),
      // A transaction pooler shares connections between clients and rejects session settings.
      ...(config.DATABASE_POOLER === 'none' && { ...sessionTimeouts(config), options: PLANNED_ONCE }),
      application_name: 'waybill',
      keepAlive: true,
      // Pipelined statements, such as a write and its COMMIT, share a round trip.
      pipeline: true,
    },
  };
  return new DataSource(options);
}

/** moveID -> move_id, pickupAddress.streetAddress1 -> pickup_address_street_address1 */
class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(property: string, _: string | undefined, embeddedIn: string[]): string {
    const names = [...embeddedIn, property].map((name) => name.replace(/([a-z0-9])([A-Z]+)/g, '$1_$2').toLowerCase());
    return names.join('_');
  }
}

/**
 * Each statement has one plan that suits all values, so PostgreSQL plans it once per connection. By default it would replan a list
 * on every execution, because it underestimates LIMIT, and planning takes as long as the query.
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan';

/** Enforced by PostgreSQL, so they also apply after the service has died. */
export function sessionTimeouts(config: Config): Record<string, number> {
  return {
    statement_timeout: config.STATEMENT_TIMEOUT_MS,
    lock_timeout: config.LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: config.IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
}
