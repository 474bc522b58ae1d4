// Compiles the service without checking types, which `npm run check` does.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { transformFile } from '@swc/core';

const FOLDERS = ['src', 'tools', 'migrations'];

const USAGE = `Compiles the service.

  npm run build -- [--outDir FOLDER]

  --outDir FOLDER  where to (dist)`;

function readOptions() {
  try {
    return parseArgs({
      options: { outDir: { type: 'string', default: 'dist' }, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    process.exit(1);
  }
}

const values = readOptions();
if (values.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}

async function compile(source) {
  const target = join(values.outDir, source.replace(/\.ts$/, '.js'));
  const { code } = await transformFile(source, { module: { type: 'es6' }, sourceMaps: false });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('campaigns/'))
    .map((name) => join(folder, name)),
);
await Promise.all(sources.map(compile));
