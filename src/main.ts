import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { createApp, openDatabase } from './app.setup.js';
import { ConfigError, readConfig } from './config/config.js';
import { startEmbeddedPostgres } from './database/embedded-postgres.js';

const logger = new Logger('Waybill');

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const embedded =
    config.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({ dataDir: config.DATA_DIR, say: (line) => logger.log(line) })
      : undefined;
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  const dataSource = await openDatabase(config, url, (line) => logger.log(line));
  const app = await createApp({ config, dataSource });
  await app.listen(config.PORT, config.HOST);
  logger.log(`Listening on ${await app.getUrl()}`);

  const stop = async () => {
    await app.close();
    await embedded?.stop();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
}

main().catch((error: unknown) => {
  logger.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
