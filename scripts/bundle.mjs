import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './sources.mjs';

/** Modules that benchmarks, demos and the test setup import; all others are only part of the programs. */
const LIBRARIES = [
  'src/auth/scopes.ts',
  'src/config/command-line.ts',
  'src/config/read-config.ts',
  'src/open-database.ts',
];

/** Optional modules of packages, which we do not use. Another package may bring them, and a build must not depend on that. */
const UNUSED = [
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets/*',
  'pg-native',
  'supports-color',
];

/** Remembers what has not changed since the last build of `npm run dev`. */
const typescript = {
  name: 'typescript',
  setup(bundler) {
    const compiled = new Map();
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { mtimeMs } = statSync(path);
      if (compiled.get(path)?.mtimeMs !== mtimeMs) compiled.set(path, { mtimeMs, code: await compile(path) });
      return { contents: compiled.get(path).code, loader: 'js' };
    });
  },
};

const tools = readdirSync('tools')
  .map((name) => join('tools', name, 'main.ts'))
  .filter((file) => existsSync(file));

/** How esbuild bundles the service and its tools. */
export const BUNDLE = {
  entryPoints: ['src/main.ts', ...tools, ...LIBRARIES],
  outbase: '.',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Workspaces name their sources under this condition.
  conditions: ['waybill-source'],
  external: UNUSED,
  plugins: [typescript],
  // Chunks do not keep the order of imports that are made only for their effect, and decorators need this one first.
  inject: ['reflect-metadata'],
  // Two classes of one name would otherwise be told apart in logs as Result and Result2.
  keepNames: true,
  // Packages that are CommonJS load Node's modules with it.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
  },
  logLevel: 'warning',
};
