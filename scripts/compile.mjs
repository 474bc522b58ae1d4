// Compiles the service without checking types, which `npm run check` does.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { transformFile } from '@swc/core';

const FOLDERS = ['src', 'tools', 'migrations'];

const { values } = parseArgs({
  options: { outDir: { type: 'string', default: 'dist' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  process.stdout.write(
    'Compiles the service.\n\n  npm run build -- [--outDir FOLDER]\n\n  --outDir FOLDER  where to (dist)\n',
  );
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
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
await Promise.all(sources.map(compile));
