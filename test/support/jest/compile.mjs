import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from '@swc/core';
import { COMPILED, FAULT, isShared } from './shared-modules.mjs';

/** Compiles the shared modules that have changed since the last time. */
export async function compileSharedModules() {
  const sources = ['src', 'migrations', 'tools', 'test/support'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  );
  write(join(COMPILED, 'package.json'), '{ "type": "module" }');
  await Promise.all(sources.filter((name) => isShared(name) && isOutdated(name)).map(compile));
}

function targetOf(source) {
  return join(COMPILED, source.replace(/\.ts$/, '.js'));
}

function isOutdated(source) {
  if (FAULT !== undefined) return true;
  const compiled = statSync(targetOf(source), { throwIfNoEntry: false });
  return compiled === undefined || compiled.mtimeMs <= statSync(source).mtimeMs;
}

async function compile(source) {
  const text = readFileSync(source, 'utf8');
  const compiled = source === FAULT?.file ? text.replace(FAULT.find, () => FAULT.replace) : text;
  const { code } = await transform(compiled, { filename: source, module: { type: 'es6' } });
  write(targetOf(source), code);
}

/** Two runs may compile at the same time: a file appears when it is complete. */
function write(target, code) {
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, target);
}
