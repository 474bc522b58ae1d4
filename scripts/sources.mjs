// Compiles TypeScript without checking types, each file into a module of its own.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { giveToOwner } from './owner.mjs';

const FOLDERS = ['src', 'migrations', 'tools', 'bench', 'test/support', 'packages/embedded-postgres/src'];

/**
 * A folder with changed copies of some sources, from which controls and mutation testing let specs run. It is below node_modules, so that
 * what is compiled there finds its packages.
 */
const CHANGED = process.env.TEST_SOURCES;

/** The text of a source, or of its changed copy. */
export function sourceOf(source) {
  return readFileSync(fileOf(source), 'utf8');
}

function fileOf(source) {
  const changed = CHANGED && join(CHANGED, source);
  return changed && existsSync(changed) ? changed : source;
}

const COMPILED = resolve(CHANGED ? join(CHANGED, 'compiled') : 'node_modules/.cache/waybill-sources');

/** Where a source is compiled to. */
export function compiledFile(source) {
  return join(COMPILED, source.replace(/\.ts$/, '.js'));
}

/** The JavaScript of a source. By SWC, because NestJS injects by the types of parameters, which esbuild does not emit. */
export async function compile(source) {
  // Loaded only when needed, because loading it takes longer than checking for changes.
  const { transform } = await import('@swc/core');
  const { code } = await transform(sourceOf(source), { filename: source });
  return code;
}

/** Compiles the sources that have changed since the last time. */
export async function compileSources() {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)));
  const outdated = files.filter((name) => /(?<!\.d)\.(ts|mjs)$/.test(name)).filter(isOutdated);
  if (outdated.length === 0) return;
  write(join(COMPILED, 'package.json'), '{ "type": "module" }');
  await Promise.all(outdated.map(async (source) => write(compiledFile(source), await compile(source))));
  giveToOwner(dirname(COMPILED));
}

function isOutdated(source) {
  const compiled = statSync(compiledFile(source), { throwIfNoEntry: false });
  return compiled === undefined || compiled.mtimeMs <= statSync(fileOf(source)).mtimeMs;
}

/** Two commands may compile at the same time: a file appears when it is complete. */
function write(target, code) {
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, target);
}
