import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transformFile } from '@swc/core';

/**
 * Runs TypeScript without a build:  node --import ./scripts/typescript.mjs FILE.ts
 * Sources import each other by the compiled file name, so `./x.js` resolves to `./x.ts` first.
 * This file both registers the hooks and, in Node's hook thread, contains them.
 */
if (isMainThread) register(import.meta.url);

export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('.') || !specifier.endsWith('.js')) return next(specifier, context);
  const source = new URL(specifier.replace(/js$/, 'ts'), context.parentURL);
  return next(existsSync(source) ? source.href : specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), { module: { type: 'es6' } });
  return { format: 'module', source: code, shortCircuit: true };
}
