import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { ENTITIES } from '../../src/model/resources.js';
import { createApp } from '../../src/app.setup.js';
import { readCommandLine } from '../../src/config/command-line.js';
import { readConfig } from '../../src/config/config.js';
import { dataSourceOf } from '../../src/database/data-source.js';
import { Database } from '../../src/database/database.js';
import { initializeOffline } from '../../src/database/internals/typeorm-data-source.js';
import { ApiDocument } from '../../src/openapi/api-document.js';

const USAGE = `Writes the OpenAPI document of the service. npm run openapi also updates the files that are generated from it.

  node dist/tools/openapi/main.js [FILE]

  FILE  output file (openapi.json)`;

/** Writes the OpenAPI document for the default configuration, without a database. */
async function main(file: string): Promise<void> {
  const config = readConfig({});
  const dataSource = dataSourceOf(config, 'postgres://nowhere', ENTITIES);
  await initializeOffline(dataSource);
  const database = new Database(dataSource, '', config);
  const app = await createApp(config, database, pino({ level: 'silent' }));
  writeFileSync(file, `${JSON.stringify(app.get(ApiDocument).document, null, 2)}\n`);
}

const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
await main(positionals[0] ?? 'openapi.json');
