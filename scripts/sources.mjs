// Compiles the TypeScript sources without checking types, each file into a module of its own.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const FOLDERS = ['src', 'migrations', 'tools', 'bench', 'test/support', 'packages/embedded-postgres/src'];

/** A fault to put into a source, `{ file, find, replace }`: controls see whether specs notice it. */
const FAULT = process.env.TEST_FAULT === undefined ? undefined : JSON.parse(process.env.TEST_FAULT);
/** The text of a source with that fault, if it is in this one. */
export function withFault(source, text) {
  return source === FAULT?.file ? text.replace(FAULT.find, () => FAULT.replace) : text;
}

const COMPILED = resolve('node_modules/.cache', FAULT === undefined ? 'waybill-sources' : 'waybill-faulty');

/** Where a source is compiled to. */
export function compiledFile(source) {
  return join(COMPILED, source.replace(/\.ts$/, '.js'));
}

/** Compiles the sources that have changed since the last time. */
export async function compileSources() {
  const outdated = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  )
    .filter((name) => /(?<!\.d)\.(ts|mjs)$/.test(name))
    .filter(isOutdated);
  if (outdated.length === 0) return;
  // Loaded only when needed, because loading it takes longer than checking for changes.
  const { transform } = await import('@swc/core');
  write(join(COMPILED, 'package.json'), '{ "type": "module" }');
  await Promise.all(
    outdated.map(async (source) => {
      const text = readFileSync(source, 'utf8');
      const { code } = await transform(withFault(source, text), { filename: source });
      write(compiledFile(source), code);
    }),
  );
}

function isOutdated(source) {
  if (FAULT !== undefined) return true;
  const compiled = statSync(compiledFile(source), { throwIfNoEntry: false });
  return compiled === undefined || compiled.mtimeMs <= statSync(source).mtimeMs;
}

/** Two commands may compile at the same time: a file appears when it is complete. */
function write(target, code) {
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, target);
}
