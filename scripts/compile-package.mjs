// Compiles the sources of a workspace, each into a module:  node scripts/compile-package.mjs SOURCES FOLDER
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './sources.mjs';

const [sources, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(sources)) {
  writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), await compile(join(sources, name)));
}
