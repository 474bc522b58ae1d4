import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { readCommandLine } from '../../src/config/command-line.js';
import { ApiDocument } from '../../src/openapi/api-document.js';
import { offlineApp } from '../offline-app.js';

const USAGE = `Writes the OpenAPI document of the service. npm run openapi also updates the files that are generated from it.

  node dist/tools/openapi/main.js [FILE]

  FILE  output file (openapi.json)`;

/** Writes the OpenAPI document for the default configuration, without a database. */
async function main(file: string): Promise<void> {
  const { app } = await offlineApp();
  writeFileSync(file, `${JSON.stringify(app.get(ApiDocument).document, null, 2)}\n`);
}

const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
await main(positionals[0] ?? 'openapi.json');
