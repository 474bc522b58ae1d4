import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../src/open-database.js';
import { readCommandLine } from '../../src/config/command-line.js';
import { readToolConfig } from '../tool-config.js';
import { StartFailure } from '../../src/config/start-failure.js';
import { explainFailure } from '../../src/database/explain-failure.js';
import { findPostgres } from '../../src/database/postgres.js';
import { grantServiceRights } from './grant-rights.js';
import { OWN_TABLES } from '../../src/model/resources.js';

const USAGE = `Migrates the schema of the database at DATABASE_URL. Run it as the owner of the database.

  npm run migrate

With SERVICE_ROLE, it also gives that role the rights that the service needs, and takes away all others.`;

/** For deployments whose service may not change the schema itself. */
async function main(): Promise<void> {
  readCommandLine(USAGE, {});
  const config = readToolConfig();
  if (config.DATABASE_URL === undefined) throw new StartFailure('DATABASE_URL must name the database to migrate');
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const { url } = await findPostgres(config, say);
  const { dataSource } = await openDatabase({ ...config, MIGRATE_ON_START: 'on' }, url, say);
  try {
    say('The schema is up to date');
    if (config.SERVICE_ROLE !== undefined) {
      await grant(dataSource, config.SERVICE_ROLE);
      say(`The role ${config.SERVICE_ROLE} has the rights that the service needs`);
    }
  } finally {
    await dataSource.destroy();
  }
}

async function grant(dataSource: DataSource, role: string): Promise<void> {
  try {
    await dataSource.query(grantServiceRights(role, OWN_TABLES));
  } catch (error) {
    const { message, driverError } = error as { message: string; driverError?: { hint?: string } };
    const hint = driverError?.hint ?? 'Create the role first, and migrate as the owner of the database.';
    throw new StartFailure(`SERVICE_ROLE=${role} did not get its rights: ${message}. ${hint}`, { cause: error });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
});
