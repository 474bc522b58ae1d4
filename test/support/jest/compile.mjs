import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFile } from '@swc/core';
import { COMPILED, isShared } from './shared-modules.mjs';

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
  const compiled = statSync(targetOf(source), { throwIfNoEntry: false });
  return compiled === undefined || compiled.mtimeMs <= statSync(source).mtimeMs;
}

async function compile(source) {
  const { code } = await transformFile(source, { module: { type: 'es6' } });
  write(targetOf(source), code);
}

/** Two runs may compile at the same time: a file appears when it is complete. */
function write(target, code) {
  mkdirSync(dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, target);
}
