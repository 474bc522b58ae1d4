import { TypeORMError, type DataSource } from 'typeorm';
import type { Config } from './config/config.js';
import { StartFailure } from './config/start-failure.js';
import { connectionFailure } from './database/connection-failure.js';
import { dataSourceOf } from './database/data-source.js';
import { Database } from './database/database.js';
import { migrate } from './database/migrate.js';
import { negotiateTls } from './database/negotiate-tls.js';
import { namedStatement } from './database/statement.js';
import { ENTITIES } from './model/resources.js';

/** Connects and migrates, unless MIGRATE_ON_START is off; readiness then waits for the schema to be up to date. */
export async function openDatabase(config: Config, url: string, say?: (line: string) => void): Promise<Database> {
  const explain = (error: unknown): never => {
    if (config.DATABASE_URL === undefined || error instanceof TypeORMError) throw error;
    throw connectionFailure(url, error);
  };
  const reachedUrl = await negotiateTls(url, config.POOL_ACQUIRE_TIMEOUT_MS).catch(explain);
  const dataSource = await dataSourceOf(config, reachedUrl, ENTITIES).initialize().catch(explain);
  try {
    await requireUtf8(dataSource);
    if (config.MIGRATE_ON_START === 'on') {
      for (const name of await migrate(dataSource, reachedUrl, config.DATABASE_POOLER !== 'none'))
        say?.(`Migrated: ${name}`);
    }
  } catch (error) {
    await dataSource.destroy().catch(() => undefined);
    throw error;
  }
  return new Database(dataSource, reachedUrl, config);
}

const ENCODING = namedStatement('server_encoding')`SELECT current_setting('server_encoding') AS encoding`;

/** Rejects a database whose encoding cannot store every Unicode character. */
async function requireUtf8(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<[{ encoding: string }]>(ENCODING.text);
  if (row.encoding === 'UTF8') return;
  throw new StartFailure(
    `The database in DATABASE_URL has the encoding ${row.encoding}. Create it with ENCODING 'UTF8', because the service stores Unicode text.`,
  );
}
