import { Client } from 'pg';
import { readToolConfig } from './tool-config.js';
import { StartFailure } from '../src/config/start-failure.js';
import { connectionFailure } from '../src/database/connection-failure.js';
import { negotiateTls } from '../src/database/negotiate-tls.js';
import { findPostgres } from '../src/database/postgres.js';

/**
 * Runs work on history over one connection to the database that DATABASE_URL names. Without it, there is no default: a command that has lost its
 * configuration would work on an empty database.
 */
export async function onDatabase<Result>(
  applicationName: string,
  say: (line: string) => void,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const config = readToolConfig();
  if (config.DATABASE_URL === undefined && !config.isEmbedded) {
    throw new StartFailure('DATABASE_URL must name the database: its URL, or embedded for the one in DATA_DIR');
  }
  const postgres = await findPostgres(config, say);
  try {
    const client = await connect(postgres.url, config.POOL_ACQUIRE_TIMEOUT_MS, applicationName);
    try {
      const { rows } = await client.query<{ name: string | null }>(`SELECT to_regclass('history') AS name`);
      if (rows[0]?.name == null) throw new Error('This database has no history yet: start the service with it once.');
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
  }
}

async function connect(url: string, timeoutMs: number, applicationName: string): Promise<Client> {
  try {
    const connectionString = await negotiateTls(url, timeoutMs);
    const client = new Client({ connectionString, application_name: applicationName });
    await client.connect();
    return client;
  } catch (error) {
    throw connectionFailure(url, error);
  }
}
