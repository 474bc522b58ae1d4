import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { createApp, type App } from '../src/app.setup.js';
import { readConfig } from '../src/config/read-config.js';
import { dataSourceOf } from '../src/database/data-source.js';
import { Database } from '../src/database/database.js';
import { initializeOffline } from '../src/database/internals/typeorm-data-source.js';
import { ENTITIES } from '../src/model/resources.js';

/** The application with the default configuration and without a database, to describe it. It does not start. */
export async function offlineApp(): Promise<{ readonly app: App; readonly dataSource: DataSource }> {
  const config = readConfig({});
  const dataSource = dataSourceOf(config, 'postgres://nowhere', ENTITIES);
  await initializeOffline(dataSource);
  const app = await createApp(config, new Database(dataSource, '', config), pino({ level: 'silent' }));
  return { app, dataSource };
}
