import 'reflect-metadata';
import { openDatabase } from '../../src/open-database.js';
import { readCommandLine } from '../../src/config/command-line.js';
import { readProcessConfig, type Config } from '../../src/config/config.js';
import { StartFailure } from '../../src/config/start-failure.js';
import { explainFailure } from '../../src/database/explain-failure.js';
import { findPostgres } from '../../src/database/postgres.js';

const USAGE = `Migrates the schema of the database at DATABASE_URL.

  npm run migrate`;

/** For deployments whose service may not change the schema itself. */
async function main(): Promise<void> {
  readCommandLine(USAGE, {});
  const config: Config = { ...readProcessConfig({ AUTH_MODE: 'off' }), MIGRATE_ON_START: 'on' };
  if (config.DATABASE_URL === undefined) throw new StartFailure('DATABASE_URL must name the database to migrate');
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const { url } = await findPostgres(config, say);
  const { dataSource } = await openDatabase(config, url, say);
  await dataSource.destroy();
  say('The schema is up to date');
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
});
