import 'reflect-metadata';
import { pino } from 'pino';
import { createApp } from './app.setup.js';
import { openDatabase } from './open-database.js';
import { readCommandLine } from './config/command-line.js';
import { readProcessConfig } from './config/read-config.js';
import { warningsOf } from './config/cross-checks.js';
import { explainFailure } from './database/explain-failure.js';
import { findPostgres } from './database/postgres.js';
import { listenFailure, listeningAddress } from './server/listen.js';
import { serveManagement } from './operations/management-server.js';
import { Readiness } from './operations/readiness.js';
import { shutDown } from './operations/shutdown.js';
import { terminalLog } from './operations/terminal-log.js';
import { waitForDatabase } from './operations/wait-for-database.js';
import { welcome } from './operations/welcome.js';
import { isEmpty } from './moves/any-move.js';

const USAGE = `Starts the service. It has no options; .env.example lists its environment variables.

  npm start`;

/** Buffers log lines for up to 100 ms; the exit flushes them. */
const LOG_BUFFER = { sync: false, minLength: 4096, periodicFlush: 100 };

async function main(): Promise<void> {
  readCommandLine(USAGE, {});
  const config = readProcessConfig();
  const isTerminal = process.stdout.isTTY;
  const destination = isTerminal ? terminalLog(process.stdout) : pino.destination(LOG_BUFFER);
  const logger = pino({ level: config.LOG_LEVEL, base: null }, destination);
  const say = (line: string) => logger.info(line);
  // OpenTelemetry is loaded only if it is used, because that takes time and memory.
  const isTraced = config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  const tracing = isTraced ? (await import('./operations/tracing.js')).startTracing(logger) : undefined;
  const postgres = await findPostgres(config, say, endWith);
  const database = await waitForDatabase(() => openDatabase(config, postgres.url, say), config, say);
  const app = await createApp(config, database, logger);
  await app.get(Readiness).requirePositions();
  const management = await serveManagement(app, config);
  await app.listen(config.PORT, config.HOST).catch((error: unknown) => {
    throw listenFailure('PORT', config.PORT, config.HOST, error);
  });
  const address = listeningAddress(app.getHttpServer());
  if (isTerminal) {
    const offersExamples = config.NODE_ENV !== 'production' && (await isEmpty(database));
    process.stdout.write(welcome(address, postgres.dataDir, offersExamples));
  } else say(`Listening on ${address}`);
  if (management !== undefined) say(`Health and metrics on ${listeningAddress(management)}`);
  for (const warning of warningsOf(config, address)) logger.warn(warning);

  const stop = async (signal: string) => {
    say(`${signal}: draining, then stopping`);
    await shutDown(app, config, management);
    await postgres.stop();
    await tracing?.stop();
    say('Stopped');
    process.exit(0);
  };
  // On Ctrl-C, the service gets SIGINT from both the terminal and npm. Later signals join the first shutdown.
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (stopping ??= stop(signal)));
}

function endWith(error: unknown): void {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}

main().catch(endWith);
