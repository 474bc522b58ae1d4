import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { Pool } from 'pg';
import { pino } from 'pino';
import { ENTITIES } from './app.module.js';
import { createApp } from './app.setup.js';
import { readConfig } from './config/config.js';
import { dataSourceOf } from './database/data-source.js';
import { Database } from './database/database.js';
import { ApiDocument } from './openapi/api-document.js';

/** Writes the document of the code with its default configuration; nothing is connected to. */
async function main(file: string): Promise<void> {
  const config = readConfig({});
  const dataSource = dataSourceOf(config, 'postgres://nowhere', ENTITIES);
  await (dataSource as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  // Connecting would give it a pool.
  Object.assign(dataSource.driver, { master: new Pool() });
  const database = new Database(dataSource, '', { poolSize: 1, acquireTimeoutMs: 1, deadlineMs: 1 });
  const app = await createApp(config, database, pino({ level: 'silent' }));
  writeFileSync(file, `${visible(JSON.stringify(app.get(ApiDocument).document, null, 2))}\n`);
}

/** Patterns name characters that nobody could see in the file. */
function visible(json: string): string {
  return json.replaceAll(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

await main(process.argv[2] ?? 'openapi.json');
