import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { createApp } from '../app.setup.js';
import { ENTITIES } from '../app.module.js';
import { readConfig } from '../config/config.js';
import { dataSourceOf } from '../database/data-source.js';
import { ApiDocument } from './api-document.js';

/** Writes the document of the code with its default configuration; nothing is connected to. */
async function main(file: string): Promise<void> {
  const config = readConfig({});
  const dataSource = dataSourceOf(config, 'postgres://nowhere', ENTITIES);
  await (dataSource as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  const app = await createApp({ config, dataSource, logger: false });
  writeFileSync(file, `${JSON.stringify(app.get(ApiDocument).document, null, 2)}\n`);
}

await main(process.argv[2] ?? 'openapi.json');
