import 'reflect-metadata';
import { FolderInUse } from '@waybill/embedded-postgres';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../src/open-database.js';
import { readCommandLine } from '../../src/config/command-line.js';
import type { Config } from '../../src/config/config.js';
import { readToolConfig } from '../tool-config.js';
import { StartFailure } from '../../src/config/start-failure.js';
import { explainFailure } from '../../src/database/explain-failure.js';
import { findPostgres } from '../../src/database/postgres.js';
import { violatedConstraint } from '../../src/problem/database-problem.js';
import { OPTIONS, readOptions, USAGE, UsageError, type Options } from './options.js';
import { seedDatabase, type RecordCounts } from './seed-database.js';
import { SHIPMENT_TYPES } from './vocabulary.js';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, { options: OPTIONS });
  const options = readOptions(values, Date.now());
  const config = readToolConfig();
  if (process.env['NODE_ENV'] === 'production') {
    throw new StartFailure(
      'Nothing was created: NODE_ENV is production, and generated records would stay in the history for ever.',
    );
  }
  const postgres = await findPostgres(config, say);
  try {
    await seed(config, postgres.url, options);
  } finally {
    await postgres.stop();
  }
}

async function seed(config: Config, url: string, options: Options): Promise<void> {
  const { dataSource, url: reachedUrl } = await openDatabase(config, url, say);
  try {
    if (!options.intoExisting) await requireEmpty(dataSource);
    const began = performance.now();
    const shipmentTypes = config.SHIPMENT_TYPES ?? SHIPMENT_TYPES;
    const counts = await seedDatabase(reachedUrl, { ...options, shipmentTypes }, (line) =>
      process.stderr.write(`${line}\n`),
    );
    report(counts, options, (performance.now() - began) / 1000);
  } finally {
    await dataSource.destroy();
  }
}

/** History is append-only, so generated records and authors could never be removed from among real ones. */
async function requireEmpty(dataSource: DataSource): Promise<void> {
  const rows = await dataSource.query<object[]>('SELECT FROM moves LIMIT 1');
  if (rows.length === 0) return;
  throw new StartFailure(
    'Nothing was created: the database has moves already. Generated records and their authors stay in its history for ever; ' +
      'add --into-existing if you want that.',
  );
}

function report(counts: RecordCounts, { seed: number, week, until }: Options, seconds: number): void {
  const made = Object.entries(counts).map(([table, count]) => `${count} ${table}`);
  say(`Made ${made.join(', ')} in ${seconds.toFixed(1)} s.`);
  say(
    `To repeat this in an empty database: --seed ${number}${week ? ' --week' : ''} --until ${new Date(until).toISOString()}`,
  );
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof Error && error.cause instanceof FolderInUse) {
    return [
      `Nothing was created: ${error.cause.message}.`,
      'Stop the service, seed, and start it again. To seed while it runs, give both the same DATABASE_URL.',
    ].join('\n');
  }
  if (violatedConstraint(error)?.endsWith('_pkey') === true) {
    return 'Nothing was created: the database already has these records. Use another --seed to add more.';
  }
  return explainFailure(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
