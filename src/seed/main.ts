import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { openDatabase } from '../app.setup.js';
import { readConfig, type Config } from '../config/config.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../database/embedded-postgres.js';
import { FolderInUse } from '../database/embedded/occupant.js';
import { explainFailure } from '../database/explain-failure.js';
import { violatedConstraint } from '../problem/database-problem.js';
import { readOptions, USAGE, UsageError, type Options } from './options.js';
import { plant, type Harvest } from './plant.js';
import { Progress } from './progress.js';
import { SHIPMENT_TYPES } from './vocabulary.js';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), Date.now());
  if (options === undefined) {
    say(USAGE);
    return;
  }
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const embedded = config.DATABASE_URL === undefined ? await startEmbedded(config) : undefined;
  try {
    await seed(config, config.DATABASE_URL ?? embedded?.url ?? '', options);
  } finally {
    await embedded?.stop();
  }
}

async function seed(config: Config, url: string, options: Options): Promise<void> {
  const { dataSource } = await openDatabase(config, url, say);
  try {
    const began = performance.now();
    const progress = new Progress(options.moves, process.stderr);
    const order = { ...options, shipmentTypes: config.SHIPMENT_TYPES ?? SHIPMENT_TYPES };
    const harvest = await plant(dataSource, url, order, (moves) => progress.tell(moves));
    report(harvest, options, (performance.now() - began) / 1000);
  } finally {
    await dataSource.destroy();
  }
}

function report(harvest: Harvest, { seed: number, until }: Options, seconds: number): void {
  const counts = Object.entries(harvest).map(([table, count]) => `${count} ${table}`);
  say(`Made ${counts.join(', ')} in ${seconds.toFixed(1)} s.`);
  say(`The same again in an empty database: --seed ${number} --until ${new Date(until).toISOString()}`);
}

/** The data folder of a service belongs to it alone while it runs. */
function startEmbedded({ DATA_DIR }: Config): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: DATA_DIR, say });
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof Error && error.cause instanceof FolderInUse) {
    return [
      `Nothing was made: ${error.cause.message}.`,
      'Stop the service, seed, and start it again. To seed while it runs, give both the same DATABASE_URL.',
    ].join('\n');
  }
  if (violatedConstraint(error)?.endsWith('_pkey') === true) {
    return 'Nothing was made: the database has these records already. Take another --seed for more of them.';
  }
  return explainFailure(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
